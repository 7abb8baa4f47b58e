//! What is said of proofs where jobs carry more than times.

use std::process::Stdio;

use serde_json::Value;

use crate::harness::{Done, Folder};

/// A named instance as CSV, every job due at `due`.
fn with_due(folder: &Folder, name: &str, due: u32) -> String {
    let table = folder.run(&format!("convert {name} --to csv")).ok();
    let num_machines = table.lines().next().unwrap().split(',').count();
    let heading: String = (1..=num_machines).map(|machine| format!("M{machine},")).collect();
    let rows: String = table.lines().map(|line| format!("{line},{due}\n")).collect();
    format!("{heading}due\n{rows}")
}

/// The record that a command printed; a word on standard error is allowed.
fn record(done: &Done) -> Value {
    assert_eq!(done.code, Some(0), "{}", done.err);
    serde_json::from_str(&done.out).unwrap()
}

/// F2: nobody is late from the first order on, so the bound on the first objective is met at once. The second one is open.
#[test]
fn a_gap_of_zero_in_the_first_objective_is_no_proof() {
    let folder = Folder::new();
    std::fs::write(folder.path("due.csv"), with_due(&folder, "ta051", 9000)).unwrap();
    let arguments = "solve due.csv --objective total-tardiness,makespan -a iterated-greedy -s 1 -j 1";
    let mut child = folder
        .command(&format!("{arguments} -t 1 -o best.json"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Every record that the file ever held.
    let mut told: Vec<Value> = Vec::new();
    let mut has_ended = false;
    while !has_ended {
        has_ended = child.try_wait().unwrap().is_some();
        let Ok(text) = std::fs::read_to_string(folder.path("best.json")) else { continue };
        let record: Value = serde_json::from_str(&text).unwrap();
        if told.last() != Some(&record) {
            told.push(record);
        }
    }
    let output = child.wait_with_output().unwrap();
    assert!(told.len() > 1, "{told:?}");
    for record in &told {
        assert_eq!((&record["value"], &record["gap"]), (&0.into(), &0.0.into()), "{record}");
        assert_eq!(record["status"], "feasible", "{record}");
    }
    assert_eq!(told.last().unwrap()["stop_reason"], "time-limit");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("no order is better in total-tardiness; one may still be in makespan"), "{text}");
}

/// F7: due dates change nothing where the makespan alone is minimised.
#[test]
fn due_dates_do_not_weaken_the_search_for_the_makespan() {
    let folder = Folder::new();
    std::fs::write(folder.path("due.csv"), with_due(&folder, "ta011", 1500)).unwrap();
    let by =
        |instance: &str, rest: &str| record(&folder.run(&format!("solve {instance} -s 1 --json {rest}")));
    for algorithm in ["auto", "iterated-greedy --set destruction-size=3", "cds"] {
        let rest = format!("-a {algorithm} --evaluations 20000");
        let (plain, due) = (by("ta011", &rest), by("due.csv", &rest));
        for member in ["order", "makespan", "bound", "gap", "status", "stop_reason", "evaluations", "config"]
        {
            assert_eq!(plain[member], due[member], "{member}, {algorithm}");
        }
        assert_eq!((&due["objective"], &due["value"]), (&"makespan".into(), &due["makespan"]));
    }
    let proven = by("due.csv", "-t 60 -o due.json --schedule plan.json");
    assert_eq!((&proven["status"], &proven["value"]), (&"optimal".into(), &1582.into()));
    assert!(proven["jobs"].as_array().unwrap().iter().any(|job| job["lateness"] == 82), "{proven}");
    assert!(folder.run("check due.csv due.json").ok().starts_with("ok: "));
}

/// F8: the proof of a plan goes on from its checkpoint.
#[test]
fn the_proof_of_a_plan_goes_on_from_its_checkpoint() {
    let folder = Folder::new();
    let draw = "generate uniform -n 13 -m 4 --due 0.4,0.6 -s 5";
    std::fs::write(folder.path("jobs.json"), folder.run(draw).ok()).unwrap();
    let solve = |rest: &str| {
        let arguments = "solve jobs.json --objective total-tardiness -a branch-and-bound -s 1 --json";
        folder.run(&format!("{arguments} {rest}"))
    };
    let whole = record(&solve(""));
    assert_eq!(whole["status"], "optimal");
    let nodes = whole["evaluations"].as_u64().unwrap();
    let part = format!("--checkpoint kept --evaluations {}", nodes / 3);
    let first = solve(&part);
    assert!(!first.err.contains("goes on"), "{}", first.err);
    let first = record(&first);
    assert_eq!((&first["status"], &first["stop_reason"]), (&"feasible".into(), &"evaluation-limit".into()));
    let mut best = first;
    for _ in 0..20 {
        if best["status"] == "optimal" {
            break;
        }
        let next = solve(&part);
        assert!(next.err.contains("goes on from"), "{}", next.err);
        let next = record(&next);
        assert!(next["bound"].as_f64() >= best["bound"].as_f64(), "{next}");
        assert!(next["value"].as_f64() <= best["value"].as_f64(), "{next}");
        best = next;
    }
    assert_eq!((&best["status"], &best["value"]), (&whole["status"], &whole["value"]));
    // Of a proof that is done nothing is searched again; and it is none of other due dates.
    assert!(solve(&part).err.contains("goes on from 0 open nodes"));
    let file = std::fs::read_dir(folder.path("kept")).unwrap().next().unwrap().unwrap().path();
    let other = folder.run(&draw.replace("-s 5", "-s 6")).ok();
    std::fs::write(folder.path("jobs.json"), other).unwrap();
    assert!(!solve(&part).err.contains("goes on"));
    assert!(file.exists());
}
