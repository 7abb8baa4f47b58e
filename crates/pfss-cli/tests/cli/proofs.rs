//! What is said of proofs where jobs carry more than times.

use std::process::Stdio;

use serde_json::Value;

use crate::harness::Folder;

/// A named instance as CSV, every job due at `due`.
fn with_due(folder: &Folder, name: &str, due: u32) -> String {
    let table = folder.run(&format!("convert {name} --to csv")).ok();
    let row = |(index, line): (usize, &str)| match index {
        0 => format!("{line},due\n"),
        _ => format!("{line},{due}\n"),
    };
    table.lines().enumerate().map(row).collect()
}

/// F2: nobody is late from the first order on, so the bound on the first objective is met at once. The second one is open.
#[test]
fn a_gap_of_zero_in_the_first_objective_is_no_proof() {
    let folder = Folder::new();
    std::fs::write(folder.path("due.csv"), with_due(&folder, "ta051", 9000)).unwrap();
    let arguments = "solve due.csv --objective total-tardiness,makespan -a iterated-greedy -s 1 -j 1";
    let child = folder
        .command(&format!("{arguments} -t 1 -o best.json"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Every record that the file ever held.
    let mut told: Vec<Value> = Vec::new();
    while told.last().is_none_or(|record| record["stop_reason"] == "running") {
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
    let by = |instance: &str, rest: &str| folder.run(&format!("solve {instance} -s 1 --json {rest}")).json();
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
