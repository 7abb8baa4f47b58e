//! Beam search against brute force, its own mirror image and its other code paths.

use std::time::{Duration, Instant};

use pfss_core::simd::Instructions;
use pfss_core::tree::ElementKind;
use pfss_core::{
    Instance, JobId, Limits, Outcome, Permutation, Run, Seed, Status, Time, generate, makespan, open,
};
use proptest::prelude::*;

use super::*;
use crate::slope_order;

mod leaves;
mod threads;
mod within;

fn free_run<'a, T: Time>() -> Run<'a, T> {
    Run::new(Seed::new(1), Limits::default())
}

fn settings(width: usize, guide: HandMade, prune_at: u32) -> PassSettings<u32> {
    PassSettings { guide, prune_at, upper: prune_at, ..PassSettings::new(width) }
}

/// What the solver does: an order at once, then pass after pass.
fn search<T: Time>(mut search: BeamSearch<'_, T>, run: &Run<'_, T>) -> Outcome<T> {
    let instance = search.instance();
    open("beam", instance, run).unwrap();
    if run.start().is_none() {
        let order = slope_order(instance);
        run.offer(&order, makespan(instance, &order));
    }
    Schedule::new(Plan::new(&search, run.memory()), &search).search(&mut search, run);
    run.outcome().unwrap()
}

fn solve<T: Time>(instance: &Instance<T>, run: &Run<'_, T>) -> Outcome<T> {
    search(BeamSearch::new(instance), run)
}

/// A guide with opinions, not all of them numbers.
struct Odd;

impl Guide for Odd {
    fn look(&mut self, node: &OpenNode<'_>, likely: &mut Vec<[f32; 2]>) {
        likely.clear();
        likely.extend(node.jobs.iter().map(|&job| [-(job as f32), -0.3 * (job * job % 7) as f32]));
        if node.jobs.len() % 3 == 2 {
            likely.pop();
        }
        if node.front[0] > node.back[0] {
            likely.iter_mut().step_by(2).for_each(|likely| *likely = [f32::NAN; 2]);
        }
    }
}

fn brute_force(instance: &Instance<u32>) -> u32 {
    fn extend(instance: &Instance<u32>, order: &mut Vec<JobId>, best: &mut u32) {
        if order.len() == instance.num_jobs() {
            *best = (*best).min(makespan(instance, order));
        }
        for job in 0..instance.num_jobs() as JobId {
            if !order.contains(&job) {
                order.push(job);
                extend(instance, order, best);
                order.pop();
            }
        }
    }
    let mut best = u32::MAX;
    extend(instance, &mut Vec::new(), &mut best);
    best
}

