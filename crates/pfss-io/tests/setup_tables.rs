//! Tables of set-ups: of more families than today's jobs are of, and of very many pairs.

// Functions that only tests call may panic and print.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::fmt::Write;
use std::time::{Duration, Instant};

use pfss_core::timing::{Line, Objective};
use pfss_io::attribute_tables::{read_breaks, read_setups};
use pfss_io::{CsvOptions, Entry, Format, Note, Overrides, match_instance};

const JOBS: &str = "job,saw,oven,family\nA,3,4,red\nB,2,1,blue\n";
const TABLE: &str = "machine,from,to,time\nsaw,green,red,2\nsaw,red,green,1\nsaw,red,blue,3\nsaw,,pink,4\n";

fn jobs() -> Entry {
    Format::Csv.read(JOBS, CsvOptions::default()).unwrap().remove(0)
}

fn unused(entry: &Entry) -> Vec<Note> {
    entry.notes().collect()
}

#[test]
fn a_table_names_families_that_no_job_has_today() {
    let mut entry = jobs();
    read_setups(TABLE, &mut entry).unwrap();
    assert_eq!(unused(&entry), [Note::UnusedFamilies { families: vec!["green".into(), "pink".into()] }]);
    assert_eq!(
        unused(&entry)[0].to_string(),
        "no job is of the families green, pink, for which there are set-ups"
    );
    assert_eq!(entry.attributes.machines[0].setups.len(), 4);
    // The whole table goes through JSON.
    let text = Format::Json.write(std::slice::from_ref(&entry)).unwrap();
    let again = Format::Json.read(&text, CsvOptions::default()).unwrap().remove(0);
    assert_eq!((&again, unused(&again)), (&entry, unused(&entry)));
    assert_eq!(Format::Json.write(&[again]).unwrap(), text);
    // Another table takes the place of this one, with its families.
    read_setups("machine,from,to,time\nsaw,red,blue,3\n", &mut entry).unwrap();
    assert_eq!((unused(&entry).len(), entry.attributes.families.len()), (0, 2));
}

#[test]
fn families_without_jobs_change_no_plan() {
    let line = |table: &str| -> Line {
        let mut entry = jobs();
        let setups = Some((table.to_string(), "setup.csv".to_string()));
        let objectives = Some(vec![Objective::Makespan]);
        Overrides { setups, objectives, ..Overrides::default() }.apply(&mut entry).unwrap();
        match_instance!(&entry.instance, instance => Line::new(instance, &entry.attributes)).unwrap()
    };
    let (whole, needed) = (line(TABLE), line("machine,from,to,time\nsaw,red,blue,3\n"));
    for (before, job) in [(None, 0), (None, 1), (Some(0), 1), (Some(1), 0)] {
        assert_eq!(whole.setups(before, job), needed.setups(before, job));
    }
    assert_eq!((whole.setups(Some(0), 1), whole.horizon()), (&[3, 0][..], needed.horizon()));
    assert!(!line("machine,from,to,time\nsaw,pink,green,3\n").has_setups());
}

/// A table of all pairs of so many families.
fn table(families: usize) -> String {
    let mut text = "machine,from,to,time\n".to_string();
    for from in 0..families {
        for to in 0..families {
            let _ = writeln!(text, "saw,f{from},f{to},{}", 1 + (from + to) % 7);
        }
    }
    text
}

/// How long this thread has worked; where the system does not tell, what the clock says.
fn worked(start: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.as_deref().and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// The shortest of three runs: what else the machine does makes runs longer, never shorter.
fn shortest(mut work: impl FnMut()) -> Duration {
    let start = Instant::now();
    let run = |()| {
        let before = worked(start);
        work();
        worked(start) - before
    };
    [(); 3].map(run).into_iter().min().unwrap()
}

/// Ten times as much takes about ten times as long, more where caches are small; what is quadratic takes a hundred times.
fn assert_linear(few: Duration, many: Duration) {
    assert!(many < 30 * few.max(Duration::from_millis(2)), "{few:?} for a tenth, {many:?} for all");
}

#[test]
fn set_ups_are_read_in_linear_time() {
    // 9,801 and 99,856 set-ups.
    let [few, many] = [99, 316].map(|families| {
        let csv = table(families);
        let mut entry = jobs();
        read_setups(&csv, &mut entry).unwrap();
        assert_eq!(entry.attributes.machines[0].setups.len(), families * families);
        let json = Format::Json.write(&[entry]).unwrap();
        let by_csv = shortest(|| read_setups(&csv, &mut jobs()).unwrap());
        let by_json = shortest(|| drop(Format::Json.read(&json, CsvOptions::default()).unwrap()));
        [by_csv, by_json]
    });
    for (few, many) in few.into_iter().zip(many) {
        assert_linear(few, many);
    }
}

#[test]
fn breaks_are_read_in_linear_time() {
    let table = |count: usize| {
        let rows = (0..count).rev().map(|index| format!("saw,{},{}\n", 2 * index, 2 * index + 1));
        format!("machine,from,to\n{}", rows.collect::<String>())
    };
    let [few, many] = [10_000, 100_000].map(|count| {
        let text = table(count);
        shortest(|| read_breaks(&text, &mut jobs(), None).unwrap())
    });
    assert_linear(few, many);
}
