//! Workbooks of real programs are read as those programs show them. `scripts/workbooks` made the files.

#![cfg(feature = "excel")]
// Functions that only tests call may panic and print.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::path::Path;

use pfss_io::{Clock, Entry, ReadOptions, Unit, read_file};

/// Reads one of the files, with a clock in minutes from Monday, 6 o'clock.
fn read(name: &str) -> Result<Entry, String> {
    let clock = Some(Clock::new("2026-11-16T06:00", Unit::Minute).unwrap());
    read_with(name, &ReadOptions { clock, ..ReadOptions::default() })
}

fn read_with(name: &str, options: &ReadOptions) -> Result<Entry, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/workbooks").join(format!("{name}.xlsx"));
    let read = read_file(&path, options).map(|mut entries| entries.remove(0));
    read.map_err(|error| error.to_string().rsplit_once("workbooks/").unwrap().1.to_string())
}

fn job_names(entry: &Entry) -> Vec<String> {
    entry.instance.job_names().unwrap().to_vec()
}

#[test]
fn midnight_is_midnight_and_a_date_is_the_whole_day() {
    for name in [
        "openpyxl-plan",
        "openpyxl-plan-1904",
        "openpyxl-hidden",
        "openpyxl-blank-merged",
        "xlsxwriter-plan",
        "xlsxwriter-plan-1904",
        "xlsxwriter-inline",
        "libreoffice-plan",
        "libreoffice-plan-1904",
        "libreoffice-hidden",
        "libreoffice-formulas",
    ] {
        let entry = read(name).unwrap();
        assert_eq!(job_names(&entry), ["A", "B", "C"], "{name}");
        let jobs = &entry.attributes.jobs;
        let releases: Vec<f64> = jobs.iter().map(|job| job.release).collect();
        let dues: Vec<f64> = jobs.iter().map(|job| job.due.unwrap()).collect();
        assert_eq!(releases, [80.0, 0.0, 150.0], "{name}");
        // The end of Tuesday, the midnight before it, and half past two.
        assert_eq!(dues, [2520.0, 1080.0, 1950.0], "{name}");
        let text = pfss_io::Format::Csv.write(&[entry]).unwrap();
        let second = if name == "libreoffice-formulas" { "B,42.0,10.0," } else { "B,20.0,10.0," };
        assert!(text.contains("A,30.0,12.5,") && text.contains(second), "{name}: {text}");
    }
}

#[test]
fn durations_are_in_the_unit_or_refused() {
    for name in ["openpyxl-durations", "xlsxwriter-durations", "libreoffice-durations"] {
        let text = pfss_io::Format::Csv.write(&[read(name).unwrap()]).unwrap();
        assert_eq!(text, "job,cut,paint\nA,40.0,12.5\nB,2160.0,45.0\n", "{name}");
        let message = read_with(name, &ReadOptions::default()).unwrap_err();
        let start =
            format!("{name}.xlsx, cell Jobs!B2: it holds a duration, 0:40 hours; say how long a unit");
        assert!(message.starts_with(&start) && message.contains("--unit min"), "{message}");
    }
}

#[test]
fn sheets_are_tables_in_every_program() {
    for name in ["openpyxl-sheets", "xlsxwriter-sheets", "libreoffice-sheets"] {
        let entry = read(name).unwrap();
        assert_eq!(job_names(&entry), ["Tür", "Küche, groß"], "{name}");
        assert_eq!(entry.instance.machine_names().unwrap(), ["Säge", "Ofen"], "{name}");
        assert_eq!(entry.attributes.families, ["rot", "blau"], "{name}");
        let [saw, oven] = entry.attributes.machines.as_slice() else { panic!("two machines") };
        assert_eq!(saw.setups.iter().map(|setup| setup.time).collect::<Vec<_>>(), [2.0, 1.5], "{name}");
        assert_eq!((oven.breaks.as_slice(), oven.available_from), (&[(360.0, 390.0)][..], 5.0), "{name}");
        assert!(!oven.resume, "{name}");
    }
}

#[test]
fn cells_without_a_value_are_named() {
    for (name, place, part) in [
        ("openpyxl-formulas", "Jobs!E2", "its formula has no stored value"),
        ("openpyxl-division", "Jobs!C3", "its formula has no stored value"),
        ("libreoffice-division", "Jobs!C3", "it holds the error #DIV/0!"),
        ("openpyxl-error", "Jobs!C3", "it holds the error #N/A"),
        ("openpyxl-merged", "Jobs!E2", "it is merged with others, E2:E4"),
        ("libreoffice-merged", "Jobs!E2", "it is merged with others, E2:E4"),
        // The program stores 0 for a formula, and asks for it to be computed.
        ("xlsxwriter-uncomputed", "Jobs!B3", "its formula has no stored value"),
    ] {
        let message = read(name).unwrap_err();
        assert!(message.starts_with(&format!("{name}.xlsx, cell {place}: {part}")), "{message}");
    }
    let text = pfss_io::Format::Csv.write(&[read("xlsxwriter-computed").unwrap()]).unwrap();
    assert!(text.contains("\nB,42.0,10.0,"), "{text}");
}
