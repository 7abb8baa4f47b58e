//! Which rows and columns of a CSV file are names.

// Functions that only tests call may panic and print.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use pfss_io::{AnyInstance, Clock, CsvOptions, Unit, csv};

fn read(text: &str) -> AnyInstance {
    csv::read(text).unwrap_or_else(|error| panic!("{error}\n{text}")).remove(0).instance
}

#[track_caller]
fn reads(text: &str, rows: &[&[u32]], jobs: Option<&[&str]>, machines: Option<&[&str]>) {
    let AnyInstance::Integer(instance) = read(text) else { panic!("expected integers") };
    let found: Vec<&[u32]> = (0..instance.num_jobs()).map(|job| instance.job(job as u32)).collect();
    assert_eq!(found, rows);
    let texts = |names: Option<&[String]>| names.map(<[String]>::to_vec);
    let owned = |names: Option<&[&str]>| names.map(|n| n.iter().map(|s| s.to_string()).collect::<Vec<_>>());
    assert_eq!(texts(instance.job_names()), owned(jobs));
    assert_eq!(texts(instance.machine_names()), owned(machines));
}

#[test]
fn bare_times() {
    reads("1,2\n3,4\n", &[&[1, 2], &[3, 4]], None, None);
    reads("1\n2\n", &[&[1], &[2]], None, None);
    reads("5", &[&[5]], None, None);
    reads(" 1 ; 2 \r\n\r\n\"3\"; 4\r\n;;\r\n", &[&[1, 2], &[3, 4]], None, None);
    reads("1\t2\n3\t4\n", &[&[1, 2], &[3, 4]], None, None);
}

#[test]
fn names_of_jobs_machines_or_both() {
    reads("a,1,2\nb,3,4\n", &[&[1, 2], &[3, 4]], Some(&["a", "b"]), None);
    reads("cut,weld\n1,2\n3,4\n", &[&[1, 2], &[3, 4]], None, Some(&["cut", "weld"]));
    reads("job,cut,weld\na,1,2\nb,3,4\n", &[&[1, 2], &[3, 4]], Some(&["a", "b"]), Some(&["cut", "weld"]));
    reads("Auftrag,cut,weld\na,1,2\n7,3,4\n", &[&[1, 2], &[3, 4]], Some(&["a", "7"]), Some(&["cut", "weld"]));
    reads("J1,1,2\nJ2,3,4\n", &[&[1, 2], &[3, 4]], Some(&["J1", "J2"]), None);
    reads("cut\n1\n", &[&[1]], None, Some(&["cut"]));
}

#[test]
fn numbers_as_names_need_a_corner() {
    reads("job,7,9\n12,1,2\n10,3,4\n", &[&[1, 2], &[3, 4]], Some(&["12", "10"]), Some(&["7", "9"]));
    reads("id,cut\n12,1\n", &[&[1]], Some(&["12"]), Some(&["cut"]));
    // As data frames write it; the index says no more than the position does.
    reads(",0,1\n0,1,2\n1,3,4\n", &[&[1, 2], &[3, 4]], None, Some(&["0", "1"]));
    // As R writes it: the header has one cell less.
    reads("cut,weld\na,1,2\nb,3,4\n", &[&[1, 2], &[3, 4]], Some(&["a", "b"]), Some(&["cut", "weld"]));
}

#[test]
fn quoted_names() {
    reads("job,\"a, \"\"b\"\"\",c\n\"x\ny\",1,2\n", &[&[1, 2]], Some(&["x\ny"]), Some(&["a, \"b\"", "c"]));
    reads("\"a;b\";\"c,d\"\n1;2\n", &[&[1, 2]], None, Some(&["a;b", "c,d"]));
}

#[test]
fn transposed() {
    let text = "machine,a,b,c\ncut,1,2,3\nweld,4,5,6\n";
    let instance = csv::read_with(text, CsvOptions { transpose: true, ..CsvOptions::default() }, None)
        .unwrap()
        .remove(0)
        .instance;
    let AnyInstance::Integer(instance) = instance else { panic!("expected integers") };
    assert_eq!((instance.num_jobs(), instance.num_machines()), (3, 2));
    assert_eq!(instance.job(1), &[2, 5]);
    assert_eq!(instance.job_names().unwrap(), ["a", "b", "c"]);
    assert_eq!(instance.machine_names().unwrap(), ["cut", "weld"]);
}

#[test]
fn one_real_number_makes_all_real() {
    assert!(!read("1,2\n3,4.0\n").is_integer());
    assert!(!read("1,2\n3,4e0\n").is_integer());
    assert!(read("1,2\n3,+4\n").is_integer());
}

#[test]
fn durations_are_times_in_the_plans_unit() {
    let clock = Clock::new("2026-11-16T06:00", Unit::Minute).unwrap();
    let read = |text: &str| csv::read_with(text, CsvOptions::default(), Some(&clock));
    let AnyInstance::Integer(instance) =
        read("job,cut,weld\nA,0:40,12\nB,1:30,36:00\n").unwrap().remove(0).instance
    else {
        panic!("expected integers")
    };
    assert_eq!((instance.job(0), instance.job(1)), (&[40, 12][..], &[90, 2160][..]));
    let message = csv::read("job,cut\nA,0:40\n").unwrap_err().to_string();
    assert!(
        message.starts_with("line 2, column 3: found `0:40`") && message.ends_with("a duration such as 0:40"),
        "{message}"
    );
}

/// The first job was taken for names of machines.
#[test]
fn a_row_of_durations_is_no_header() {
    assert!(
        csv::read("0:40,0:30\n0:20,0:10\n")
            .unwrap_err()
            .to_string()
            .starts_with("line 1, column 1: found `0:40`")
    );
}
