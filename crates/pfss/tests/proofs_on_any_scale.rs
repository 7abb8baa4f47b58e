//! `optimal` is a proof on any scale: integers up to the limit of their type, reals from 1e-30 to 1e300, every guide of the beam,
//! one thread and four, against all orders of small instances.

// Helpers outside of tests may fail loudly here.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::time::Duration;

use pfss::Settings;
use pfss::core::{Instance, JobId, Limits, Rng, Run, Seed, Solver, Status, Time, check, makespan};
use rand::RngExt;

/// The least makespan over all orders, by the plain recurrence: nothing of what is tested takes part.
fn least<T: Time>(instance: &Instance<T>) -> T {
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

/// Mostly few jobs: nine of them have 362,880 orders.
fn shape(rng: &mut Rng) -> (usize, usize) {
    let jobs = match rng.random_range(0..100) {
        0..35 => 4,
        35..65 => 5,
        65..85 => 6,
        85..95 => 7,
        95..99 => 8,
        _ => 9,
    };
    (jobs, rng.random_range(2..6))
}

/// Multiples of a power of ten and a little more, so that makespans differ by less than single precision can tell.
fn integers(rng: &mut Rng) -> Instance<u32> {
    let (jobs, machines) = shape(rng);
    let scale = 10u64.pow(rng.random_range(3..8));
    let most = u64::from(u32::MAX - 2) / (jobs + machines - 1) as u64;
    let times = (0..jobs * machines).map(|_| {
        let time = rng.random_range(0..30u64) * scale + rng.random_range(0..4u64);
        time.min(most) as u32
    });
    Instance::new("", machines, times.collect()).unwrap()
}

fn reals(rng: &mut Rng) -> Instance<f64> {
    let (jobs, machines) = shape(rng);
    let scale = 10f64.powi(rng.random_range(-30..301));
    let times = (0..jobs * machines).map(|_| {
        let digits =
            if rng.random_bool(0.5) { rng.random_range(0..30) as f64 } else { rng.random_range(0.0..30.0) };
        digits * scale
    });
    Instance::new("", machines, times.collect()).unwrap()
}

/// What was claimed and proven.
#[derive(Default)]
struct Tally {
    solved: usize,
    proven: usize,
}

fn examine<T: Time>(instance: &Instance<T>, solver: &dyn Solver<Instance<T>>, what: &str, tally: &mut Tally) {
    let optimum = least(instance);
    for threads in [1, 4] {
        let limits = Limits { time: Some(Duration::from_secs(2)), ..Limits::default() };
        let run = Run::new(Seed::new(1), limits).with_threads(threads).with_memory(1 << 24);
        let outcome = solver.solve(instance, &run).unwrap();
        assert!(check(instance, &outcome.order, Some(outcome.cost)).is_ok());
        let told =
            || format!("{what}, {threads} threads: {outcome:?}, optimum {optimum}, {:?}", instance.times());
        assert!(outcome.bound.meets(optimum) || outcome.bound <= optimum, "{}", told());
        tally.solved += 1;
        if outcome.status == Status::Optimal {
            tally.proven += 1;
            assert!(outcome.cost.meets(optimum), "{}", told());
        }
    }
}

fn examine_all(count: u64, seed: u64) {
    let mut solvers: Vec<(String, &str, Settings)> = ["bound", "idle", "alpha", "walpha", "gap", "policy"]
        .map(|guide| {
            // A last width at which even a beam of nine jobs drops nothing.
            let settings = Settings::from([("guide", guide)]).with("max-width", 1 << 14);
            (format!("beam by {guide}"), "beam", settings)
        })
        .into();
    for name in ["branch-and-bound", "auto"] {
        solvers.push((name.to_string(), name, Settings::new()));
    }
    for (what, name, settings) in &solvers {
        let algorithm = pfss::algorithm(name).unwrap();
        let (integer, real) = (algorithm.integer(settings).unwrap(), algorithm.real(settings).unwrap());
        let mut tallies = [Tally::default(), Tally::default()];
        // A policy is slow; every solver has instances of its own.
        let count = if what.contains("policy") { count / 8 } else { count };
        for index in 0..count {
            let mut rng = Seed::new(seed).child(what).nth(index).rng();
            examine(&integers(&mut rng), &*integer, what, &mut tallies[0]);
            examine(&reals(&mut rng), &*real, what, &mut tallies[1]);
        }
        for (kind, tally) in ["integers", "reals"].iter().zip(&tallies) {
            // Without proofs nothing would be tested.
            let enough = 9 * tally.solved / 10;
            assert!(tally.proven >= enough, "{what}, {kind}: {} of {}", tally.proven, tally.solved);
        }
    }
}

#[test]
fn optimal_is_a_proof_on_any_scale() {
    examine_all(40, 1);
}

/// More than 10,000 instances: `cargo test -p pfss --test proofs_on_any_scale -- --ignored`
#[test]
#[ignore = "18 times the test above; run it after changes of bounds, guides or the tree"]
fn optimal_is_a_proof_on_any_scale_at_full_size() {
    examine_all(720, 2);
}
