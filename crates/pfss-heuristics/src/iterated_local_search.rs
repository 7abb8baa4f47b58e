//! Iterated local search as the imitation-learning paper ran it.

use pfss_core::{Instance, JobId, Outcome, Rng, Run, SolveError, Solver, Time, makespan};
use rand::RngExt;

use crate::open;
use crate::random_search::best_random_order;

pfss_core::config! {
    /// Parameters of [`IteratedLocalSearch`]; the defaults are the settings of the imitation-learning paper.
    pub struct IteratedLocalSearchConfig {
        /// How many random orders are tried for the start.
        samples: u64 = 10, in 1..=1_000_000_000_000;
        /// How many descents follow.
        rounds: u64 = 10, in 0..=1_000_000_000_000;
        /// A descent ends after this many failures in a row.
        failures: u64 = 10, in 1..=1_000_000_000_000;
    }
}

/// Descends by random moves and swaps from the best of some random orders, again and again.
///
/// A weak baseline by design: it repeats what the imitation-learning paper ran.
pub struct IteratedLocalSearch {
    config: IteratedLocalSearchConfig,
}

impl IteratedLocalSearch {
    /// The search with these parameters.
    pub fn new(config: IteratedLocalSearchConfig) -> Self {
        Self { config }
    }
}

/// Random descent: moves or swaps of two random positions, one evaluation each, kept when better, until
/// `failures` tries in a row fail. The first try is always kept, as in the paper's code, which kicks the
/// order off its local optimum. Returns the cost of `order`, or `None` when nothing was tried.
pub(crate) fn descend<T: Time>(
    instance: &Instance<T>,
    order: &mut Vec<JobId>,
    failures: u64,
    rng: &mut Rng,
    run: &Run<'_, T>,
) -> Option<T> {
    if order.len() < 2 {
        return None;
    }
    let mut cost = None;
    let mut candidate = order.clone();
    let mut failed = 0;
    while failed < failures && !run.must_end() {
        candidate.copy_from_slice(order);
        disturb(&mut candidate, rng);
        let length = makespan(instance, &candidate);
        run.count(1);
        if cost.is_none_or(|cost| length < cost) {
            cost = Some(length);
            std::mem::swap(order, &mut candidate);
            run.offer(order, length);
            failed = 0;
        } else {
            failed += 1;
        }
    }
    cost
}

/// Swaps the jobs at two random positions, or moves the first one before the second.
fn disturb(order: &mut [JobId], rng: &mut Rng) {
    let from = rng.random_range(0..order.len());
    let mut to = rng.random_range(0..order.len() - 1);
    if to >= from {
        to += 1;
    }
    if rng.random_bool(0.5) {
        order.swap(from, to);
    } else if from > to {
        order[to..=from].rotate_right(1);
    } else {
        order[from..to].rotate_left(1);
    }
}

/// The best order of the whole search. Everything that it tries and keeps is offered to the run.
pub(crate) fn search<T: Time>(
    instance: &Instance<T>,
    config: &IteratedLocalSearchConfig,
    run: &Run<'_, T>,
) -> Vec<JobId> {
    let mut order = best_random_order(instance, config.samples, run);
    let mut best_cost = makespan(instance, &order);
    let mut best = order.clone();
    let mut rng = run.stream("iterated-local-search");
    for _ in 0..config.rounds {
        // Each round goes on from where the last one ended, better or not.
        let Some(cost) = descend(instance, &mut order, config.failures, &mut rng, run) else { break };
        if cost < best_cost {
            best_cost = cost;
            best.copy_from_slice(&order);
        }
    }
    best
}

impl<T: Time> Solver<Instance<T>> for IteratedLocalSearch {
    fn name(&self) -> &str {
        "iterated-local-search"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        open("iterated-local-search", instance, run)?;
        search(instance, &self.config, run);
        run.outcome()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::{Limits, Permutation, Seed};

    #[test]
    fn disturbing_keeps_all_jobs_and_reaches_every_place() {
        let mut rng = Seed::new(1).rng();
        let mut seen = [false; 6];
        for _ in 0..500 {
            let mut order: Vec<JobId> = (0..6).collect();
            disturb(&mut order, &mut rng);
            let order = Permutation::new(order, 6).unwrap();
            seen[order.iter().position(|&job| job == 0).unwrap()] = true;
        }
        assert_eq!(seen, [true; 6]);
    }

    #[test]
    fn a_descent_ends_after_failures_in_a_row() {
        let instance = taillard_benchmark(1).unwrap();
        let run = Run::new(Seed::new(1), Limits::default());
        let mut order: Vec<JobId> = (0..20).collect();
        let cost = descend(&instance, &mut order, 10, &mut run.stream("test"), &run).unwrap();
        assert_eq!(cost, makespan(&instance, &order));
        assert_eq!(run.evaluations() - run.best_found_at().unwrap(), 10);
    }

    #[test]
    fn it_is_better_than_its_random_start() {
        let instance = taillard_benchmark(31).unwrap();
        let run = || Run::new(Seed::new(1), Limits::default());
        let config = IteratedLocalSearchConfig::default();
        let none = IteratedLocalSearchConfig { rounds: 0, ..config.clone() };
        let random = IteratedLocalSearch::new(none).solve(&instance, &run()).unwrap();
        let searched = IteratedLocalSearch::new(config).solve(&instance, &run()).unwrap();
        assert!(searched.cost < random.cost);
    }
}
