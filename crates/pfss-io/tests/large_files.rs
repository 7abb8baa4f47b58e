//! A million jobs are read about as fast as their file is copied.
//! Run with `cargo test --release -p pfss-io --test large_files -- --ignored --nocapture`.

// Functions that only tests call may panic and print.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::fmt::Write;
use std::time::Instant;

use pfss_io::{Format, ReadOptions, read_bytes};

const JOBS: usize = 1_000_000;
const MACHINES: usize = 5;

fn text(separator: char, header: &str, names: bool, point: bool) -> String {
    let mut text = header.to_string();
    let mut state = 1u32;
    for job in 0..JOBS {
        if names {
            let _ = write!(text, "job{job}{separator}");
        }
        for machine in 0..MACHINES {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let end = if machine + 1 == MACHINES { '\n' } else { separator };
            let _ = write!(text, "{}{}{end}", state >> 20, if point { ".25" } else { "" });
        }
    }
    text
}

/// `cargo test --release -p pfss-io --test large_files -- --ignored --nocapture`
#[test]
#[ignore = "measures time; meant for release builds"]
fn a_million_jobs_are_read_at_once() {
    let sizes = format!("{JOBS} {MACHINES}\n");
    let cases = [
        ("csv", "x.csv", text(',', "", false, false)),
        ("csv with names", "x.csv", text(',', "job,a,b,c,d,e\n", true, false)),
        ("csv of reals", "x.csv", text(',', "", false, true)),
        ("job rows", "x.txt", text(' ', &sizes, false, false)),
    ];
    let rows = read_bytes(cases[3].2.as_bytes(), "x.txt", &ReadOptions::default()).unwrap();
    let machine_rows = Format::MachineRows.write(&rows).unwrap();
    let json = Format::Json.write(&rows).unwrap();
    let more = [("machine rows", "x.txt", machine_rows), ("json", "x.json", json)];
    for (what, file, text) in cases.into_iter().chain(more) {
        let start = Instant::now();
        let entries = read_bytes(text.as_bytes(), file, &ReadOptions::default()).unwrap();
        let elapsed = start.elapsed();
        println!("{what}: {} MB in {elapsed:.3?}", text.len() / 1_000_000);
        assert_eq!(entries[0].instance.num_jobs(), JOBS);
        // Generous, because other work may share the machine.
        assert!(elapsed.as_secs_f64() < 3.0, "{what} took {elapsed:?}");
    }
}
