//! Signals and limits end all ranks, and the result is whole.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::harness::{command, ranks_of, records, run, send, text, wait_until};

/// What the file of the best order says; it is read while nobody writes.
fn written(folder: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join("best.json")).unwrap()).unwrap()
}

/// A signal to any rank ends all of them within a second.
#[test]
fn a_signal_to_a_rank_ends_all_within_a_second() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (victim, algorithm) in [(0, "auto"), (2, "branch-and-bound")] {
        let solve = format!("solve ta051 -a {algorithm} -t 60s -j 1 -s 1 --json -o best.json");
        let mpirun = command(folder, 3, &solve).spawn().unwrap();
        wait_until(20, || folder.join("best.json").exists());
        std::thread::sleep(Duration::from_millis(300));
        let ranks = ranks_of(&mpirun);
        assert_eq!(ranks.len(), 3);
        send("-TERM", ranks[victim].1);
        let clock = Instant::now();
        // Those that are waited for by mpirun have ended too.
        let is_over = || ranks_of(&mpirun).is_empty();
        wait_until(20, is_over);
        assert!(clock.elapsed() < Duration::from_secs(5), "rank {victim}: {:?}", clock.elapsed());
        let output = mpirun.wait_with_output().unwrap();
        assert_eq!(written(folder)["stop_reason"], "cancelled", "{}", text(&output));
        assert!(run(folder, 1, "check ta051 best.json").starts_with("ok: makespan "));
        std::fs::remove_file(folder.join("best.json")).unwrap();
    }
}

/// The same by `mpirun`, which passes a signal on after a second and kills after another one; with due dates, too.
#[test]
fn a_signal_to_mpirun_gives_the_best_of_all() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, 1, "generate uniform -n 60 -m 10 -s 3 --due 0.4,0.6 -o plan.json");
    for problem in ["ta051", "ta051 -a branch-and-bound", "plan.json --objective total-tardiness"] {
        let solve = format!("solve {problem} -t 60s -j 1 -s 1 --json -o best.json");
        let mpirun = command(folder, 3, &solve).spawn().unwrap();
        wait_until(20, || folder.join("best.json").exists());
        std::thread::sleep(Duration::from_millis(300));
        send("-TERM", mpirun.id());
        let clock = Instant::now();
        wait_until(20, || ranks_of(&mpirun).is_empty());
        assert!(clock.elapsed() < Duration::from_secs(6), "{problem}: {:?}", clock.elapsed());
        let output = mpirun.wait_with_output().unwrap();
        assert_eq!(written(folder)["stop_reason"], "cancelled", "{}", text(&output));
        let instance = problem.replace("-a branch-and-bound", "");
        assert!(run(folder, 1, &format!("check {instance} best.json")).starts_with("ok: "));
        std::fs::remove_file(folder.join("best.json")).unwrap();
    }
}

#[test]
fn a_limit_ends_all_ranks_of_a_planned_instance() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, 1, "generate uniform -n 60 -m 10 -s 3 --due 0.4,0.6 --setup 3,50 -o plan.json");
    let solve = "solve plan.json --objective total-tardiness -t 1s -j 1 -s 1 --json -o best.json";
    let told = &records(&run(folder, 3, solve))[0];
    assert_eq!((&told["status"], &told["stop_reason"]), (&"feasible".into(), &"time-limit".into()));
    assert!(told["runtime_s"].as_f64().unwrap() < 2.0, "{told}");
    assert_eq!(written(folder)["value"], told["value"]);
    let check = "check plan.json best.json --objective total-tardiness";
    assert!(run(folder, 1, check).starts_with("ok: "));
    // A target ends all as soon as one of them has reached it.
    let target = told["value"].as_f64().unwrap() * 1.05;
    let told = run(folder, 3, &format!("{solve} --target {target} -t 30s").replace("-t 1s ", ""));
    assert_eq!(records(&told)[0]["stop_reason"], "target");
}
