//! Whole benches with a small random search of their own, so that the rows depend on nothing else.

#![allow(clippy::unwrap_used)]

use std::sync::Mutex;

use pfss_core::{CancelFlag, Instance, JobId, Outcome, Run, SolveError, Solver, Time, makespan};
use pfss_experiments::{
    Bench, BenchInstance, Contender, Journal, Monitor, Progress, Provenance, Report, Row, RunLimit,
    Selection, Silent, Summary, Task, load,
};
use pfss_io::ReadOptions;
use rand::seq::SliceRandom;

/// Draws orders until a limit is met.
struct Draw {
    /// Whether it claims a makespan that is too short.
    lie: bool,
}

/// Panics on one instance and draws orders on others.
struct Fragile;

impl<T: Time> Solver<Instance<T>> for Fragile {
    fn name(&self) -> &str {
        "fragile"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        assert_ne!(instance.name(), "ta002", "not this one");
        Draw { lie: false }.solve(instance, run)
    }
}

impl<T: Time> Solver<Instance<T>> for Draw {
    fn name(&self) -> &str {
        "draw"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        assert_eq!(run.threads(), 1);
        let mut rng = run.stream("draw");
        let mut order: Vec<JobId> = (0..instance.num_jobs() as JobId).collect();
        loop {
            order.shuffle(&mut rng);
            run.count(1);
            let length = makespan(instance, &order);
            run.offer(&order, if self.lie { length - instance.shortest_time() } else { length });
            if run.must_end() {
                return run.outcome();
            }
        }
    }
}

trait Shortest<T> {
    fn shortest_time(&self) -> T;
}

impl<T: Time> Shortest<T> for Instance<T> {
    fn shortest_time(&self) -> T {
        self.times().iter().copied().fold(T::MAX, T::minimum)
    }
}

fn contender(lie: bool) -> Contender {
    Contender::from_solvers("draw", "{}", Box::new(Draw { lie }), Box::new(Draw { lie }))
}

fn instances(names: &[&str]) -> Vec<BenchInstance> {
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    load(&names, &Selection::default(), &[], &ReadOptions::default()).unwrap()
}

fn bench<'a>(instances: &'a [BenchInstance], contenders: &'a [Contender], workers: usize) -> Bench<'a> {
    Bench {
        hands: None,
        instances,
        contenders,
        seeds: 2,
        limit: RunLimit::Evaluations(50),
        workers,
        memory: 1 << 28,
        provenance: Provenance { version: "1".into(), commit: "c".into(), cpu: "p".into() },
        cancel: CancelFlag::new(),
    }
}

/// Counts calls and may raise a flag at one of them.
#[derive(Default)]
struct Count {
    started: Mutex<Vec<String>>,
    last: Mutex<Option<Progress>>,
    cancel_at: Option<(usize, CancelFlag)>,
}

impl Monitor for Count {
    fn started(&self, task: Task<'_>, _: &Progress) {
        let mut started = self.started.lock().unwrap();
        started.push(task.instance.to_string());
        if let Some((at, flag)) = &self.cancel_at
            && started.len() > *at
        {
            flag.cancel();
        }
    }

    fn finished(&self, _: &Row, progress: &Progress) {
        *self.last.lock().unwrap() = Some(*progress);
    }
}

fn comparable(report: &Report) -> Vec<Row> {
    report.rows.iter().map(|row| Row { runtime_s: 0.0, ..row.clone() }).collect()
}

#[test]
fn the_number_of_workers_does_not_change_the_rows() {
    let instances = instances(&["ta001", "ta002", "ta003"]);
    let contenders = [contender(false)];
    let one = bench(&instances, &contenders, 1).run(&mut Journal::in_memory(), &Silent).unwrap();
    let two = bench(&instances, &contenders, 2).run(&mut Journal::in_memory(), &Silent).unwrap();
    assert_eq!(one.rows.len(), 6);
    assert_eq!(comparable(&one), comparable(&two));
    let row = &one.rows[0];
    assert_eq!((row.instance.as_str(), row.group.as_str(), row.seed), ("ta001", "20x5", 1));
    assert_eq!((row.best_known, row.evaluations), (Some(1278.0), 50));
    assert_eq!(row.stop_reason, "evaluation-limit");
    let rpd = row.rpd.unwrap();
    assert!((rpd - (row.makespan - 1278.0) / 12.78).abs() < 1e-9);
    // The integral looks back at worse orders.
    assert!(row.primal_integral.unwrap() >= rpd);
    assert_eq!(Summary::new(&one.rows).groups[0].runs, 6);
}

