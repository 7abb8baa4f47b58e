//! Farms: rows, labels and means are those of one process.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::harness::{records, run};

/// All rows of a file but their times; rows come as they are done.
fn rows(folder: &Path, name: &str) -> BTreeSet<Vec<String>> {
    let mut reader = csv::Reader::from_path(folder.join(name)).unwrap();
    let time = reader.headers().unwrap().iter().position(|column| column == "runtime_s").unwrap();
    let row = |record: csv::StringRecord| {
        record.iter().enumerate().filter(|cell| cell.0 != time).map(|cell| cell.1.to_string()).collect()
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

/// A model of the project.
fn model(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    root.canonicalize().unwrap().join(name).display().to_string()
}

#[test]
fn a_bench_has_the_rows_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bench =
        "bench taillard --groups 20x5 -a neh,iterated-greedy,auto --evaluations 20000 --seeds 2 -j 1 -q -o";
    run(folder, 1, &format!("{bench} one.csv"));
    run(folder, 3, &format!("{bench} three.csv"));
    assert_eq!(rows(folder, "one.csv").len(), 60);
    assert_eq!(rows(folder, "one.csv"), rows(folder, "three.csv"));
    // An interrupted one goes on: here from its first rows.
    let whole = std::fs::read_to_string(folder.join("three.csv")).unwrap();
    let some: String = whole.lines().take(31).map(|line| line.to_string() + "\n").collect();
    std::fs::write(folder.join("cut.csv"), &some).unwrap();
    run(folder, 3, &format!("{bench} cut.csv"));
    assert!(std::fs::read_to_string(folder.join("cut.csv")).unwrap().starts_with(&some));
    assert_eq!(rows(folder, "cut.csv"), rows(folder, "one.csv"));
}

/// Rows of instances with due dates and the like were failures on all ranks but the first.
#[test]
fn a_bench_of_planned_instances_has_the_rows_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, 1, "generate uniform -n 20 -m 4 --count 6 -s 1 --due 0.4,0.6 --setup 3,50 -o lines.json");
    let bench = "bench lines.json --objective total-tardiness,makespan -a neh,iterated-greedy,auto --evaluations 5000 --seeds 2 -j 1 -q -o";
    run(folder, 1, &format!("{bench} one.csv"));
    run(folder, 3, &format!("{bench} three.csv"));
    assert_eq!(rows(folder, "one.csv").len(), 36);
    assert_eq!(rows(folder, "one.csv"), rows(folder, "three.csv"));
    let bench = "bench taillard --groups 20x5 --objective total-completion -a iterated-greedy --evaluations 5000 -j 1 -q -o";
    run(folder, 1, &format!("{bench} one.csv"));
    run(folder, 3, &format!("{bench} three.csv"));
    assert_eq!(rows(folder, "one.csv"), rows(folder, "three.csv"));
}

#[test]
fn labels_and_baselines_are_those_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let label = "train label -n 10 -m 5 --count 12 -s 3 -j 1 --expert-evaluations 3000 -q -o";
    run(folder, 1, &format!("{label} one.safetensors"));
    run(folder, 3, &format!("{label} three.safetensors"));
    let bytes = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert_eq!(bytes("one.safetensors"), bytes("three.safetensors"));
    let eval =
        "eval -n 10 -m 5 --count 12 -s 3 -j 1 --baselines neh,iterated-greedy --evaluations 3000 --json";
    let means = |ranks| -> Vec<Value> {
        records(&run(folder, ranks, eval)).iter().map(|record| record["makespan"].clone()).collect()
    };
    assert_eq!(means(1), means(3));
}

/// The means of all methods, without times.
fn means(folder: &Path, ranks: usize, eval: &str, cost: &str) -> Vec<(Value, Value)> {
    let of = |record: &Value| (record["method"].clone(), record[cost].clone());
    records(&run(folder, ranks, eval)).iter().map(of).collect()
}

#[test]
fn policies_build_elsewhere_what_they_build_here() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let eval = format!(
        "eval -n 12 -m 5 --count 10 -s 3 -j 1 --baselines neh --model front --model {} --decoding greedy,sample:4+reverse --finish 3 --json",
        model("gamma-m5")
    );
    let one = means(folder, 1, &eval, "makespan");
    assert_eq!(one.len(), 5);
    assert_eq!(one, means(folder, 3, &eval, "makespan"));
}

#[test]
fn tours_are_those_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let eval = format!(
        "eval --problem tsp -n 15 --count 8 -s 3 -j 1 --baselines branch-and-bound,iterated-local-search --evaluations 2000 --model {} --decoding greedy,sample:4 --json",
        model("tsp-50")
    );
    let one = means(folder, 1, &eval, "length");
    assert_eq!(one.len(), 4);
    assert_eq!(one, means(folder, 3, &eval, "length"));
    let label = "train label --problem tsp -n 12 --count 10 -s 3 -j 1 -q -o";
    run(folder, 1, &format!("{label} one.safetensors"));
    run(folder, 3, &format!("{label} three.safetensors"));
    let bytes = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert_eq!(bytes("one.safetensors"), bytes("three.safetensors"));
}

#[test]
fn a_reproduction_has_the_rows_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for plan in ["comparative-gamma-m5", "tsp"] {
        let reproduce = format!("reproduce {plan} --quick -j 1 -q --models {} -o", model(""));
        run(folder, 1, &format!("{reproduce} one"));
        run(folder, 3, &format!("{reproduce} three"));
        let of = |ranks: &str| -> BTreeSet<Vec<String>> {
            // What a limit of time cut short depends on the moment.
            let is_timed = |row: &Vec<String>| row.iter().any(|cell| cell.ends_with("-time"));
            let all = rows(folder, &format!("{ranks}/{plan}.csv"));
            all.into_iter().filter(|row| !is_timed(row)).collect()
        };
        assert!(of("one").len() > 5, "{plan}: {:?}", of("one"));
        assert_eq!(of("one"), of("three"), "{plan}");
    }
}
