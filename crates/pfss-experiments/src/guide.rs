//! Weights of a beam's guide, fitted to drawn instances by evolution (`pfss train guide`).

use std::collections::VecDeque;

use pfss_core::generate::{GenerateError, Generated, Recipe};
use pfss_core::{CancelFlag, Instance, Limits, Run, Seed, Time};
use pfss_heuristics::beam::{BeamSearch, HandMade, Plan, Schedule, Shape, Weighing};
use rand::RngExt;
use rand_distr::StandardNormal;
use rayon::prelude::*;

const LEN: usize = Weighing::LEN;

/// How far the first weighings lie from the start, by number.
const SPREADS: [f64; LEN] = [0.3, 0.25, 0.25, 0.25, 0.25, 0.25, 0.15, 0.2, 0.15, 0.05];

/// No number is spread less.
const LEAST_SPREAD: f64 = 0.02;

/// How much of the way to the best third of a generation the next one starts, and how fast spreads follow.
const STEP: f64 = 0.7;
const SPREAD_STEP: f64 = 0.2;

/// The result is the mean of so many generations, because each of them sees few instances.
const AVERAGED: usize = 8;

/// What weights are fitted to, and how much is tried.
#[derive(Clone, Copy, Debug)]
pub struct GuideFit {
    /// How instances are drawn.
    pub recipe: Recipe,
    /// Their number of jobs.
    pub num_jobs: usize,
    /// Their number of machines.
    pub num_machines: usize,
    /// How many of them a generation looks at; the next one draws others.
    pub instances: usize,
    /// How many weighings a generation tries.
    pub trials: usize,
    /// How many evaluations a beam search has for each.
    pub evaluations: u64,
    /// Where instances and weighings come from.
    pub seed: Seed,
}

/// An evolution strategy: each generation tries weighings around a mean, which moves towards the best of them.
#[derive(Clone, Debug)]
pub struct Evolution {
    fit: GuideFit,
    mean: [f64; LEN],
    spread: [f64; LEN],
    generation: u64,
    latest: VecDeque<[f64; LEN]>,
}

/// What a generation found out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Generation {
    /// What the mean before it changes against `walpha`, in percent, on instances that nothing was fitted to so far: below zero, orders are
    /// shorter.
    pub change: f64,
    /// The same for the best weighing that it tried, which these instances have chosen.
    pub best: f64,
}

impl Evolution {
    /// An evolution from this weighing.
    pub fn new(fit: GuideFit, start: Weighing) -> Self {
        Self {
            fit,
            mean: start.to_array().map(f64::from),
            spread: SPREADS,
            generation: 0,
            latest: VecDeque::new(),
        }
    }

    /// The weighing that was found so far.
    pub fn weighing(&self) -> Weighing {
        if self.latest.is_empty() {
            return weighing(&self.mean);
        }
        let mean =
            |place: usize| self.latest.iter().map(|mean| mean[place]).sum::<f64>() / self.latest.len() as f64;
        weighing(&std::array::from_fn(mean))
    }

    /// The shape that it is fitted to: that of a large instance of the recipe.
    ///
    /// # Errors
    /// [`GenerateError`] where no such instances can be drawn.
    pub fn shape(&self) -> Result<Shape, GenerateError> {
        let GuideFit { recipe, num_jobs, num_machines, seed, .. } = self.fit;
        let drawn = recipe.nth(num_jobs.max(1000), num_machines, seed, 0)?;
        let variation = match &drawn {
            Generated::Integer(instance) => Shape::of(instance).variation,
            Generated::Real(instance) => Shape::of(instance).variation,
        };
        Ok(Shape { num_jobs, num_machines, variation })
    }

    /// The next generation, on the threads of the present pool; `None` where `cancel` ended it, and then nothing has changed.
    ///
    /// # Errors
    /// [`GenerateError`] where no such instances can be drawn.
    pub fn step(&mut self, cancel: &CancelFlag) -> Result<Option<Generation>, GenerateError> {
        let GuideFit { recipe, num_jobs, num_machines, instances, trials, seed, .. } = self.fit;
        let seed = seed.nth(self.generation);
        let draw = |index| recipe.nth(num_jobs, num_machines, seed.child("instances"), index as u64);
        let instances = (0..instances.max(1)).map(draw).collect::<Result<Vec<_>, _>>()?;
        let mut rng = seed.stream("weighings");
        let mut normal = || rng.sample::<f64, _>(StandardNormal);
        let mut tried = vec![self.mean];
        for _ in 0..trials.max(3) {
            tried.push(std::array::from_fn(|place| self.mean[place] + self.spread[place] * normal()));
        }
        let plain = self.costs(&instances, None, cancel);
        let changes: Vec<f64> = tried
            .iter()
            .map(|numbers| change(&self.costs(&instances, Some(weighing(numbers)), cancel), &plain))
            .collect();
        if cancel.is_cancelled() {
            return Ok(None);
        }
        let mut ranks: Vec<usize> = (1..tried.len()).collect();
        ranks.sort_by(|&one, &other| changes[one].total_cmp(&changes[other]));
        let result = Generation { change: changes[0], best: changes[ranks[0]] };
        let best: Vec<&[f64; LEN]> = ranks[..trials.max(3) / 3].iter().map(|&rank| &tried[rank]).collect();
        for place in 0..LEN {
            let away: Vec<f64> = best.iter().map(|numbers| numbers[place] - self.mean[place]).collect();
            let square = away.iter().map(|away| away * away).sum::<f64>() / away.len() as f64;
            let spread = (1.0 - SPREAD_STEP) * self.spread[place] + SPREAD_STEP * square.sqrt();
            self.spread[place] = spread.max(LEAST_SPREAD);
            self.mean[place] += STEP * away.iter().sum::<f64>() / away.len() as f64;
        }
        self.generation += 1;
        self.latest.push_back(self.mean);
        if self.latest.len() > AVERAGED {
            self.latest.pop_front();
        }
        Ok(Some(result))
    }