fn small() -> impl Strategy<Value = Instance<u32>> {
    (1usize..=6, 1usize..=5)
        .prop_flat_map(|(n, m)| (prop::collection::vec(0u32..30, n * m), Just(m)))
        .prop_map(|(times, m)| Instance::new("", m, times).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_wide_pass_finds_and_proves_the_optimum(instance in small()) {
        let optimum = brute_force(&instance);
        for &guide in HandMade::ALL {
            let mut search = BeamSearch::new(&instance);
            let result = search.pass(&settings(1 << 20, guide, u32::MAX), &free_run());
            prop_assert!(result.completed && result.exhaustive);
            prop_assert_eq!(result.best.map(|(_, cost)| cost), Some(optimum));
            // Nothing is below the optimum, and the pass knows that it has seen everything.
            let result = search.pass(&settings(1 << 20, guide, optimum), &free_run());
            prop_assert!(result.exhaustive && result.best.is_none());
        }
        let mut guided = BeamSearch::new(&instance).guided_by(Box::new(Odd));
        let result = guided.pass(&settings(1 << 20, HandMade::Bound, u32::MAX), &free_run());
        prop_assert!(result.completed && result.exhaustive);
        prop_assert_eq!(result.best.map(|(_, cost)| cost), Some(optimum));
        let result = guided.pass(&settings(1 << 20, HandMade::Bound, optimum), &free_run());
        prop_assert!(result.exhaustive && result.best.is_none());
        let mirrored = instance.reversed();
        let result = BeamSearch::new(&mirrored).pass(&settings(1 << 20, HandMade::Walpha, u32::MAX), &free_run());
        prop_assert_eq!(result.best.map(|(_, cost)| cost), Some(optimum));
    }

    #[test]
    fn the_solver_proves_optimality(instance in small()) {
        let outcome = solve(&instance, &free_run());
        prop_assert_eq!(outcome.status, Status::Optimal);
        prop_assert_eq!((outcome.cost, outcome.bound), (brute_force(&instance), outcome.cost));
        let times = instance.times().iter().map(|&time| f64::from(time) / 3.0).collect();
        let real = Instance::new("", instance.num_machines(), times).unwrap();
        let outcome = solve(&real, &free_run());
        prop_assert_eq!(outcome.status, Status::Optimal);
        prop_assert!((outcome.cost * 3.0 - f64::from(brute_force(&instance))).abs() < 1e-6);
    }

    #[test]
    fn all_instructions_and_elements_give_the_same_order(
        times in prop::collection::vec(0u32..100, 45 * 4), width in 1usize..40, guide in 0usize..HandMade::ALL.len(),
    ) {
        let instance = Instance::new("", 4, times).unwrap();
        let guide = HandMade::ALL[guide];
        // A known upper bound, the same number for integers and reals: guides and machine weights depend on it.
        let settings = PassSettings { upper: 20_000, ..settings(width, guide, u32::MAX) };
        let reference = BeamSearch::with(&instance, Instructions::Portable, ElementKind::U32).pass(&settings, &free_run());
        let (order, cost) = reference.best.clone().unwrap();
        prop_assert_eq!(makespan(&instance, &order), cost);
        prop_assert!(Permutation::new(order.clone(), 45).is_ok());
        for instructions in Instructions::available() {
            for kind in [ElementKind::U16, ElementKind::U32, ElementKind::F64] {
                let result = BeamSearch::with(&instance, instructions, kind).pass(&settings, &free_run());
                prop_assert_eq!(&result.best, &reference.best);
                prop_assert_eq!(result.children, reference.children);
                let guided = |instructions, kind| {
                    BeamSearch::with(&instance, instructions, kind).guided_by(Box::new(Odd)).pass(&settings, &free_run())
                };
                let (one, other) = (guided(instructions, kind), guided(Instructions::Portable, ElementKind::U32));
                prop_assert_eq!((one.best, one.children), (other.best, other.children));
            }
        }
        let times = instance.times().iter().map(|&time| f64::from(time)).collect();
        let real = Instance::new("", 4, times).unwrap();
        let settings = PassSettings { guide, upper: 20_000.0, ..PassSettings::new(width) };
        let result = BeamSearch::new(&real).pass(&settings, &free_run());
        prop_assert_eq!(result.best, Some((order, f64::from(cost))));
    }
}

#[test]
fn an_evaluation_limit_makes_runs_repeatable() {
    let instance = generate::taillard_benchmark(41).unwrap();
    let solve_again = || {
        let limits = Limits { evaluations: Some(300_000), ..Limits::default() };
        solve(&instance, &Run::new(Seed::new(1), limits))
    };
    let (first, second) = (solve_again(), solve_again());
    assert_eq!((&first.order, first.evaluations), (&second.order, second.evaluations));
    assert!(first.evaluations < 400_000);
    assert_eq!(first.cost, makespan(&instance, &first.order));
    assert!(first.cost < 3100, "{}", first.cost);
}

#[test]
fn a_huge_instance_stops_in_time_with_an_order() {
    let instance = generate::taillard(20_000, 20, 7).unwrap();
    let limits = Limits { time: Some(Duration::from_millis(100)), ..Limits::default() };
    let run = Run::new(Seed::new(1), limits);
    let clock = Instant::now();
    let outcome = solve(&instance, &run);
    assert_eq!(outcome.cost, makespan(&instance, &outcome.order));
    assert!(clock.elapsed() < Duration::from_secs(5), "{:?}", clock.elapsed());
}

#[test]
fn with_a_guide_from_outside_limits_are_looked_at_after_every_node() {
    let instance = generate::taillard_benchmark(1).unwrap();
    let limits = Limits { evaluations: Some(20_000), ..Limits::default() };
    let guided = BeamSearch::new(&instance).guided_by(Box::new(Odd));
    let outcome = search(guided, &Run::new(Seed::new(1), limits));
    assert_eq!(outcome.cost, makespan(&instance, &outcome.order));
    assert!((20_000..20_100).contains(&outcome.evaluations), "{}", outcome.evaluations);
}

#[test]
fn a_start_is_never_worsened() {
    let instance = generate::taillard_benchmark(1).unwrap();
    let optimal = solve(&instance, &free_run());
    assert_eq!((optimal.cost, optimal.status), (1278, Status::Optimal));
    let limits = Limits { evaluations: Some(1), ..Limits::default() };
    let run = Run::new(Seed::new(1), limits).with_start(optimal.order);
    assert_eq!(solve(&instance, &run).cost, 1278);
}

#[test]
fn searches_can_move_between_threads() {
    fn is_send<T: Send>() {}
    is_send::<BeamSearch<'static, u32>>();
    is_send::<Schedule<f64>>();
}
