//! The registered solver.

use pfss_core::{Instance, Outcome, Run, SolveError, Solver, Time};

use super::{IteratedGreedyConfig, islands};
use crate::{JobOrder, TieRule, construct, open};

/// Iterated greedy from the NEH sequence (or the run's start) until a limit is met.
pub struct IteratedGreedy {
    config: IteratedGreedyConfig,
}

impl IteratedGreedy {
    /// Iterated greedy with these parameters.
    pub fn new(config: IteratedGreedyConfig) -> Self {
        Self { config }
    }
}

impl<T: Time> Solver<Instance<T>> for IteratedGreedy {
    fn name(&self) -> &str {
        "iterated-greedy"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        open("iterated-greedy", instance, run)?;
        let start = match run.start() {
            Some(start) => start.to_vec(),
            None => {
                let jobs = JobOrder::TotalTime.jobs(instance, &mut run.stream("neh-order"));
                let mut pricer = instance.pricer();
                construct(&mut pricer, instance, &jobs, 0, TieRule::Ff, run);
                run.offer(pricer.order(), pricer.cost());
                pricer.order().to_vec()
            }
        };
        if !run.must_end() {
            islands::search(instance, &self.config, &start, run);
        }
        run.outcome()
    }
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use super::*;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::{Limits, Seed, Status, StopReason, check};
    use std::time::Duration;

    fn solve(number: usize, config: IteratedGreedyConfig, evaluations: u64) -> Outcome<u32> {
        let instance = taillard_benchmark(number).unwrap();
        let limits = Limits { evaluations: Some(evaluations), ..Limits::default() };
        let outcome = IteratedGreedy::new(config).solve(&instance, &Run::new(Seed::new(1), limits)).unwrap();
        assert_eq!(check(&instance, &outcome.order, Some(outcome.cost)), Ok(outcome.cost));
        outcome
    }

    #[test]
    fn a_small_budget_solves_small_benchmarks() {
        let outcome = solve(1, IteratedGreedyConfig::default(), 10_000_000);
        assert_eq!((outcome.cost, outcome.status), (1278, Status::Optimal));
        assert!(solve(11, IteratedGreedyConfig::default(), 5_000_000).cost <= 1586);
    }

    #[test]
    fn an_evaluation_budget_is_reproducible() {
        let first = solve(51, IteratedGreedyConfig::default(), 300_000);
        let second = solve(51, IteratedGreedyConfig::default(), 300_000);
        assert_eq!(first.order, second.order);
        assert_eq!(first.evaluations, second.evaluations);
        assert_eq!(first.status, Status::Feasible(StopReason::EvaluationLimit));
    }

    #[test]
    fn threads_exchange_orders_and_evaluation_budgets_stay_reproducible() {
        let instance = taillard_benchmark(51).unwrap();
        let solver = IteratedGreedy::new(IteratedGreedyConfig::default());
        let solve = |limits: Limits<u32>, threads: usize| {
            let run = Run::new(Seed::new(1), limits).with_threads(threads);
            let outcome = solver.solve(&instance, &run).unwrap();
            assert_eq!(check(&instance, &outcome.order, Some(outcome.cost)), Ok(outcome.cost));
            outcome
        };
        let evaluations = Limits { evaluations: Some(100_000), ..Limits::default() };
        assert_eq!(solve(evaluations, 1).order, solve(evaluations, 3).order);
        let time = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
        assert!(solve(time, 3).cost < 3950);
    }

    #[test]
    fn every_variant_gives_valid_orders() {
        for &destruction in Destruction::ALL {
            for &reinsertion in Reinsertion::ALL {
                for &tie in Tie::ALL {
                    for &acceptance in Acceptance::ALL {
                        let config = IteratedGreedyConfig {
                            destruction,
                            reinsertion,
                            tie,
                            acceptance,
                            destruction_size: 3,
                            restart: 5,
                            ..IteratedGreedyConfig::default()
                        };
                        assert!(solve(21, config, 20_000).cost < 2500);
                    }
                }
            }
        }
    }

    #[test]
    fn a_queue_of_jobs_gives_valid_orders_with_every_tie_rule() {
        for &tie in Tie::ALL {
            for reach in [1, 5, 1000] {
                let config =
                    IteratedGreedyConfig { tie, reach, restart: 5, ..IteratedGreedyConfig::default() };
                assert!(solve(31, config.clone(), 100_000).cost < 2800);
                assert_eq!(solve(31, config.clone(), 50_000).order, solve(31, config, 50_000).order);
            }
        }
    }

    #[test]
    fn tiny_instances_end_with_a_limit() {
        for (jobs, machines) in [(1, 1), (1, 4), (2, 1), (3, 2)] {
            let times = (0..jobs * machines).map(|i| i as f64 * 0.3).collect();
            let instance = Instance::new("", machines, times).unwrap();
            let limits = Limits { evaluations: Some(50_000), ..Limits::default() };
            let run = Run::new(Seed::new(3), limits);
            let outcome = IteratedGreedy::new(IteratedGreedyConfig {
                destruction_size: 4,
                ..IteratedGreedyConfig::default()
            })
            .solve(&instance, &run)
            .unwrap();
            assert!(check(&instance, &outcome.order, Some(outcome.cost)).is_ok());
        }
    }
}
