//! What every heuristic promises: a permutation with its true makespan, between the bound and the start.

use pfss_core::{Config, Instance, JobId, Limits, Outcome, Permutation, Run, Seed, Solver, Time, makespan};
use pfss_heuristics::{
    Cds, CdsConfig, IteratedLocalSearch, IteratedLocalSearchConfig, JobOrder, Neh, NehConfig, Palmer,
    PalmerConfig, PaperIteratedGreedy, PaperIteratedGreedyConfig, PaperNeh, PaperNehConfig, RandomSearch,
    RandomSearchConfig, TieRule,
};
use proptest::prelude::*;

/// Every algorithm, and `neh` in every variant.
fn solvers<T: Time>() -> Vec<Box<dyn Solver<Instance<T>>>> {
    let mut solvers: Vec<Box<dyn Solver<Instance<T>>>> = vec![
        Box::new(Palmer::new(PalmerConfig::default())),
        Box::new(Cds::new(CdsConfig::default())),
        Box::new(PaperNeh::new(PaperNehConfig::default())),
        Box::new(RandomSearch::new(RandomSearchConfig::default())),
        Box::new(IteratedLocalSearch::new(IteratedLocalSearchConfig::default())),
        Box::new(PaperIteratedGreedy::new(PaperIteratedGreedyConfig::default())),
    ];
    for &order in JobOrder::ALL {
        for &tie in TieRule::ALL {
            for local_search in [false, true] {
                let config = NehConfig { order, tie, local_search };
                assert!(config.validate().is_ok());
                solvers.push(Box::new(Neh::new(config)));
            }
        }
    }
    solvers
}

fn optimum<T: Time>(instance: &Instance<T>) -> T {
    fn extend<T: Time>(instance: &Instance<T>, order: &mut Vec<JobId>, fixed: usize, best: &mut T) {
        if fixed == order.len() {
            *best = best.minimum(makespan(instance, order));
        }
        for next in fixed..order.len() {
            order.swap(fixed, next);
            extend(instance, order, fixed + 1, best);
            order.swap(fixed, next);
        }
    }
    let mut order: Vec<JobId> = (0..instance.num_jobs() as JobId).collect();
    let mut best = T::MAX;
    extend(instance, &mut order, 0, &mut best);
    best
}

fn matrix<S: Strategy + Clone>(time: S, jobs: usize) -> impl Strategy<Value = (usize, Vec<S::Value>)>
where
    S::Value: Clone,
{
    (1..=jobs, 1usize..=6).prop_flat_map(move |(n, m)| (Just(m), prop::collection::vec(time.clone(), n * m)))
}

fn check<T: Time>(instance: &Instance<T>, name: &str, outcome: &Outcome<T>) {
    let order = Permutation::new(outcome.order.as_slice().to_vec(), instance.num_jobs());
    assert!(order.is_ok(), "{name}: {order:?}");
    assert_eq!(outcome.cost, makespan(instance, &outcome.order), "{name}");
    assert!(outcome.bound <= outcome.cost, "{name}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn answers_lie_between_bound_and_start(
        (m, times) in matrix(0u32..30, 6), seed in any::<u64>(),
    ) {
        let instance = Instance::new("", m, times).unwrap();
        let best = optimum(&instance);
        prop_assert_eq!(best, optimum(&instance.reversed()));
        let start = Permutation::identity(instance.num_jobs());
        for solver in solvers() {
            let run = Run::new(Seed::new(seed), Limits::default()).with_start(start.clone());
            let outcome = solver.solve(&instance, &run).unwrap();
            check(&instance, solver.name(), &outcome);
            prop_assert!(outcome.bound <= best && best <= outcome.cost, "{}", solver.name());
            prop_assert!(outcome.cost <= makespan(&instance, &start), "{}", solver.name());
        }
    }

    #[test]
    fn real_answers_are_checked_makespans((m, times) in matrix(0.0f64..3.0, 12), seed in any::<u64>()) {
        let instance = Instance::new("", m, times).unwrap();
        for solver in solvers() {
            let outcome = solver.solve(&instance, &Run::new(Seed::new(seed), Limits::default())).unwrap();
            check(&instance, solver.name(), &outcome);
        }
    }

    #[test]
    fn a_budget_and_a_seed_fix_the_answer(
        (m, times) in matrix(1u32..100, 15), seed in any::<u64>(), budget in 0u64..400,
    ) {
        let instance = Instance::new("", m, times).unwrap();
        let limits = Limits { evaluations: Some(budget), ..Limits::default() };
        for solver in solvers() {
            let solve = || solver.solve(&instance, &Run::new(Seed::new(seed), limits)).unwrap();
            let (one, two) = (solve(), solve());
            check(&instance, solver.name(), &one);
            prop_assert_eq!(one.order, two.order, "{}", solver.name());
            prop_assert_eq!(one.evaluations, two.evaluations);
            prop_assert!(one.evaluations <= budget + 2 * instance.num_jobs() as u64 + 1);
        }
    }
}

#[test]
fn a_cancelled_run_answers_at_once() {
    let instance = pfss_core::generate::taillard_benchmark(91).unwrap();
    for solver in solvers() {
        let run = Run::new(Seed::new(1), Limits::default());
        run.cancel_flag().cancel();
        let outcome = solver.solve(&instance, &run).unwrap();
        check(&instance, solver.name(), &outcome);
        assert!(outcome.evaluations <= 2, "{}", solver.name());
    }
}
