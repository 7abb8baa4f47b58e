//! The learned policy as a solver: a trained network builds orders.

use pfss_core::{Instance, JobId, Outcome, Run, SolveError, Solver, Time, makespan, open};
use pfss_heuristics::insertion_local_search;
use pfss_neural::{Decoding, Finish};
use thiserror::Error;

use crate::building::{Building, BuildingError};
use crate::models::{self, LoadedPolicy};

/// More jobs than this would need hours and more memory than machines have: the graph grows with their square.
pub const MAX_JOBS: usize = 20_000;

pfss_core::choice! {
    /// How a policy builds orders.
    pub enum PolicyDecoding {
        /// The most likely job at each step.
        Greedy = "greedy",
        /// The greedy order and drawn ones; the shortest counts.
        Sample = "sample",
        /// A beam search for likely orders; the shortest counts.
        Beam = "beam",
    }
}

pfss_core::choice! {
    /// What follows when orders are built.
    pub enum PolicyImprovement {
        /// Nothing.
        None = "none",
        /// Jobs of the best order move to better places, until no move of one job helps.
        Insertion = "insertion",
    }
}

pfss_core::config! {
    /// Parameters of [`LearnedPolicy`].
    pub struct PolicyConfig {
        /// A model file, or the name of a model that comes with the program; by default `front`, and `front-wide` from 30 machines on.
        model: String = String::new();
        /// How orders are built.
        decoding: PolicyDecoding = PolicyDecoding::Greedy;
        /// sample: how many orders are drawn.
        samples: u64 = 16, in 1..=1_000_000, with decoding = PolicyDecoding::Sample;
        /// sample: below 1 nearer to greedy, above 1 more varied.
        temperature: f64 = 1.0, in 0.01..=100.0, with decoding = PolicyDecoding::Sample;
        /// beam: how many partial orders are kept.
        width: u64 = 16, in 1..=100_000, with decoding = PolicyDecoding::Beam;
        /// front: so many of the last jobs, and never more than half, are ordered by search instead of by the network.
        finish: u64 = Finish::default().jobs as u64, in 0..=16;
        /// Whether the mirrored instance is solved too; the better order counts.
        reverse: bool = false;
        /// Whether an insertion local search follows, from the best order.
        improve: PolicyImprovement = PolicyImprovement::None;
    }
}

/// Orders built by a trained network.
pub struct LearnedPolicy {
    config: PolicyConfig,
}

impl LearnedPolicy {
    /// The policy with these parameters.
    pub fn new(config: PolicyConfig) -> Self {
        Self { config }
    }
}

/// `finish` was given to a policy without a search.
#[derive(Debug, Error)]
#[error(
    "`finish` belongs to policies that build orders from both ends, such as `front`; the model {model} leaves nothing to a search"
)]
pub struct UnusedFinish {
    model: String,
}

impl PolicyConfig {
    /// How orders are built.
    pub fn building(&self) -> Building {
        Building { decoding: self.complete_decoding(), reverse: self.reverse }
    }

    /// Which orders are built, with all that belongs to it.
    pub fn complete_decoding(&self) -> Decoding {
        match self.decoding {
            PolicyDecoding::Greedy => Decoding::Greedy,
            PolicyDecoding::Sample => {
                Decoding::Sample { samples: self.samples as usize, temperature: self.temperature as f32 }
            }
            PolicyDecoding::Beam => Decoding::Beam { width: self.width as usize },
        }
    }

    /// The policy of a model, with as many of the last jobs left to a search as is asked for.
    ///
    /// # Errors
    /// [`UnusedFinish`] when that means nothing to it.
    pub fn finished(&self, policy: LoadedPolicy, model: &str) -> Result<LoadedPolicy, UnusedFinish> {
        let finish = Finish { jobs: self.finish as usize, ..Finish::default() };
        if !policy.has_finish() && finish != Finish::default() {
            return Err(UnusedFinish { model: model.to_string() });
        }
        Ok(policy.with_finish(finish))
    }
}

fn refuse(reason: String) -> SolveError {
    SolveError::Unsupported { algorithm: "policy".to_string(), reason }
}

/// The policy of this name, where it can treat so many jobs.
fn load(model: &str, num_jobs: usize, num_machines: usize) -> Result<LoadedPolicy, SolveError> {
    if num_jobs > MAX_JOBS {
        return Err(refuse(format!(
            "{num_jobs} jobs are more than the {MAX_JOBS} that a policy can treat; use `auto`, `neh` or `palmer`"
        )));
    }
    models::load_for(model, num_machines).map_err(|error| refuse(error.to_string()))
}

impl LearnedPolicy {
    /// Builds on as many threads as the run allows; results never depend on their number. Cut short before the first
    /// order, `otherwise` is the answer.
    fn build<C: Time>(
        &self,
        run: &Run<'_, C>,
        policy: &LoadedPolicy,
        build: impl FnOnce() -> Result<bool, BuildingError> + Send,
        otherwise: impl FnOnce(),
    ) -> Result<(), SolveError> {
        let is_whole = policy.on_threads(run.threads(), build);
        if !is_whole.map_err(|error| refuse(error.to_string()))? && run.best().is_none() {
            otherwise();
        }
        Ok(())
    }

    /// What follows when orders are built.
    fn improve<T: Time>(&self, instance: &Instance<T>, run: &Run<'_, T>) {
        match (self.config.improve, run.best()) {
            (PolicyImprovement::Insertion, Some((order, _))) if !run.must_end() => {
                let mut pricer = instance.pricer();
                pricer.load(&order);
                insertion_local_search(&mut pricer, &mut run.stream("policy-local-search"), run);
                // Reals may round differently in the pricer: the plain makespan counts.
                run.offer(pricer.order(), makespan(instance, pricer.order()));
            }
            _ => (),
        }
    }
}

impl<T: Time> Solver<Instance<T>> for LearnedPolicy {
    fn name(&self) -> &str {
        "policy"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        let policy = load(&self.config.model, instance.num_jobs(), instance.num_machines())?;
        let policy =
            self.config.finished(policy, &self.config.model).map_err(|error| refuse(error.to_string()))?;
        open("policy", instance, run)?;
        let offer = |order: Vec<JobId>, cost: T| {
            run.count(1);
            run.offer(&order, cost);
        };
        let building = self.config.building();
        let build = || building.each(&policy, instance, run.seed(), &|| !run.must_end(), offer);
        self.build(run, &policy, build, || {
            let order = pfss_heuristics::slope_order(instance);
            let cost = makespan(instance, &order);
            offer(order, cost);
        })?;
        self.improve(instance, run);
        run.outcome()
    }
}

#[cfg(test)]
mod tests;
