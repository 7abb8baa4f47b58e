//! A heuristic of one's own beside those of the library: `cargo run --release -p pfss --example own_heuristic`.

#![allow(clippy::print_stdout)]

use pfss::core::{Instance, JobId, Outcome, Run, SolveError, Solver, Time, config, makespan, open};
use pfss::{Algorithm, Error, FlowShopSolver, Registry, Solve};
use rand::RngExt;

config! {
    /// What can be set of the heuristic. Ranges are checked, and unknown names are refused.
    pub struct RandomSwapsConfig {
        /// How many swaps are tried.
        swaps: u64 = 20_000, in 1..=1_000_000_000;
    }
}

/// Swaps two jobs at random, and keeps what is not longer.
struct RandomSwaps {
    config: RandomSwapsConfig,
}

impl<T: Time> Solver<Instance<T>> for RandomSwaps {
    fn name(&self) -> &str {
        "random-swaps"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        // Every solver opens the run: the lower bound, and the order to start from, where one was given.
        open("random-swaps", instance, run)?;
        let mut order: Vec<JobId> = (0..instance.num_jobs() as JobId).collect();
        let mut cost = makespan(instance, &order);
        run.offer(&order, cost);
        // All random choices come from the run's seed.
        let mut rng = run.stream("random-swaps");
        for _ in 0..self.config.swaps {
            // Limits and the cancel flag are looked at here; a proof ends the search, too.
            if run.must_end() {
                break;
            }
            let (one, other) = (rng.random_range(0..order.len()), rng.random_range(0..order.len()));
            order.swap(one, other);
            let swapped = makespan(instance, &order);
            run.count(1);
            if swapped <= cost {
                cost = swapped;
                run.offer(&order, cost);
            } else {
                order.swap(one, other);
            }
        }
        run.outcome()
    }
}

fn build<T: Time>(config: RandomSwapsConfig) -> FlowShopSolver<T> {
    Box::new(RandomSwaps { config })
}

fn main() -> Result<(), Error> {
    let summary = "Swaps two jobs at random, and keeps what is not longer";
    let own = Algorithm::flow_shop("random-swaps", summary, "this example", build, build);
    let registry = Registry::new().with(own);
    let instance = pfss::named("ta031")?;
    for name in ["random-swaps", "neh", "iterated-greedy"] {
        let solution =
            Solve::new(&instance).registry(&registry).algorithm(name).seed(1).evaluations(20_000).run()?;
        println!("{name:>16}: {} ({} evaluations)", solution.makespan(), solution.evaluations());
    }
    // Settings of one's own are checked as all others.
    let wrong = Solve::new(&instance).registry(&registry).algorithm("random-swaps").set("swaps", 0).run();
    if let Err(error) = wrong {
        println!("{error}");
    }
    Ok(())
}
