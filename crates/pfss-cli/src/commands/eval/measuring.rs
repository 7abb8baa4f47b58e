//! Costs of heuristics and policies on instances, here or by other processes.

use anyhow::Context;
use pfss::{
    Building, Hands, LoadedPolicy, Made, Piece, PortableModel, PortableProblem, Settings, Solvable, spread,
};
use pfss_core::{CancelFlag, Instance, Limits, Run, Seed, check_order};
use pfss_neural::{Finish, LearnableProblem, ProblemInstance};
use rayon::prelude::*;

use crate::args::ProblemName;
use crate::commands::unused::searches;

/// Instances of one problem, and who measures on them.
#[derive(Clone, Copy)]
pub(super) struct Measuring<'a> {
    pub(super) problem: ProblemName,
    pub(super) instances: &'a [ProblemInstance],
    /// How long searches may search.
    pub(super) evaluations: u64,
    pub(super) seed: Seed,
    pub(super) cancel: &'a CancelFlag,
    pub(super) hands: Option<&'a dyn Hands>,
}

/// A policy and how it builds orders, here and elsewhere.
pub(super) struct PolicyMethod<'a> {
    pub(super) policy: &'a LoadedPolicy,
    pub(super) model: &'a PortableModel,
    pub(super) finish: Option<Finish>,
    pub(super) building: Building,
}

/// What is done with an instance of this number.
type Here<'a, P> = dyn Fn(usize, &P) -> anyhow::Result<f64> + Sync + 'a;
type There<'a, P> = dyn Fn(usize, &P) -> Piece + Sync + 'a;

impl Measuring<'_> {
    /// The costs that a heuristic gives; `None` when interrupted.
    pub(super) fn heuristic(&self, name: &str) -> anyhow::Result<Option<Vec<f64>>> {
        match self.problem {
            ProblemName::FlowShop => self.heuristic_of::<Instance<f64>>(name),
            #[cfg(feature = "tsp")]
            ProblemName::Tsp => self.heuristic_of::<pfss_tsp::TspInstance>(name),
        }
    }

    /// The least costs of what a policy builds; `None` when interrupted.
    pub(super) fn policy(&self, method: &PolicyMethod<'_>) -> anyhow::Result<Option<Vec<f64>>> {
        match self.problem {
            ProblemName::FlowShop => self.policy_of::<Instance<f64>>(method),
            #[cfg(feature = "tsp")]
            ProblemName::Tsp => self.policy_of::<pfss_tsp::TspInstance>(method),
        }
    }

    fn heuristic_of<P>(&self, name: &str) -> anyhow::Result<Option<Vec<f64>>>
    where
        P: LearnableProblem + Solvable,
        PortableProblem: for<'p> From<&'p P>,
    {
        let settings = Settings::new();
        let evaluations = searches(self.problem, name)?.then_some(self.evaluations);
        let solver = P::solver(name, &settings)?;
        let seed = self.seed.child("heuristics");
        let here = |index: usize, instance: &P| {
            let limits = Limits { evaluations, ..Limits::default() };
            let run = Run::new(seed.nth(index as u64), limits).with_cancel(self.cancel.clone());
            let outcome = solver.solve(instance, &run)?;
            checked(instance, &outcome.order, outcome.cost, name)
        };
        let there = |index: usize, instance: &P| {
            let limits = Limits::<f64> { evaluations, ..Limits::default() };
            Piece::new(instance, name, &settings, seed.nth(index as u64)).with_limits(&limits)
        };
        self.each(name, &here, &there)
    }

    fn policy_of<P>(&self, method: &PolicyMethod<'_>) -> anyhow::Result<Option<Vec<f64>>>
    where
        P: LearnableProblem + Solvable,
        PortableProblem: for<'p> From<&'p P>,
    {
        let PolicyMethod { policy, model, finish, building } = *method;
        let seed = self.seed.child("policies");
        let here = |index: usize, instance: &P| {
            let goes_on = || !self.cancel.is_cancelled();
            let build = || instance.build(building, policy, seed.nth(index as u64), &goes_on);
            // Where others help, each thread here is one of many that build.
            let built = if self.hands.is_some() { policy.on_threads(1, build) } else { build() };
            Ok(built?.cost)
        };
        let there = |index: usize, instance: &P| {
            Piece::of_policy(instance, model, finish, building, seed.nth(index as u64))
        };
        self.each("the policy", &here, &there)
    }

    /// A cost for each instance: on the threads of the current pool, and with the help of other processes where there are some.
    fn each<P>(
        &self,
        name: &str,
        here: &Here<'_, P>,
        there: &There<'_, P>,
    ) -> anyhow::Result<Option<Vec<f64>>>
    where
        P: LearnableProblem,
    {
        let instances: Vec<&P> = self.instances.iter().filter_map(|any| any.get::<P>()).collect();
        let here = |index: usize| {
            if self.cancel.is_cancelled() {
                return Ok(None);
            }
            let made = here(index, instances[index]);
            // What was cut short is no result.
            if self.cancel.is_cancelled() { Ok(None) } else { made.map(Some) }
        };
        let Some(hands) = self.hands else {
            return (0..instances.len()).into_par_iter().map(here).collect();
        };
        let there = |hand: usize, index: usize| {
            if self.cancel.is_cancelled() {
                return Ok(None);
            }
            let made = hands.make(hand, &there(index, instances[index]));
            if self.cancel.is_cancelled() {
                return Ok(None);
            }
            let Made { order, cost, .. } = made?;
            checked(instances[index], &order, cost, name).map(Some)
        };
        spread(instances.len(), rayon::current_num_threads(), hands, &here, &there).into_iter().collect()
    }
}

/// The cost of an order, by the plain definition.
fn checked<P: LearnableProblem>(
    instance: &P,
    order: &[pfss_core::JobId],
    claimed: f64,
    name: &str,
) -> anyhow::Result<f64> {
    check_order(instance, order, Some(claimed))
        .with_context(|| format!("the answer of {name} is wrong; please report this"))
}
