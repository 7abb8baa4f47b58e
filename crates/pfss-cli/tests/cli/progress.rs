//! `--progress` and `--trace`: what a run tells while it goes on.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::harness::{Folder, NAMED};

/// The lines that are JSON objects.
fn objects(text: &str) -> Vec<Value> {
    text.lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn programs_read_progress_as_json_lines() {
    let folder = Folder::new();
    let done = folder.run("solve ta011 ta001 -q -t 0.5 -s 1 --json --progress json");
    let records = objects(&done.out);
    let lines = objects(&done.err);
    assert_eq!(lines.len(), done.err.lines().count(), "{}", done.err);
    for record in records {
        let of_run: Vec<&Value> =
            lines.iter().filter(|line| line["instance"] == record["instance"]).collect();
        let (last, others) = of_run.split_last().unwrap();
        assert!(last["done"] == true && others.iter().all(|line| line["done"] == false), "{}", done.err);
        let known = |line: &Value| [&line["value"], &line["bound"], &line["evaluations"]].map(Value::clone);
        assert_eq!(
            known(last),
            [&record["makespan"], &record["bound"], &record["evaluations"]].map(Value::clone)
        );
        // Both are rounded, to different digits.
        let apart = last["time_s"].as_f64().unwrap() - record["runtime_s"].as_f64().unwrap();
        assert!(apart.abs() < 2e-5, "{}", done.err);
        // The first at once, then ten a second at most, and the end.
        assert!((1..=8).contains(&others.len()), "{}", done.err);
    }
}

#[test]
fn progress_is_silent_where_nobody_asks() {
    let folder = Folder::with(&[("named.csv", NAMED)]);
    for how in ["bar", "none"] {
        assert_eq!(folder.run(&format!("solve named.csv -a neh --progress {how}")).err, "");
    }
    assert_eq!(folder.run("solve named.csv --progress yaml").code, Some(2));
}

#[cfg(feature = "tsp")]
#[test]
fn tours_and_benches_write_progress_too() {
    let folder = Folder::with(&[("named.csv", NAMED)]);
    folder.run("generate tsp -n 6 -s 1 -o cities.json").ok();
    let done = folder.run("solve --problem tsp cities.json -s 1 --progress json --json");
    let (record, lines) = (&objects(&done.out)[0], objects(&done.err));
    assert_eq!(
        (&lines.last().unwrap()["value"], &lines.last().unwrap()["done"]),
        (&record["length"], &true.into())
    );
    let done = folder.run("-q bench named.csv ta001 -a neh,palmer --evaluations 100 -j 1 --progress json");
    let lines = objects(&done.err);
    assert_eq!(lines.len(), 4, "{}", done.err);
    assert_eq!((&lines[3]["runs_done"], &lines[3]["runs"]), (&4.into(), &4.into()));
    assert!(lines.iter().any(|line| line["instance"] == "named" && line["value"] == 11.0), "{}", done.err);
}

#[test]
fn a_killed_run_leaves_its_trace() {
    let folder = Folder::new();
    let arguments = "solve ta051 -a iterated-greedy -t 60 -s 1 -q --trace t.csv";
    let mut child = folder.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let clock = Instant::now();
    let rows = || std::fs::read_to_string(folder.path("t.csv")).unwrap_or_default();
    while rows().lines().count() < 4 {
        assert!(clock.elapsed() < Duration::from_secs(20), "{}", rows());
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let rows = rows();
    assert!(rows.starts_with("time_s,evaluations,makespan,bound\n") && rows.ends_with('\n'), "{rows}");
    assert!(rows.lines().all(|row| row.split(',').count() == 4), "{rows}");
}

#[test]
fn a_trace_has_each_better_bound_and_the_end() {
    let folder = Folder::new();
    let record = folder.run("solve ta011 -a branch-and-bound -t 1 -s 1 -j 1 --json --trace t.csv").json();
    let text = folder.read("t.csv");
    let rows: Vec<Vec<f64>> =
        text.lines().skip(1).map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    for pair in rows.windows(2) {
        assert!(pair[1][0] >= pair[0][0] && pair[1][2] <= pair[0][2] && pair[1][3] >= pair[0][3], "{text}");
    }
    let raised = rows.windows(2).any(|pair| pair[1][2] == pair[0][2] && pair[1][3] > pair[0][3]);
    assert!(raised, "{text}");
    let last = rows.last().unwrap();
    let number = |key: &str| record[key].as_f64().unwrap();
    assert_eq!(&last[1..], [number("evaluations"), number("makespan"), number("bound")]);
    assert!((last[0] - number("runtime_s")).abs() < 1e-4, "{text}");
}

#[test]
fn a_trace_of_before_outlives_a_run_that_cannot_start() {
    let folder = Folder::with(&[("t.csv", "mine")]);
    for wrong in ["no.csv", "ta001 -a neh --set tie=no", "ta001 -a policy --model nowhere"] {
        folder.run(&format!("solve {wrong} --trace t.csv")).fails();
        assert_eq!(folder.read("t.csv"), "mine", "{wrong}");
    }
}
