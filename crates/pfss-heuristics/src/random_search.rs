//! The best of a few random orders.

use pfss_core::{Instance, JobId, Outcome, Run, SolveError, Solver, Time, makespan};
use rand::seq::SliceRandom;

use crate::open;

pfss_core::config! {
    /// Parameters of [`RandomSearch`]; the default is the setting of the imitation-learning paper.
    pub struct RandomSearchConfig {
        /// How many random orders are tried.
        samples: u64 = 10, in 1..=1_000_000_000_000;
    }
}

/// Takes the best of some random orders.
pub struct RandomSearch {
    config: RandomSearchConfig,
}

impl RandomSearch {
    /// The search with these parameters.
    pub fn new(config: RandomSearchConfig) -> Self {
        Self { config }
    }
}

/// Offers `samples` random orders, at least one, and returns the best of them.
pub(crate) fn best_random_order<T: Time>(
    instance: &Instance<T>,
    samples: u64,
    run: &Run<'_, T>,
) -> Vec<JobId> {
    let mut rng = run.stream("random-search");
    let mut order: Vec<JobId> = (0..instance.num_jobs() as JobId).collect();
    let mut best = order.clone();
    let mut best_cost = T::MAX;
    for _ in 0..samples.max(1) {
        order.shuffle(&mut rng);
        let cost = makespan(instance, &order);
        run.count(1);
        run.offer(&order, cost);
        if cost < best_cost {
            best_cost = cost;
            best.copy_from_slice(&order);
        }
        if run.must_end() {
            break;
        }
    }
    best
}

impl<T: Time> Solver<Instance<T>> for RandomSearch {
    fn name(&self) -> &str {
        "random-search"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        open("random-search", instance, run)?;
        best_random_order(instance, self.config.samples, run);
        run.outcome()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::{Limits, Seed};

    #[test]
    fn more_samples_are_never_worse_and_are_counted() {
        let instance = taillard_benchmark(31).unwrap();
        let solve = |samples| {
            let run = Run::new(Seed::new(3), Limits::default());
            RandomSearch::new(RandomSearchConfig { samples }).solve(&instance, &run).unwrap()
        };
        let (one, ten) = (solve(1), solve(10));
        assert_eq!((one.evaluations, ten.evaluations), (1, 10));
        assert!(ten.cost < one.cost);
    }
}
