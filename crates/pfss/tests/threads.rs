//! What holds on any number of threads, for the portfolio and for branch and bound.

use pfss::core::generate::taillard_benchmark;
use pfss::core::{Improvement, Instance, Limits, Observer, Run, Seed, SolveError, Solver, check};
use pfss::{Auto, AutoConfig, BranchAndBound, BranchAndBoundConfig};

#[test]
fn an_evaluation_budget_is_the_same_where_branch_and_bound_takes_part() {
    let instances = [
        taillard_benchmark(14).unwrap(),
        taillard_benchmark(51).unwrap(),
        Instance::new("", 20, (0..600u32).map(|i| i * 7919 % 100).collect()).unwrap(),
    ];
    for instance in &instances {
        let solve = |solver: &dyn Solver<Instance<u32>>, threads| {
            let limits = Limits { evaluations: Some(2_000_000), ..Limits::default() };
            let run = Run::new(Seed::new(1), limits).with_threads(threads);
            let outcome = solver.solve(instance, &run).unwrap();
            (outcome.order, outcome.cost, outcome.bound, outcome.evaluations, outcome.status)
        };
        let exact = BranchAndBound::new(BranchAndBoundConfig::default());
        let auto = Auto::new(AutoConfig::default());
        for solver in [&exact as &dyn Solver<_>, &auto] {
            let one = solve(solver, 1);
            assert_eq!(one, solve(solver, 2));
            assert_eq!(one, solve(solver, 4));
        }
    }
}

/// Fails when an order is found that no start reaches, on whatever thread.
struct Failing;

impl Observer<u32> for Failing {
    fn on_improvement(&self, improvement: &Improvement<'_, u32>) {
        assert!(improvement.cost > 6350, "a wheel came off");
    }
}

#[test]
fn a_panicking_worker_ends_the_run_and_nobody_hangs() {
    let instance = taillard_benchmark(81).unwrap();
    let exact = BranchAndBound::new(BranchAndBoundConfig::default());
    let auto = Auto::new(AutoConfig::default());
    for solver in [&auto as &dyn Solver<Instance<u32>>, &exact] {
        for threads in [1, 4] {
            // No limit at all: only the failure ends it.
            let run = Run::new(Seed::new(1), Limits::default()).with_threads(threads).with_observer(&Failing);
            let error = solver.solve(&instance, &run).unwrap_err();
            assert!(matches!(error, SolveError::Failed { .. }), "{error}");
            let best = run.answer().unwrap();
            assert_eq!(check(&instance, &best.order, Some(best.cost)), Ok(best.cost));
        }
    }
}