    /// What beam searches with a weighing, or with `walpha`, reach.
    fn costs(&self, instances: &[Generated], weighing: Option<Weighing>, cancel: &CancelFlag) -> Vec<f64> {
        let evaluations = self.fit.evaluations;
        let cost = |instance: &Generated| match instance {
            Generated::Integer(instance) => search(instance, weighing, evaluations, cancel),
            Generated::Real(instance) => search(instance, weighing, evaluations, cancel),
        };
        instances.par_iter().map(cost).collect()
    }
}

/// The numbers as a weighing.
fn weighing(numbers: &[f64; LEN]) -> Weighing {
    Weighing::from_array(numbers.map(|number| number as f32))
}

/// The mean change of costs, in percent.
fn change(costs: &[f64], plain: &[f64]) -> f64 {
    let each = costs.iter().zip(plain).map(|(cost, plain)| 100.0 * (cost / plain - 1.0));
    each.sum::<f64>() / costs.len() as f64
}

/// What a beam search with so many evaluations reaches.
fn search<T: Time>(
    instance: &Instance<T>,
    weighing: Option<Weighing>,
    evaluations: u64,
    cancel: &CancelFlag,
) -> f64 {
    let limits = Limits { evaluations: Some(evaluations), ..Limits::default() };
    let run = Run::new(Seed::new(1), limits).with_cancel(cancel.clone());
    let mut search = BeamSearch::new(instance);
    let mut plan = Plan::new(&search, run.memory());
    plan.guide = HandMade::Walpha;
    if let Some(weighing) = weighing {
        search = search.weighed_by(weighing);
        plan.guide = HandMade::Fitted;
    }
    Schedule::new(plan, &search).search(&mut search, &run);
    run.best_cost().to_f64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::Distribution;

    fn fit(evaluations: u64) -> GuideFit {
        let recipe = Recipe { distribution: Distribution::Taillard, zeros: 0.0 };
        GuideFit {
            recipe,
            num_jobs: 12,
            num_machines: 8,
            instances: 3,
            trials: 6,
            evaluations,
            seed: Seed::new(3),
        }
    }

    #[test]
    fn generations_are_the_same_on_any_number_of_threads() {
        let course = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut evolution = Evolution::new(fit(3000), Weighing::WALPHA);
            let step = |_| pool.install(|| evolution.step(&CancelFlag::new())).unwrap().unwrap();
            let generations: Vec<Generation> = (0..3).map(step).collect();
            (generations, evolution.weighing())
        };
        let (generations, found) = course(1);
        assert_eq!((generations.clone(), found), course(3));
        // It starts from `walpha` itself.
        assert_eq!(generations[0].change, 0.0);
        assert_ne!(found, Weighing::WALPHA);
        assert!(generations.iter().all(|generation| generation.best.abs() < 50.0));
    }

    #[test]
    fn the_mean_moves_to_what_is_better() {
        // A start that scores by the bound alone, which is bad: idle time must count again.
        let blind = Weighing { idle_scale: 0.0, ..Weighing::WALPHA };
        let wide = GuideFit { num_jobs: 30, num_machines: 10, instances: 6, trials: 9, ..fit(3000) };
        let mut evolution = Evolution::new(wide, blind);
        let mut step = || evolution.step(&CancelFlag::new()).unwrap().unwrap().change;
        let first = step();
        let last = (0..8).map(|_| step()).last().unwrap();
        assert!(first > 0.5 && last < first - 0.3, "{first} {last}");
    }

    #[test]
    fn a_cancelled_generation_changes_nothing() {
        let mut evolution = Evolution::new(fit(3000), Weighing::WALPHA);
        let cancel = CancelFlag::new();
        cancel.cancel();
        assert_eq!(evolution.step(&cancel).unwrap(), None);
        assert_eq!((evolution.weighing(), evolution.generation), (Weighing::WALPHA, 0));
        assert!((evolution.shape().unwrap().variation - 0.57).abs() < 0.02);
    }
}
