//! Plans run, stop and go on, whatever models there are.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use pfss_core::CancelFlag;
use pfss_experiments::reproduction::{
    Measurement, Models, Origin, Plan, Reproduction, Stage, Summary, read_rows, rows_csv,
};
use pfss_experiments::{Journal, Provenance};

const PLAN: &str = r#"
title = "t"
paper = "p"
caption = "c"
baseline = "neh"
ours = "net"
groups = [{ id = "g", label = "g", distribution = "gamma", jobs = 8, machines = 5, count = 6 }]
methods = [
    { id = "neh", label = "NEH", algorithm = "paper-neh" },
    { id = "net", label = "net", algorithm = "policy", model = "net-m{m}" },
    { id = "search", label = "search", algorithm = "random-search" },
    { id = "timed", label = "timed", algorithm = "iterated-greedy", limit = { time-of = "net" } },
    { id = "exact", label = "exact", algorithm = "branch-and-bound" },
    { id = "bound", label = "bound", algorithm = "lower-bound" },
]
"#;

fn run(plan: &Plan, models: &Path, seeds: &[u64], cancel: CancelFlag) -> Option<Summary> {
    run_with_rows(plan, models, seeds, cancel).map(|(summary, _)| summary)
}

/// The summary and the rows that are kept beside it.
fn run_with_rows(plan: &Plan, models: &Path, seeds: &[u64], cancel: CancelFlag) -> Option<(Summary, String)> {
    let models = Models::in_folder(models);
    let reproduction = Reproduction {
        hands: None,
        plan,
        seeds,
        quick: false,
        models: &models,
        data: &[],
        workers: 2,
        provenance: Provenance::default(),
        cancel,
    };
    let mut journal: Journal<Measurement> = Journal::in_memory();
    let runs = reproduction.run(&mut journal, &|_| ()).unwrap()?;
    Some((Summary::new(plan, &runs, &models, Origin::default()), rows_csv(&runs)))
}

fn cost(summary: &Summary, method: &str) -> f64 {
    summary.numbers(method, "g").unwrap().cost
}

fn put(models: &Path, name: &str, shipped: &str) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    std::fs::create_dir_all(models.join(name)).unwrap();
    let file = "model.safetensors";
    std::fs::copy(root.join(shipped).join(file), models.join(name).join(file)).unwrap();
}

#[test]
fn a_missing_model_leaves_a_cell_that_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan::parse("t", PLAN, "").unwrap();
    let summary = run(&plan, folder.path(), &[1, 2], CancelFlag::new()).unwrap();
    let absent = |method: &str| summary.cell(method, "g").unwrap().absent.clone().unwrap();
    assert_eq!(absent("net"), "no model: net-m5");
    assert_eq!(absent("timed"), "no time: `net` was not measured");
    assert_eq!(summary.failures().count(), 0);
    assert!(
        cost(&summary, "bound") <= cost(&summary, "exact")
            && cost(&summary, "exact") <= cost(&summary, "neh")
    );
    let numbers = |method: &str| summary.numbers(method, "g").unwrap();
    assert_eq!((numbers("search").seeds, numbers("neh").seeds, numbers("exact").proven), (2, 1, 6));
    // Without our method there is nothing to mark.
    assert_eq!(numbers("neh").mark, None);
}

#[test]
fn trainings_of_several_seeds_are_averaged() {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan::parse("t", PLAN, "").unwrap();
    let with = |seeds: &[u64]| run(&plan, folder.path(), seeds, CancelFlag::new()).unwrap();
    put(folder.path(), "net-m5", "gamma-m5");
    let first = cost(&with(&[1, 2]), "net");
    put(folder.path(), "net-m5-seed2", "front");
    let second = cost(&with(&[2]), "net");
    let both = with(&[1, 2]);
    assert_eq!(both.numbers("net", "g").unwrap().seeds, 2);
    assert!((cost(&both, "net") - (first + second) / 2.0).abs() < 1e-9 && first != second);
    assert!(both.numbers("timed", "g").is_some() && both.numbers("neh", "g").unwrap().mark.is_some());
    put(folder.path(), "net-m5", "tsp-50");
    let failed = with(&[1]);
    assert!(failed.cell("net", "g").unwrap().absent.as_deref().unwrap().starts_with("failed: "));
    assert_eq!(failed.failures().count(), 1);
}

#[test]
fn kept_rows_give_the_summary_again() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "net-m5", "gamma-m5");
    put(folder.path(), "net-m5-seed2", "front");
    let text = PLAN.replace("caption = \"c\"", "caption = \"c\"\nreading = \"{compare:net:neh}\"");
    for models in [folder.path(), Path::new("nowhere")] {
        let plan = Plan::parse("t", &text, "").unwrap();
        let (summary, rows) = run_with_rows(&plan, models, &[1, 2], CancelFlag::new()).unwrap();
        let again = |rows: &str| summary.from_rows(&plan, read_rows(rows, &plan.groups).unwrap());
        assert_eq!(again(&rows), summary);
        assert_eq!(Summary::from_json(&again(&rows).to_json().unwrap()).unwrap(), summary);
        // One row is missing, or has another cost.
        let lines: Vec<&str> = rows.lines().collect();
        assert_ne!(again(&lines[..lines.len() - 1].join("\n")), summary);
        let last: Vec<&str> = lines[lines.len() - 1].split(',').collect();
        let other = rows.replace(&format!(",{},", last[7]), ",1.5,");
        assert!(other != rows && again(&other) != summary);
    }
}

