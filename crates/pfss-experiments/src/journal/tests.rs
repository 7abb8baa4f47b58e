use super::*;

type Journal = super::Journal<Row>;

pub(crate) fn row(instance: &str, group: &str, seed: u64, makespan: f64) -> Row {
    let (num_jobs, num_machines) = group.split_once('x').unwrap();
    Row {
        instance: instance.into(),
        group: group.into(),
        num_jobs: num_jobs.parse().unwrap(),
        num_machines: num_machines.parse().unwrap(),
        algorithm: "a".into(),
        config: r#"{"x":1,"y":"z"}"#.into(),
        seed,
        limit: "evaluations=10".into(),
        makespan,
        best_known: Some(100.0),
        rpd: Some(makespan - 100.0),
        bound: 90.0,
        status: "feasible".into(),
        stop_reason: "evaluation-limit".into(),
        runtime_s: 0.5,
        evaluations: 10,
        primal_integral: Some(7.25),
        version: "0".into(),
        commit: String::new(),
        cpu: "a, b".into(),
        order: String::new(),
    }
}

#[test]
fn rows_come_back_and_a_torn_line_is_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.csv");
    let mut journal = Journal::open(&path).unwrap();
    assert!(matches!(Journal::open(&path), Err(JournalError::Busy { .. })));
    let mut real = row("b", "20x5", 1, 100.5);
    real.best_known = None;
    real.rpd = None;
    let rows = [row("a", "20x5", 1, 101.0), real];
    for row in &rows {
        journal.append(row.clone()).unwrap();
    }
    drop(journal);
    let whole = std::fs::read_to_string(&path).unwrap();
    assert!(whole.contains(",101,100,1.0,90,"), "{whole}");
    for torn in 1..whole.len() {
        std::fs::write(&path, &whole[..torn]).unwrap();
        let journal = Journal::open(&path).unwrap();
        let complete = whole[..torn].matches('\n').count().saturating_sub(1);
        assert_eq!(journal.rows(), &rows[..complete], "cut at {torn}");
        drop(journal);
        let after = std::fs::read_to_string(&path).unwrap();
        assert!(whole.starts_with(&after) && after.ends_with('\n'), "cut at {torn}");
    }
}

#[test]
fn other_files_are_refused_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.csv");
    for content in ["my notes", "my notes\nmore", "instance,group\n"] {
        std::fs::write(&path, content).unwrap();
        assert!(matches!(Journal::open(&path), Err(JournalError::Columns { .. })));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
    }
    let content = header::<Row>() + "a,20x5,x\n";
    std::fs::write(&path, &content).unwrap();
    assert!(Journal::open(&path).unwrap_err().to_string().contains("line"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
    assert!(matches!(Journal::open(folder.path()), Err(JournalError::Io { .. })));
}
