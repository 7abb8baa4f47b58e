use super::*;
use crate::unknown_hash;

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
        instance_hash: unknown_hash(),
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
    real.primal_integral = None;
    real.instance_hash = "0123456789abcdef".repeat(4);
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
        // The end of the line may be missing.
        let complete = whole[..=torn].matches('\n').count().saturating_sub(1);
        assert_eq!(journal.rows(), &rows[..complete], "cut at {torn}");
        assert_eq!(
            journal.torn().is_some(),
            !rest(&whole, torn).is_empty() && torn > header::<Row>().len(),
            "cut at {torn}"
        );
        drop(journal);
        let after = std::fs::read_to_string(&path).unwrap();
        assert!(whole.starts_with(&after) && after.ends_with('\n'), "cut at {torn}");
    }
}

/// What is left of the last line when `whole` is cut, unless nothing but its end is missing.
fn rest(whole: &str, torn: usize) -> &str {
    if whole[torn..].starts_with('\n') { "" } else { whole[..torn].rsplit('\n').next().unwrap_or_default() }
}

/// A file with one row, in which `column` is replaced, and what comes of opening it.
fn opened_with(column: &str, value: &str) -> Result<Vec<Row>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.csv");
    Journal::open(&path).unwrap().append(row("a", "20x5", 1, 101.0)).unwrap();
    let mut reader = csv::Reader::from_path(&path).unwrap();
    let place = Row::COLUMNS.iter().position(|name| *name == column).unwrap();
    let fields = reader.records().next().unwrap().unwrap();
    let fields = fields.iter().enumerate().map(|(at, field)| if at == place { value } else { field });
    let mut writer = csv::Writer::from_path(&path).unwrap();
    writer.write_record(Row::COLUMNS).unwrap();
    writer.write_record(fields).unwrap();
    writer.flush().unwrap();
    let before = std::fs::read(&path).unwrap();
    let opened = Journal::open(&path).map(|journal| journal.rows().to_vec());
    let read = read_rows::<Row>(&path);
    assert_eq!(opened.is_ok(), read.is_ok());
    assert_eq!(std::fs::read(&path).unwrap(), before, "a refused file is left as it was");
    opened.map_err(|error| error.to_string().split_once("runs.csv:").unwrap().1.to_string())
}

/// `nan` was once a makespan, and a row whose makespan was changed gave two sorts of columns.
#[test]
fn rows_that_cannot_be_so_are_refused_with_line_and_column() {
    assert_eq!(opened_with("seed", "1").unwrap().len(), 1);
    let ending = "; correct the line, or remove it to have its run repeated";
    for (column, value, told) in [
        ("makespan", "nan", "2:56: `makespan` is `nan`, expected a finite number"),
        ("makespan", "inf", "2:56: `makespan` is `inf`, expected a finite number"),
        ("makespan", "", "2:56: `makespan` is ``, expected a finite number"),
        ("makespan", "102", "2:64: `rpd` is `1.0`, expected 2, what makespan and best_known give"),
        ("best_known", "-inf", "2:60: `best_known` is `-inf`, expected a finite number"),
        ("best_known", "", "2:61: `rpd` is `1.0`, expected nothing without a best_known above 0"),
        ("rpd", "", "2:64: `rpd` is ``, expected 1, what makespan and best_known give"),
        ("bound", "102", "2:68: `bound` is `102`, expected at most 101, the makespan"),
        (
            "status",
            "optimal",
            "2:71: `status` is `optimal`, expected feasible, since the bound 90 is below the makespan",
        ),
        ("status", "best", "2:71: `status` is `best`, expected optimal or feasible"),
        ("runtime_s", "-1", "2:97: `runtime_s` is `-1`, expected a number of seconds, 0 or more"),
        ("evaluations", "-1", "2:101: `evaluations` is `-1`, expected a whole number, 0 or more"),
        (
            "primal_integral",
            "0.5",
            "2:104: `primal_integral` is `0.5`, expected a number from 1, the rpd, to 100",
        ),
        ("num_jobs", "21", "2:3: `group` is `20x5`, expected 21x5, its num_jobs and num_machines"),
        ("seed", "1.5", "2:39: `seed` is `1.5`, expected a whole number, 0 or more"),
        (
            "order",
            "0 1",
            "2:119: `order` is `0 1`, expected nothing where the makespan is not below best_known",
        ),
        (
            "instance_hash",
            "12",
            "2:120: `instance_hash` is `12`, expected 64 hexadecimal digits or `unknown`",
        ),
    ] {
        assert_eq!(opened_with(column, value).unwrap_err(), format!("{told}{ending}"), "{column} {value}");
    }
}

#[test]
fn one_name_stands_for_one_instance() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.csv");
    let made_of =
        |digit: &str, seed| Row { instance_hash: digit.repeat(64), ..row("a", "20x5", seed, 101.0) };
    let mut journal = Journal::open(&path).unwrap();
    for row in [row("a", "20x5", 1, 101.0), made_of("1", 2), made_of("2", 3)] {
        journal.append(row).unwrap();
    }
    drop(journal);
    let error = read_rows::<Row>(&path).unwrap_err().to_string();
    assert!(
        error.contains("runs.csv:4:") && error.contains("made of another `a`, with instance_hash 111"),
        "{error}"
    );
}

/// A complete last row was once deleted because an editor had left out its end.
#[test]
fn a_whole_last_row_without_its_end_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.csv");
    Journal::open(&path).unwrap().append(row("a", "20x5", 1, 101.0)).unwrap();
    let whole = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, whole.trim_end()).unwrap();
    let mut journal = Journal::open(&path).unwrap();
    assert_eq!((journal.rows().len(), journal.torn()), (1, None));
    journal.append(row("a", "20x5", 2, 101.0)).unwrap();
    assert!(std::fs::read_to_string(&path).unwrap().starts_with(&whole));
    drop(journal);
    // What is wrong before the last column was not torn.
    std::fs::write(&path, whole.trim_end().replace("101", "nan")).unwrap();
    assert!(matches!(Journal::open(&path), Err(JournalError::Row { line: 2, .. })));
}

#[test]
fn files_of_earlier_versions_are_read_and_get_the_new_column_with_the_first_new_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.csv");
    let old = [row("a", "20x5", 1, 101.0), row("b", "20x5", 1, 99.0)];
    let old =
        old.map(|row| Row { order: if row.makespan < 100.0 { orders() } else { String::new() }, ..row });
    let text: Vec<String> = old.iter().map(|row| String::from_utf8(to_line(row).unwrap()).unwrap()).collect();
    let text =
        (header::<Row>() + &text.concat()).replace(",instance_hash\n", "\n").replace(",unknown\n", "\n");
    std::fs::write(&path, text.trim_end()).unwrap();
    assert_eq!(read_rows::<Row>(&path).unwrap(), old);
    let mut journal = Journal::open(&path).unwrap();
    assert_eq!(journal.rows(), old);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "reading changes nothing but the missing end");
    let new = Row { instance_hash: "a".repeat(64), ..row("a", "20x5", 2, 101.0) };
    journal.append(new.clone()).unwrap();
    assert!(matches!(Journal::open(&path), Err(JournalError::Busy { .. })), "still locked");
    drop(journal);
    assert_eq!(read_rows::<Row>(&path).unwrap(), [&old[..], &[new]].concat());
}

/// An order of twenty jobs.
fn orders() -> String {
    (0..20).map(|job: u32| job.to_string()).collect::<Vec<_>>().join(" ")
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
