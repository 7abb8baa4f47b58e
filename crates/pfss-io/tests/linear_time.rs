//! Ten times the file takes at most twelve times the time, in every format: a file that is read in quadratic time is
//! a way to stop a server with one upload.

#![cfg(target_os = "linux")]
// Functions that only tests call may panic and print.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::fmt::Write as _;

use pfss_io::attribute_tables::{read_breaks, read_machines, read_setups};
use pfss_io::{CsvOptions, Entry, Format, OrderOptions, ReadOptions, order, read_bytes};

/// What is read, and how many of it take some milliseconds.
type Case = (&'static str, usize, fn(usize) -> Box<dyn Fn()>);

/// The processor time of this thread in seconds. Time on a clock would be that of other work on the machine, too.
fn processor_time() -> f64 {
    // Only when a thread is scheduled anew its time is brought up to date.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}

fn best_of(runs: usize, read: &dyn Fn()) -> f64 {
    let time = |_| {
        let start = processor_time();
        read();
        processor_time() - start
    };
    (0..runs).map(time).fold(f64::INFINITY, f64::min)
}

/// How many times longer ten times the file takes. Other work on the machine takes caches away and makes a run slower,
/// never faster: so the best of several runs counts, and a ratio that is too high is measured again.
fn ratio(size: usize, make: fn(usize) -> Box<dyn Fn()>) -> f64 {
    let (small, large) = (make(size), make(10 * size));
    let mut ratio = f64::INFINITY;
    for _ in 0..5 {
        let least = best_of(7, &*small);
        ratio = f64::min(ratio, best_of(2, &*large) / least);
        if ratio <= 11.0 {
            break;
        }
    }
    ratio
}

/// Jobs of five machines; some have names.
fn rows(jobs: usize, header: &str, row: impl Fn(usize) -> String) -> String {
    let mut text = header.to_string();
    for job in 0..jobs {
        text.push_str(&row(job));
    }
    text
}

fn times(job: usize, separator: char) -> String {
    let times: Vec<String> = (1..=5).map(|machine| (job * machine % 89 + 1).to_string()).collect();
    times.join(&separator.to_string())
}

fn plain(jobs: usize) -> Entry {
    let text = rows(jobs, "", |job| times(job, ',') + "\n");
    Format::Csv.read(&text, CsvOptions::default()).unwrap().remove(0)
}

fn reading(text: String, file: &'static str) -> Box<dyn Fn()> {
    reading_bytes(text.into_bytes(), file)
}

fn reading_bytes(bytes: Vec<u8>, file: &'static str) -> Box<dyn Fn()> {
    Box::new(move || {
        assert!(read_bytes(&bytes, file, &ReadOptions::default()).is_ok_and(|read| !read.is_empty()))
    })
}

/// A plain instance in this format.
fn written(jobs: usize, format: Format) -> Box<dyn Fn()> {
    let text = format.write(&[plain(jobs)]).unwrap();
    Box::new(move || assert_eq!(format.read(&text, CsvOptions::default()).unwrap().len(), 1))
}

fn csv_with_attributes(jobs: usize) -> Box<dyn Fn()> {
    let header = "job,a,b,c,d,e,release,due,weight,family\n";
    let row = |job| format!("job {job},{},{job},{}.5,2,f{}\n", times(job, ','), job + 50, job % 7);
    reading(rows(jobs, header, row), "x.csv")
}

/// Jobs of `families` families on one machine.
fn families(families: usize) -> Entry {
    let text = rows(families, "job,cut,family\n", |job| format!("{job}x,3,f{job}\n"));
    Format::Csv.read(&text, CsvOptions::default()).unwrap().remove(0)
}

fn root(number: usize) -> usize {
    (number as f64).sqrt() as usize
}

fn set_ups(number: usize) -> Box<dyn Fn()> {
    let side = root(number);
    let entry = families(side);
    let pairs = (0..side * side).map(|pair| (pair / side, pair % side));
    let text = pairs.fold("machine,from,to,time\n".to_string(), |mut text, (from, to)| {
        writeln!(text, "cut,f{from},f{to},{}", (from + to) % 9).unwrap();
        text
    });
    Box::new(move || read_setups(&text, &mut entry.clone()).unwrap())
}

fn breaks(number: usize) -> Box<dyn Fn()> {
    let entry = families(2);
    let text = rows(number, "machine,from,to\n", |index| format!("cut,{},{}\n", 2 * index, 2 * index + 1));
    Box::new(move || read_breaks(&text, &mut entry.clone(), None).unwrap())
}

/// One table of machines for an instance of as many machines.
fn machines(number: usize) -> Box<dyn Fn()> {
    let names = rows(number, "job", |machine| format!(",m{machine}"));
    let entry = Format::Csv
        .read(&rows(number, &(names + "\nA"), |_| ",1".into()), CsvOptions::default())
        .unwrap()
        .remove(0);
    let text = rows(number, "machine,available_from\n", |machine| format!("m{machine},1\n"));
    Box::new(move || read_machines(&text, &mut entry.clone(), None).unwrap())
}

fn json_of_a_plan(jobs: usize) -> Box<dyn Fn()> {
    let row = |job| {
        let comma = if job == 0 { "" } else { "," };
        format!(
            "{comma}{{\"name\": \"j{job}\", \"times\": [3, 4], \"due\": {job}, \"family\": \"f{}\"}}",
            job % 5
        )
    };
    let jobs_text = rows(jobs, "", row);
    let pair = |job| {
        if job + 1 < jobs {
            format!("{}[\"j{job}\", \"j{}\"]", if job == 0 { "" } else { "," }, job + 1)
        } else {
            String::new()
        }
    };
    let precedence = rows(jobs, "", pair);
    let text = format!(
        "{{\"schema\": \"pfss.instance/2\", \"jobs\": [{jobs_text}], \"machines\": [{{\"name\": \"a\"}}, {{\"name\": \"b\"}}], \"precedence\": [{precedence}]}}"
    );
    reading(text, "x.json")
}

fn json_of_set_ups(number: usize) -> Box<dyn Fn()> {
    let side = root(number);
    let jobs = rows(side, "", |job| {
        format!("{}{{\"times\": [3], \"family\": \"f{job}\"}}", if job == 0 { "" } else { "," })
    });
    let setup = rows(side * side, "", |pair| {
        let comma = if pair == 0 { "" } else { "," };
        format!("{comma}{{\"from\": \"f{}\", \"to\": \"f{}\", \"time\": 2}}", pair / side, pair % side)
    });
    let text = format!(
        "{{\"schema\": \"pfss.instance/2\", \"jobs\": [{jobs}], \"machines\": [{{\"name\": \"cut\", \"setup\": [{setup}]}}]}}"
    );
    reading(text, "x.json")
}

fn order_of_names(jobs: usize) -> Box<dyn Fn()> {
    let text = rows(jobs, "job,a\n", |job| format!("job{job},3\n"));
    let entry = Format::Csv.read(&text, CsvOptions::default()).unwrap().remove(0);
    let names: Vec<String> = (0..jobs).rev().map(|job| format!("job{job}")).collect();
    let (words, list) = (names.join("\n"), format!("{names:?}"));
    Box::new(move || {
        for text in [&words, &list] {
            assert_eq!(
                order::read(text, &entry.instance, OrderOptions::default()).unwrap().order.len(),
                jobs
            );
        }
    })
}

fn order_of_a_record(jobs: usize) -> Box<dyn Fn()> {
    let entry = plain(jobs);
    let order: Vec<usize> = (0..jobs).collect();
    let text = format!("{{\"schema\": \"pfss.result/1\", \"instance\": \"x\", \"order\": {order:?}}}");
    Box::new(move || assert!(order::read(&text, &entry.instance, OrderOptions::default()).is_ok()))
}

#[cfg(feature = "excel")]
fn workbook(jobs: usize) -> Box<dyn Fn()> {
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    for (column, name) in (0..).zip(["job", "a", "b", "due", "family"]) {
        sheet.write_string(0, column, name).unwrap();
    }
    for (row, job) in (1..).zip(0..jobs) {
        sheet.write_string(row, 0, format!("job {job}")).unwrap();
        sheet.write_string(row, 4, format!("f{}", job % 9)).unwrap();
        for column in 1..=3 {
            sheet.write_number(row, column, (job % 90) as f64 + 0.5).unwrap();
        }
    }
    reading_bytes(book.save_to_buffer().unwrap(), "x.xlsx")
}

/// A square takes a hundred times the time. Memory that other processes use makes ten times the file take thirteen.
#[test]
fn reading_takes_time_in_proportion() {
    check(30.0);
}

#[test]
#[ignore = "measures: needs a quiet machine"]
fn reading_ten_times_the_file_takes_at_most_twelve_times_the_time() {
    check(12.0);
}

fn check(most: f64) {
    let cases: &[Case] = &[
        ("taillard", 10_000, |n| written(n, Format::Taillard)),
        ("machine rows", 10_000, |n| written(n, Format::MachineRows)),
        ("job rows", 10_000, |n| written(n, Format::JobRows)),
        ("pairs", 10_000, |n| written(n, Format::Pairs)),
        ("or-library", 10_000, |n| written(n, Format::OrLibrary)),
        ("csv", 10_000, |n| reading(rows(n, "", |job| times(job, ',') + "\n"), "x.csv")),
        ("csv with attributes", 2000, csv_with_attributes),
        ("json", 5000, |n| written(n, Format::Json)),
        ("json of a plan", 1000, json_of_a_plan),
        ("json of set-ups", 1000, json_of_set_ups),
        ("table of set-ups", 3000, set_ups),
        ("table of breaks", 3000, breaks),
        ("table of machines", 100, machines),
        ("order of names", 1000, order_of_names),
        ("order of a record", 5000, order_of_a_record),
        #[cfg(feature = "excel")]
        ("workbook", 500, workbook),
    ];
    let mut wrong = Vec::new();
    for &(name, size, make) in cases {
        let ratio = ratio(size, make);
        println!("{name}: {ratio:.1}");
        if ratio > most {
            wrong.push(format!("{name}: ten times the file takes {ratio:.1} times the time"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