#[test]
fn a_second_bench_repeats_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.csv");
    let contenders = [contender(false)];
    let few = instances(&["ta001", "ta002"]);
    let first = bench(&few, &contenders, 2).run(&mut Journal::open(&path).unwrap(), &Silent).unwrap();
    assert_eq!((first.rows.len(), first.reused), (4, 0));

    // One more instance, and the last row torn: the torn run and the two new ones are made.
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 5]).unwrap();
    let more = instances(&["ta001", "ta002", "ta011"]);
    let monitor = Count::default();
    let second = bench(&more, &contenders, 1).run(&mut Journal::open(&path).unwrap(), &monitor).unwrap();
    assert_eq!((second.rows.len(), second.reused, second.reused_from_elsewhere), (6, 3, 0));
    let started = monitor.started.lock().unwrap().clone();
    assert_eq!(started.len(), 3);
    assert_eq!(started[..2], ["ta011", "ta011"], "the longest runs come first");
    let last = monitor.last.lock().unwrap().unwrap();
    assert_eq!((last.done, last.total, last.running), (6, 6, 0));
    assert_eq!(comparable(&second)[..4], comparable(&first)[..]);

    let monitor = Count::default();
    let mut other = bench(&more, &contenders, 1);
    other.provenance.commit = "d".into();
    let third = other.run(&mut Journal::open(&path).unwrap(), &monitor).unwrap();
    assert!(monitor.started.lock().unwrap().is_empty());
    assert_eq!((third.reused, third.reused_from_elsewhere), (6, 6));
    assert_eq!(third.rows, second.rows);
}

#[test]
fn a_cancelled_run_leaves_no_row() {
    let instances = instances(&["ta001", "ta002", "ta003"]);
    let contenders = [contender(false)];
    let cancelled = bench(&instances, &contenders, 1);
    let monitor = Count { cancel_at: Some((2, cancelled.cancel.clone())), ..Count::default() };
    let mut journal = Journal::in_memory();
    let report = cancelled.run(&mut journal, &monitor).unwrap();
    assert_eq!((report.rows.len(), report.planned), (2, 6));
    assert_eq!(journal.rows().len(), 2);
    assert_eq!(monitor.started.lock().unwrap().len(), 3);
}

#[test]
fn wrong_answers_are_failures_and_the_others_go_on() {
    let instances = instances(&["ta001"]);
    let contenders = [contender(true), contender(false)];
    let mut plan = bench(&instances, &contenders[..1], 1);
    let report = plan.run(&mut Journal::in_memory(), &Silent).unwrap();
    assert_eq!((report.rows.len(), report.failures.len()), (0, 2));
    assert!(report.failures[0].reason.contains("the answer is wrong"), "{:?}", report.failures);
    plan.contenders = &contenders[1..];
    let report = plan.run(&mut Journal::in_memory(), &Silent).unwrap();
    assert_eq!((report.rows.len(), report.failures.len()), (2, 0));
}

#[test]
fn a_panic_is_a_failure_and_the_others_go_on() {
    let instances = instances(&["ta001", "ta002", "ta003"]);
    let contenders = [Contender::from_solvers("fragile", "{}", Box::new(Fragile), Box::new(Fragile))];
    for workers in [1, 2] {
        let report = bench(&instances, &contenders, workers).run(&mut Journal::in_memory(), &Silent).unwrap();
        assert_eq!((report.rows.len(), report.failures.len()), (4, 2));
        assert!(report.failures.iter().all(|failure| failure.instance == "ta002"));
        assert!(report.failures[0].reason.contains("not this one"), "{:?}", report.failures);
    }
}

/// Rows were once known by the name of their instance alone.
#[test]
fn rows_of_an_instance_that_has_changed_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.csv");
    let contenders = [contender(false)];
    let drawn = |last: u32| {
        let times = [&[3; 9][..], &[last]].concat();
        vec![BenchInstance::new(Instance::new("mine", 2, times).unwrap().into(), "").unwrap()]
    };
    bench(&drawn(4), &contenders, 1).run(&mut Journal::open(&path).unwrap(), &Silent).unwrap();
    let before = std::fs::read_to_string(&path).unwrap();
    // Another algorithm would have other rows, but not of the same instance.
    let other = [Contender::from_solvers(
        "other",
        "{}",
        Box::new(Draw { lie: false }),
        Box::new(Draw { lie: false }),
    )];
    for contenders in [&contenders, &other] {
        let changed = bench(&drawn(5), contenders, 1).run(&mut Journal::open(&path).unwrap(), &Silent);
        let error = changed.unwrap_err().to_string();
        for part in ["runs.csv", "`mine`", "instance_hash", "write to another file"] {
            assert!(error.contains(part), "{error}");
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), before);
    }
    // A file of before tells no fingerprints: the name speaks for its rows, and the report says so.
    let old: String =
        before.lines().map(|line| line.rsplit_once(',').unwrap().0.to_string() + "\n").collect();
    std::fs::write(&path, old).unwrap();
    let report = bench(&drawn(5), &contenders, 1).run(&mut Journal::open(&path).unwrap(), &Silent).unwrap();
    assert_eq!((report.reused, report.reused_by_name), (2, 2));
}
