//! Iterated greedy as the imitation-learning paper ran it.

use pfss_core::{FlowShopPricer, Instance, JobId, Outcome, Rng, Run, SolveError, Solver, Time};
use rand::RngExt;

use crate::iterated_local_search::{IteratedLocalSearchConfig, descend, search};
use crate::open;

pfss_core::config! {
    /// Parameters of [`PaperIteratedGreedy`]; the defaults are the settings of the imitation-learning paper.
    pub struct PaperIteratedGreedyConfig {
        /// How many iterations follow the iterated local search.
        iterations: u64 = 10, in 0..=1_000_000_000_000;
        /// How many jobs each iteration takes out and puts back (all but one where there are fewer).
        removed: usize = 10, in 1..=1_000_000_000;
        /// How many random orders are tried for the start.
        samples: u64 = 10, in 1..=1_000_000_000_000;
        /// How many descents the iterated local search makes.
        rounds: u64 = 10, in 0..=1_000_000_000_000;
        /// A descent ends after this many failures in a row.
        failures: u64 = 10, in 1..=1_000_000_000_000;
    }
}

/// Takes out jobs of the iterated local search's result, puts each back at its best place, descends, and
/// keeps improvements.
///
/// A weak baseline by design: it repeats what the imitation-learning paper ran. A job is never put at the
/// very end, and the random descent always keeps its first try. See `iterated-greedy` for the real one.
pub struct PaperIteratedGreedy {
    config: PaperIteratedGreedyConfig,
}

impl PaperIteratedGreedy {
    /// The search with these parameters.
    pub fn new(config: PaperIteratedGreedyConfig) -> Self {
        Self { config }
    }
}

/// Takes out `removed` random jobs and puts them back, in the order in which they were drawn, each at its
/// best place but the last; ties go to the first place. Returns whether the run let it finish.
fn rebuild<T: Time>(
    pricer: &mut FlowShopPricer<'_, T>,
    order: &[JobId],
    removed: usize,
    rng: &mut Rng,
    run: &Run<'_, T>,
) -> bool {
    let mut rest = order.to_vec();
    // At least one job stays, or there would be no place but the last.
    let count = removed.min(rest.len() - 1);
    let drawn: Vec<JobId> = (0..count).map(|_| rest.remove(rng.random_range(0..rest.len()))).collect();
    pricer.load(&rest);
    for &job in &drawn {
        if run.must_end() {
            return false;
        }
        pricer.price(job);
        let places = pricer.num_places() - 1;
        run.count(places as u64);
        let prices = || (0..places).map(|place| pricer.price_at(place));
        let least = prices().fold(T::MAX, T::minimum);
        let place = prices().position(|price| price.meets(least)).unwrap_or(0);
        pricer.insert(job, place);
    }
    true
}

impl<T: Time> Solver<Instance<T>> for PaperIteratedGreedy {
    fn name(&self) -> &str {
        "paper-iterated-greedy"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        open("paper-iterated-greedy", instance, run)?;
        let config = &self.config;
        let PaperIteratedGreedyConfig { samples, rounds, failures, .. } = *config;
        let mut current = search(instance, &IteratedLocalSearchConfig { samples, rounds, failures }, run);
        if current.len() < 2 {
            return run.outcome();
        }
        let mut rng = run.stream("paper-iterated-greedy");
        let mut pricer = instance.pricer();
        let mut current_cost = T::MAX;
        for _ in 0..config.iterations {
            if !rebuild(&mut pricer, &current, config.removed, &mut rng, run) {
                break;
            }
            let mut order = pricer.order().to_vec();
            let Some(cost) = descend(instance, &mut order, failures, &mut rng, run) else { break };
            // As in the paper's code, the first iteration is always kept.
            if cost < current_cost {
                current_cost = cost;
                current = order;
            }
        }
        run.outcome()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::{Limits, Permutation, Seed};

    #[test]
    fn the_last_job_that_stays_remains_last() {
        let instance = taillard_benchmark(1).unwrap();
        let run = Run::new(Seed::new(1), Limits::default());
        let order: Vec<JobId> = (0..20).collect();
        let mut pricer = instance.pricer();
        for seed in 0..50 {
            let mut rng = Seed::new(seed).rng();
            assert!(rebuild(&mut pricer, &order, 10, &mut rng, &run));
            let rebuilt = Permutation::new(pricer.order().to_vec(), 20).unwrap();
            // Replays the draws.
            let mut rest = order.clone();
            let mut rng = Seed::new(seed).rng();
            for _ in 0..10 {
                rest.remove(rng.random_range(0..rest.len()));
            }
            assert_eq!(rebuilt.last(), rest.last());
        }
    }

    #[test]
    fn few_jobs_are_fine() {
        for n in 1..=4 {
            let instance = Instance::new("", 2, (0..2 * n as u32).collect()).unwrap();
            let run = Run::new(Seed::new(1), Limits::default());
            let solver = PaperIteratedGreedy::new(PaperIteratedGreedyConfig::default());
            assert_eq!(solver.solve(&instance, &run).unwrap().order.len(), n);
        }
    }
}
