//! The mixed-integer models against every order, and against the limits of a run.
#![cfg(feature = "mip")]
#![allow(clippy::unwrap_used)]

use std::sync::Mutex;
use std::time::{Duration, Instant};

use pfss_core::generate::taillard;
use pfss_core::{
    CancelFlag, Improvement, Instance, JobId, Limits, Observer, Outcome, Permutation, Run, Seed, SolveError,
    Solver, Status, StopReason, Time, check, makespan,
};
use pfss_exact::mip::Model;
use pfss_exact::{Mip, MipConfig};
use proptest::prelude::*;

fn mip(model: Model) -> Mip {
    Mip::new(MipConfig { model })
}

fn unlimited<T: Time>() -> Run<'static, T> {
    Run::new(Seed::new(1), Limits::default())
}

fn solve<T: Time>(model: Model, instance: &Instance<T>, run: &Run<'_, T>) -> Outcome<T> {
    let outcome = mip(model).solve(instance, run).unwrap();
    assert_eq!(check(instance, &outcome.order, Some(outcome.cost)), Ok(outcome.cost));
    assert!(outcome.bound <= outcome.cost);
    outcome
}

/// The least makespan over all orders.
fn least<T: Time>(instance: &Instance<T>) -> T {
    fn extend<T: Time>(instance: &Instance<T>, order: &mut Vec<JobId>, from: usize, best: &mut T) {
        if from == order.len() {
            *best = best.minimum(makespan(instance, order));
        }
        for next in from..order.len() {
            order.swap(from, next);
            extend(instance, order, from + 1, best);
            order.swap(from, next);
        }
    }
    let mut best = T::MAX;
    extend(instance, &mut (0..instance.num_jobs() as JobId).collect(), 0, &mut best);
    best
}

fn assert_optimal<T: Time>(instance: &Instance<T>) {
    let best = least(instance);
    for &model in Model::ALL {
        let outcome = solve(model, instance, &unlimited());
        let cost = outcome.cost;
        assert!(cost.agrees(best), "{model:?} gave {cost}, but {best} is possible: {instance:?}");
        assert!(outcome.bound <= best.with_tolerance(), "{model:?} claims {} above {best}", outcome.bound);
        assert_eq!(outcome.status, Status::Optimal, "{model:?}: {outcome:?} of {instance:?}");
    }
}

/// Up to six jobs on up to four machines, times drawn from `time`.
fn instances<T: Time>(time: impl Strategy<Value = T>) -> impl Strategy<Value = Instance<T>> {
    let times = proptest::collection::vec(time, 24);
    (1usize..=6, 1usize..=4, times).prop_map(|(n, m, times)| {
        let times = times.into_iter().take(n * m).collect();
        Instance::new("", m, times).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn integers_are_solved(instance in instances(1u32..100)) {
        assert_optimal(&instance);
    }

    #[test]
    fn reals_are_solved(instance in instances(0.0..10.0f64)) {
        assert_optimal(&instance);
    }

    #[test]
    fn many_zeros_leave_no_cycle(instance in instances(prop_oneof![3 => Just(0u32), 2 => 1u32..20])) {
        assert_optimal(&instance);
    }

    #[test]
    fn reals_of_any_magnitude_are_solved(instance in instances(0.0..10.0f64), exponent in -200i32..200) {
        let times = instance.times().iter().map(|time| time * 10f64.powi(exponent)).collect();
        assert_optimal(&Instance::new("", instance.num_machines(), times).unwrap());
    }

    #[test]
    fn a_start_is_never_worsened(instance in instances(1u32..100), shift in 0u32..6) {
        let n = instance.num_jobs() as JobId;
        let start = Permutation::new((0..n).map(|job| (job + shift) % n).collect(), n as usize).unwrap();
        for &model in Model::ALL {
            let limits = Limits { evaluations: Some(3), ..Limits::default() };
            let run = Run::new(Seed::new(1), limits).with_start(start.clone());
            prop_assert!(solve(model, &instance, &run).cost <= makespan(&instance, &start));
        }
    }
}

/// Times so short that they vanish within HiGHS' tolerances, where the predecessor model admits cycles.
#[test]
fn tiny_jobs_give_no_false_proof() {
    let rows = [[1.0, 2.0], [1e-11, 2e-11], [3e-11, 1e-11], [2.0, 1.0], [1e-14, 0.0], [0.0, 1e-14]];
    let instance = Instance::from_job_rows("", &rows).unwrap();
    for &model in Model::ALL {
        let outcome = solve(model, &instance, &unlimited());
        assert!(outcome.bound <= least(&instance).with_tolerance());
    }
}

/// HiGHS reports no dual bound where presolve shows that nothing beats the start.
#[test]
fn an_optimal_start_is_proven() {
    assert_optimal(&Instance::new("", 4, vec![18u32, 78, 42, 78, 62, 34, 1, 63]).unwrap());
}

#[test]
fn large_integers_are_scaled() {
    let rows =
        [[90_000_001u32, 5_000_000, 70_000_007], [20_000_000, 80_000_003, 1], [60_000_000, 2, 90_000_000]];
    let instance = Instance::from_job_rows("", &rows).unwrap();
    for &model in Model::ALL {
        let outcome = solve(model, &instance, &unlimited());
        assert_eq!(outcome.cost, least(&instance));
    }
}

#[test]
fn eight_jobs_on_five_machines() {
    let instance = taillard(8, 5, 873_654_221).unwrap();
    let outcome = solve(Model::Positional, &instance, &unlimited());
    assert_eq!((outcome.cost, outcome.status), (least(&instance), Status::Optimal));
}

fn fifteen_by_ten() -> Instance<u32> {
    taillard(15, 10, 379_008_056).unwrap()
}

#[test]
fn a_cancelled_run_returns_its_start() {
    let instance = fifteen_by_ten();
    let flag = CancelFlag::new();
    flag.cancel();
    let start = Permutation::new((0..15).rev().collect(), 15).unwrap();
    for &model in Model::ALL {
        let run = unlimited().with_cancel(flag.clone()).with_start(start.clone());
        let outcome = solve(model, &instance, &run);
        assert_eq!(outcome.order, start);
        assert_eq!(outcome.status, Status::Feasible(StopReason::Cancelled));
        assert!(outcome.runtime < Duration::from_secs(1));
    }
}

#[test]
fn a_raised_flag_stops_the_search() {
    let instance = fifteen_by_ten();
    for &model in Model::ALL {
        let flag = CancelFlag::new();
        let run = unlimited().with_cancel(flag.clone());
        let outcome = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(300));
                flag.cancel();
            });
            solve(model, &instance, &run)
        });
        assert_eq!(outcome.status, Status::Feasible(StopReason::Cancelled));
        assert!(outcome.runtime < Duration::from_secs(3), "{model:?}: {:?}", outcome.runtime);
    }
}