#[test]
fn an_algorithm_that_was_not_built_is_missing_not_wrong() {
    let mip = "{ id = \"mip\", label = \"mip\", algorithm = \"mip\" },\n]";
    let text = PLAN.trim_end().strip_suffix(']').unwrap().to_string() + mip;
    let summary =
        run(&Plan::parse("t", &text, "").unwrap(), Path::new("nowhere"), &[1], CancelFlag::new()).unwrap();
    let cell = summary.cell("mip", "g").unwrap();
    match &cell.numbers {
        Some(numbers) => assert_eq!(numbers.proven, 6),
        None => assert_eq!(cell.absent.as_deref(), Some("this program was built without `mip`")),
    }
    assert_eq!(summary.failures().count(), 0);
}

#[test]
fn a_cancelled_plan_gives_nothing() {
    let cancel = CancelFlag::new();
    cancel.cancel();
    let plan = Plan::parse("t", PLAN, "").unwrap();
    assert!(run(&plan, Path::new("nowhere"), &[1], cancel).is_none());
}

/// Without what a clock says.
fn comparable(journal: &Journal<Measurement>) -> Vec<Measurement> {
    let rows = journal.rows().iter().map(|row| Measurement { runtime_s: 0.0, ..row.clone() });
    let mut rows: Vec<Measurement> = rows.collect();
    rows.sort_by_key(|row| (row.method.clone(), row.instance.clone(), row.seed));
    rows
}

#[test]
fn an_interrupted_plan_goes_on_to_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan::parse("t", PLAN, "").unwrap();
    let models = Models::in_folder(Path::new("nowhere"));
    // Cancelled when the method of this name starts.
    let run = |path: &Path, cancel_at: &str| {
        let cancel = CancelFlag::new();
        let reproduction = Reproduction {
            hands: None,
            plan: &plan,
            seeds: &[1, 2],
            quick: false,
            models: &models,
            data: &[],
            workers: 2,
            provenance: Provenance::default(),
            cancel: cancel.clone(),
        };
        let open = std::cell::Cell::new(0);
        let mut journal: Journal<Measurement> = Journal::open(path).unwrap();
        let tell = |stage: Stage<'_>| {
            open.set(open.get() + stage.open);
            if stage.method == cancel_at {
                cancel.cancel();
            }
        };
        let runs = reproduction.run(&mut journal, &tell).unwrap();
        (runs.is_some(), open.get(), comparable(&journal))
    };
    let (is_whole, made, whole) = run(&folder.path().join("whole.csv"), "");
    assert!(is_whole);
    // Six instances; the search has two seeds.
    assert_eq!((made, whole.len()), (30, 30));

    let path = folder.path().join("resumed.csv");
    let (is_whole, _, rows) = run(&path, "exact");
    assert!(!is_whole);
    assert_eq!(rows.len(), 18);
    // A kill in the middle of a line costs that run alone.
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 3]).unwrap();
    let (is_whole, made, rows) = run(&path, "");
    assert!(is_whole);
    assert_eq!((made, rows), (13, whole));
}

/// A journal as version 0.1.0 wrote it.
#[test]
fn journals_of_before_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    let text = "group,instance,method,config,limit,seed,cost,bound,proven,runtime_s,evaluations,version,commit,cpu,workers\n\
        g,\"gamma(1,2) 8x5 seed 2026 #1\",neh,{},,1,12.5,0.0,false,0.000012,36,0.1.0,abc,some cpu,2\n";
    std::fs::write(&path, text).unwrap();
    let journal: Journal<Measurement> = Journal::open(&path).unwrap();
    let row = &journal.rows()[0];
    assert_eq!((row.instance.as_str(), row.cost, row.workers), ("gamma(1,2) 8x5 seed 2026 #1", 12.5, 2));
}

#[test]
fn inconsistent_plans_are_refused() {
    for (from, to, message) in [
        ("baseline = \"neh\"", "baseline = \"hen\"", "there is no `hen`"),
        ("id = \"bound\"", "id = \"exact\"", "`exact` stands twice"),
        ("time-of = \"net\"", "time-of = \"bound\"", "which must stand above it"),
        ("count = 6", "count = 0", "`count` is missing"),
        ("gamma", "beta", "`beta` names no distribution"),
        ("title", "titel", "unknown field `titel`"),
    ] {
        let error = Plan::parse("t", &PLAN.replace(from, to), "").unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    let printed = "method,group,cost,gap,time,total,mark,other\nnet,h,1,,,,,\n";
    let error = Plan::parse("t", PLAN, printed).unwrap_err().to_string();
    assert!(error.contains("the printed cell `net`, `h` has no place"), "{error}");
}
