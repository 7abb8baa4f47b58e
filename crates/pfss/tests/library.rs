//! The front door: instances in, solutions out, and errors that can be told apart.

// Functions that only tests call may panic.
#![allow(clippy::unwrap_used)]

use std::sync::Mutex;
use std::time::{Duration, Instant};

use pfss::core::generate::taillard_benchmark;
use pfss::core::{Permutation, Status, StopReason};
use pfss::{
    BuildError, CancelFlag, Error, Instance, ResultRecord, Settings, Solution, Solve, TimeValue, solve,
};

fn workshop() -> Instance<u32> {
    let rows = [[25u32, 40, 10], [55, 15, 20], [10, 60, 35], [40, 20, 50]];
    Instance::from_job_rows("workshop", &rows).unwrap()
}

#[test]
fn integers_and_reals_give_the_same_order() {
    let integers = workshop();
    let reals: Vec<Vec<f64>> =
        (0..4).map(|job| integers.job(job).iter().map(|&time| f64::from(time) / 4.0).collect()).collect();
    let reals = Instance::from_job_rows("workshop", &reals).unwrap();
    let one = solve(&integers, Duration::from_secs(10)).unwrap();
    let other = solve(&reals, Duration::from_secs(10)).unwrap();
    assert!(one.is_optimal() && other.is_optimal());
    assert_eq!(one.makespan().to_f64() / 4.0, other.makespan().to_f64());
    assert!(
        matches!(one.makespan(), TimeValue::Integer(_)) && matches!(other.makespan(), TimeValue::Real(_))
    );
    let any = pfss::AnyInstance::from(integers.clone());
    assert_eq!(solve(&any, Duration::from_secs(10)).unwrap().order(), one.order());
}

#[test]
fn a_solution_is_what_the_schedule_says() {
    let instance = workshop();
    let solution = Solve::new(&instance).algorithm("neh").run().unwrap();
    let operations = solution.operations().unwrap();
    assert_eq!(operations.len(), 12);
    let end = operations.iter().map(|operation| operation.end.to_f64()).fold(0.0, f64::max);
    assert_eq!(solution.makespan(), end);
    assert!(solution.bound().to_f64() <= end);
    assert!(solution.gantt_svg().unwrap().contains("workshop"));
    assert!(solution.gantt_html().unwrap().contains("<html"));
    let record: ResultRecord = serde_json::from_str(&solution.to_json()).unwrap();
    assert_eq!((&record, &record.algorithm[..], record.seed), (solution.record(), "neh", 1));
    assert_eq!(record.instance_hash.as_ref().map(String::len), Some(64));
    assert_eq!(record.config["tie"], "ff");
}

fn orders(solution: &Solution<'_>) -> (Vec<u32>, u64) {
    (solution.order().to_vec(), solution.evaluations())
}

#[test]
fn limits_seeds_and_settings_reach_the_algorithm() {
    let instance = taillard_benchmark(51).unwrap();
    let with = |seed: u64, threads: usize| {
        let solve = Solve::new(&instance).seed(seed).threads(threads).evaluations(300_000);
        orders(&solve.run().unwrap())
    };
    assert_eq!(with(1, 1), with(1, 2));
    assert_ne!(with(1, 1), with(2, 1));
    let beam = |settings: Settings| {
        let solve = Solve::new(&instance).algorithm("beam").settings(settings).evaluations(300_000);
        orders(&solve.run().unwrap())
    };
    assert_ne!(beam(Settings::new()), beam(Settings::from([("guide", "bound")])));
    let clock = Instant::now();
    let timed = Solve::new(&instance).time_limit(Duration::from_millis(50)).memory(64 << 20).run().unwrap();
    assert_eq!(timed.status(), Status::Feasible(StopReason::TimeLimit));
    assert!(clock.elapsed() < Duration::from_secs(10));
    let reached = Solve::new(&instance).target(4200.0).run().unwrap();
    assert_eq!(reached.status(), Status::Feasible(StopReason::Target));
    let stalled = Solve::new(&instance).algorithm("iterated-greedy").stall(10_000).run().unwrap();
    assert_eq!(stalled.status(), Status::Feasible(StopReason::Stalled));
}

#[test]
fn improvements_are_told_and_a_flag_ends_the_search() {
    let instance = taillard_benchmark(51).unwrap();
    let (flag, told) = (CancelFlag::new(), Mutex::new(Vec::new()));
    let solution = Solve::new(&instance)
        .cancel(flag.clone())
        .on_improvement(|new| {
            let mut told = told.lock().unwrap();
            told.push(new.cost.to_f64());
            if told.len() == 3 {
                flag.cancel();
            }
        })
        .run()
        .unwrap();
    assert_eq!(solution.status(), Status::Feasible(StopReason::Cancelled));
    let told = told.lock().unwrap();
    assert!(told.len() >= 3 && told.is_sorted_by(|one, next| one > next), "{told:?}");
    assert_eq!(told.last().copied(), Some(solution.makespan().to_f64()));
}

#[test]
fn a_start_is_never_worsened() {
    let instance = taillard_benchmark(1).unwrap();
    let best = Solve::new(&instance).time_limit(Duration::from_secs(60)).run().unwrap();
    assert_eq!((best.makespan(), best.is_optimal()), (TimeValue::Integer(1278), true));
    let again = Solve::new(&instance).algorithm("palmer").start(best.order()).run().unwrap();
    assert_eq!(again.makespan(), 1278);
}

#[test]
fn errors_are_told_apart() {
    let instance = workshop();
    let error = |solve: Solve<'_>| solve.run().err().unwrap();
    let unknown = error(Solve::new(&instance).algorithm("nhe"));
    assert!(matches!(unknown, Error::Build(BuildError::UnknownAlgorithm { .. })), "{unknown}");
    let range = error(Solve::new(&instance).algorithm("beam").set("max-width", 0));
    assert!(matches!(range, Error::Build(BuildError::Range { .. })), "{range}");
    let stray = error(Solve::new(&instance).algorithm("beam").set("model", "front"));
    assert!(matches!(stray, Error::Build(BuildError::Unused { .. })), "{stray}");
    let start = error(Solve::new(&instance).start(Permutation::identity(3).into_vec()));
    assert!(matches!(start, Error::Start(_)), "{start}");
    let large = taillard_benchmark(31).unwrap();
    let unsupported = error(Solve::new(&large).algorithm("brute-force"));
    assert!(matches!(unsupported, Error::Solve(_)), "{unsupported}");
    assert!(matches!(pfss::read("no/such/file.csv"), Err(Error::Read(_))));
}