#[test]
fn a_time_limit_is_kept() {
    let instance = fifteen_by_ten();
    for &model in Model::ALL {
        let limits = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
        let clock = Instant::now();
        let outcome = solve(model, &instance, &Run::new(Seed::new(1), limits));
        assert!(clock.elapsed() < Duration::from_secs(5), "{model:?}: {:?}", clock.elapsed());
        assert_eq!(outcome.status, Status::Feasible(StopReason::TimeLimit));
        assert!(outcome.bound > 0);
    }
}

#[test]
fn a_target_and_a_number_of_nodes_stop_the_search() {
    let instance = fifteen_by_ten();
    let identity = makespan(&instance, &Permutation::identity(15));
    let target = Limits { target: Some(identity - 1), ..Limits::default() };
    let outcome = solve(Model::Positional, &instance, &Run::new(Seed::new(1), target));
    assert_eq!(outcome.status, Status::Feasible(StopReason::Target));
    let nodes = Limits { evaluations: Some(20), ..Limits::default() };
    let outcome = solve(Model::Positional, &instance, &Run::new(Seed::new(1), nodes));
    assert_eq!(outcome.status, Status::Feasible(StopReason::EvaluationLimit));
}

#[test]
fn one_process_may_use_different_numbers_of_threads() {
    let instance = taillard(6, 3, 5).unwrap();
    let costs = [1, 2, 1, 3].map(|threads| {
        let outcome = solve(Model::Positional, &instance, &unlimited().with_threads(threads));
        assert_eq!(outcome.status, Status::Optimal);
        outcome.cost
    });
    assert_eq!(costs, [least(&instance); 4]);
}

#[test]
fn too_large_a_model_is_refused() {
    let instance = taillard(200, 20, 1).unwrap();
    for &model in Model::ALL {
        let error = mip(model).solve(&instance, &unlimited()).err().unwrap();
        assert!(matches!(error, SolveError::Unsupported { .. }));
        assert!(error.to_string().contains("branch-and-bound"), "{error}");
    }
}

struct Costs(Mutex<Vec<u32>>);

impl Observer<u32> for Costs {
    fn on_improvement(&self, improvement: &Improvement<'_, u32>) {
        self.0.lock().unwrap().push(improvement.cost);
    }
}

#[test]
fn improvements_are_reported_as_they_are_found() {
    let instance = taillard(7, 4, 99).unwrap();
    let observer = Costs(Mutex::new(Vec::new()));
    let run = unlimited().with_observer(&observer);
    let outcome = solve(Model::Predecessor, &instance, &run);
    let costs = observer.0.into_inner().unwrap();
    assert!(costs.len() > 1, "the identity is not optimal here");
    assert!(costs.windows(2).all(|pair| pair[1] < pair[0]), "{costs:?}");
    assert_eq!(costs.last(), Some(&outcome.cost));
}

struct Panics;

impl Observer<u32> for Panics {
    fn on_improvement(&self, improvement: &Improvement<'_, u32>) {
        assert!(improvement.evaluations < 2, "an observer that panics");
    }
}

#[test]
fn a_panic_of_an_observer_comes_back_to_the_caller() {
    let instance = taillard(8, 5, 99).unwrap();
    let result = std::panic::catch_unwind(|| {
        let run = unlimited().with_observer(&Panics);
        mip(Model::Positional).solve(&instance, &run).map(|outcome| outcome.cost)
    });
    assert!(result.is_err());
}
