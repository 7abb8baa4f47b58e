//! Attributes in texts: what the documented forms mean, and what is wrong is said with its place.

// Functions that only tests call may panic and print.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use pfss_core::timing::{JobAttributes, Objective, Setup};
use pfss_io::attribute_tables::{read_breaks, read_machines, read_setups};
use pfss_io::{AnyInstance, Clock, CsvOptions, Format, Overrides, Unit};

/// The example of the documentation.
const PAINT: &str = r#"{"schema": "pfss.instance/2", "name": "paint line", "objective": "total-tardiness",
 "jobs": [{"name": "hood", "times": [4, 3], "release": 0, "due": 12, "weight": 2, "family": "red"}, {"name": "door", "times": [2, 5], "due": 9, "family": "blue"}],
 "machines": [{"name": "spray", "available_from": 1, "setup": [{"from": null, "to": "red", "time": 1}, {"from": "red", "to": "blue", "time": 3}], "buffer": 2},
              {"name": "oven", "breaks": [[60, 90]], "resume": false}],
 "first": ["hood"], "precedence": [["hood", "door"]]}"#;

#[test]
fn the_documented_example_is_read() {
    let entry = Format::Json.read(PAINT, CsvOptions::default()).unwrap().remove(0);
    let attributes = &entry.attributes;
    assert_eq!(entry.instance.job_names().unwrap(), ["hood", "door"]);
    assert_eq!(entry.instance.machine_names().unwrap(), ["spray", "oven"]);
    assert_eq!(attributes.families, ["red", "blue"]);
    assert_eq!(
        attributes.jobs[0],
        JobAttributes { release: 0.0, due: Some(12.0), weight: 2.0, family: Some(0) }
    );
    let spray = &attributes.machines[0];
    assert_eq!((spray.available_from, spray.buffer), (1.0, Some(2)));
    assert_eq!(
        spray.setups,
        [Setup { from: None, to: 0, time: 1.0 }, Setup { from: Some(0), to: 1, time: 3.0 }]
    );
    assert_eq!(
        (attributes.machines[1].breaks.as_slice(), attributes.machines[1].resume),
        (&[(60.0, 90.0)][..], false)
    );
    assert_eq!((attributes.first.as_slice(), attributes.precedence.as_slice()), (&[0][..], &[(0, 1)][..]));
    assert_eq!(attributes.objectives, [Objective::TotalTardiness]);
}

fn refuses(text: &str, from: &str, to: &str, message: &str) {
    assert!(text.contains(from), "{from}");
    let format = if text.starts_with('{') { Format::Json } else { Format::Csv };
    let error = format.read(&text.replacen(from, to, 1), CsvOptions::default()).expect_err(to);
    assert_eq!(error.to_string(), message);
}

#[test]
fn wrong_members_of_json_are_refused_with_their_place() {
    for (from, to, message) in [
        (
            "\"release\": 0",
            "\"release\": -1",
            "line 2, column 56: a release date is `-1`, but it cannot be negative",
        ),
        (
            "\"release\": 0",
            "\"release\": \"soon\"",
            "line 2, column 56: a release date is `soon`, expected a number of units (dates and times of day need --start-at and --unit)",
        ),
        (
            "\"due\": 9",
            "\"due\": \"14:30\"",
            "line 2, column 142: a due date is `14:30`, a date or a time of day; say when time 0 is with --start-at 2026-11-16T06:00 and what a unit is with --unit min",
        ),
        ("\"weight\": 2", "\"weight\": -2", "line 2, column 80: a weight is `-2`, but it cannot be negative"),
        ("\"weight\": 2", "\"weight\": [2]", "line 2, column 80: found `[2]`, expected a number"),
        (
            "\"due\": 9",
            "\"duedate\": 9",
            "line 2, column 143: unknown field `duedate`, expected one of `name`, `times`, `release`, `due`, `weight`, `family`",
        ),
        ("\"to\": \"blue\"", "\"to\": \"\"", "line 3, column 126: the name of a family is missing here"),
        (
            "\"from\": \"red\", \"to\": \"blue\"",
            "\"from\": null, \"to\": \"red\"",
            "line 3, column 104: this set-up stands twice; give it once",
        ),
        (
            "\"time\": 3",
            "\"time\": -3",
            "line 3, column 142: a set-up time is `-3`, but it cannot be negative",
        ),
        (
            "[[60, 90]]",
            "[[60, 90], [80, 95]]",
            "line 4, column 53: the break from 80 to 95 overlaps the one from 60 to 90; write them as one",
        ),
        (
            "[[60, 90]]",
            "[[60, 60]]",
            "line 4, column 43: a break from 60 to 60 has no length; its end comes after its begin",
        ),
        ("[[60, 90]]", "[[60]]", "line 4, column 46: found a list of length 1, expected a list of length 2"),
        ("\"buffer\": 2", "\"buffer\": -2", "line 3, column 158: found `-2`, expected a whole number from 0"),
        (
            "\"first\": [\"hood\"]",
            "\"first\": [\"roof\"]",
            "line 5, column 12: there is no job `roof`; jobs are called by their names, or numbered 0 to 1",
        ),
        (
            "\"first\": [\"hood\"]",
            "\"first\": [2]",
            "line 5, column 12: there is no job `2`; jobs are called by their names, or numbered 0 to 1",
        ),
        (
            "[[\"hood\", \"door\"]]",
            "[[\"hood\", \"doors\"]]",
            "line 5, column 36: there is no job `doors`; jobs are called by their names, or numbered 0 to 1",
        ),
        (
            "total-tardiness",
            "tardiness",
            "line 1, column 66: there is no objective `tardiness`; known are makespan, total-completion, total-tardiness, max-lateness and late-jobs",
        ),
        (
            "\"name\": \"door\"",
            "\"name\": \"hood\"",
            "line 2, column 101: two jobs are named `hood`, in lines 2 and 2; give each job a name of its own",
        ),
        (
            "instance/2",
            "instance/1",
            "line 1, column 1: `jobs` is a member of pfss.instance/2; say so in `schema`",
        ),
        ("\"times\": [2, 5]", "\"times\": [2]", "line 2, column 127: row 2 has 1 times, expected 2"),
        ("\"times\": [2, 5], ", "", "line 2, column 101: job 1 has no `times`"),
    ] {
        refuses(PAINT, from, to, message);
    }
}

const JOBS: &str = "job;saw;oven;due;release;Weight;FAMILY\nA;3,5;4;9;;2;red\nB;2;1;4,5;1;;\n";

#[test]
fn csv_columns_are_attributes_in_any_case() {
    let entry = Format::Csv.read(JOBS, CsvOptions::default()).unwrap().remove(0);
    assert_eq!(entry.instance.machine_names().unwrap(), ["saw", "oven"]);
    let AnyInstance::Real(times) = &entry.instance else { panic!("a decimal comma makes reals") };
    assert_eq!(times.times(), [3.5, 4.0, 2.0, 1.0]);
    let jobs = &entry.attributes.jobs;
    assert_eq!(jobs[0], JobAttributes { release: 0.0, due: Some(9.0), weight: 2.0, family: Some(0) });
    assert_eq!(jobs[1], JobAttributes { release: 1.0, due: Some(4.5), weight: 1.0, family: None });
    let first =
        Format::Csv.read("family,M1,M2\nred,1,2\nblue,3,4\n", CsvOptions::default()).unwrap().remove(0);
    assert_eq!((first.instance.num_machines(), first.attributes.families.len()), (2, 2));
}

#[test]
fn wrong_cells_of_csv_are_refused_with_their_place() {
    for (from, to, message) in [
        ("9;;2", "9;-1;2", "line 2, column 11: a release date is `-1`, but it cannot be negative"),
        (
            "9;;2",
            "x;;2",
            "line 2, column 9: a due date is `x`, expected a number of units (dates and times of day need --start-at and --unit)",
        ),
        (";2;red", ";-2;red", "line 2, column 12: a weight is `-2`, but it cannot be negative"),
        (
            "release",
            "Due",
            "line 1, column 1: the columns `due` and `Due` both hold due dates; keep one, or say what the other holds, such as --column \"Due=ignore\"",
        ),
        (
            "4,5;1",
            "4.5;1",
            "line 3, column 7: some numbers here have a decimal comma, others a point; write all of them the same way",
        ),
        (
            "B;2",
            "A;2",
            "line 3, column 1: two jobs are named `A`, in lines 2 and 3; give each job a name of its own",
        ),
        (";1;;\n", ";1\n", "line 3, column 12: row 2 has 4 cells, expected 6"),
        (
            "3,5;4",
            ";4",
            "line 2, column 3: a number is missing here; every job needs a time on every machine (0 when it skips one)",
        ),
    ] {
        refuses(JOBS, from, to, message);
    }
    let options = CsvOptions { transpose: true, ..CsvOptions::default() };
    let transposed = Format::Csv.read("machine,A,B\nsaw,1,2\ndue,3,4\n", options);
    assert_eq!(
        transposed.unwrap_err().to_string(),
        "line 3, column 1: the row `due` holds attributes of jobs, which a transposed file cannot; write jobs as rows"
    );
}

#[test]
fn dates_are_units_of_the_clock() {
    let clock = Clock::new("2026-11-16T06:00", Unit::Minute).unwrap();
    let text = "job,M1,due,release\nA,5,2026-11-16 07:00,06:30\nB,5,16.11.2026,2026-11-15\n";
    let entry = Format::Csv.read_at(text, CsvOptions::default(), Some(&clock)).unwrap().remove(0);
    let jobs = &entry.attributes.jobs;
    assert_eq!((jobs[0].due, jobs[0].release), (Some(60.0), 30.0));
    assert_eq!((jobs[1].due, jobs[1].release), (Some(1080.0), 0.0));
}

#[test]
fn wrong_tables_are_refused_with_their_place() {
    let entry = || Format::Json.read(PAINT, CsvOptions::default()).unwrap().remove(0);
    for (text, message) in [
        (
            "machine,from,to\n",
            "line 1, column 1: there is no column `time`; expected a header row with the columns machine, from, to, time",
        ),
        (
            "machine,from,to,time,x\n",
            "line 1, column 22: found column `x`; expected a header row with the columns machine, from, to, time",
        ),
        ("", "there is nothing here; expected a header row with the columns machine, from, to, time"),
        (
            "machine,from,to,time\nsprai,red,blue,1\n",
            "line 2, column 1: there is no machine `sprai`; the machines are spray, oven",
        ),
        ("machine,from,to,time\nspray,red,,1\n", "line 2, column 11: the name of a family is missing here"),
        (
            "machine,from,to,time\nspray,red,blue,-1\n",
            "line 2, column 16: a set-up time is `-1`, but it cannot be negative",
        ),
        (
            "machine,from,to,time\nspray,red,blue,1\nspray,red,blue,2\n",
            "line 3, column 1: this set-up stands twice; give it once",
        ),
        (
            "machine,from,to,time\nspray,red,blue,1,2\n",
            "line 2, column 1: this row has 5 cells, the header 4",
        ),
    ] {
        let error = read_setups(text, &mut entry()).expect_err(text);
        assert_eq!(error.to_string(), message);
    }
    let error = read_breaks("machine,from,to\noven,5,9\noven,8,12\n", &mut entry(), None).unwrap_err();
    assert!(error.to_string().starts_with("line 3, column 6: the break from 8 to 12 overlaps"), "{error}");
    for (text, message) in [
        (
            "machine,buffer\nspray,many\n",
            "line 2, column 7: a buffer is `many`, expected how many jobs it holds: 0, 1, 2, ...",
        ),
        ("machine,no_wait\nspray,perhaps\n", "line 2, column 7: found `perhaps`, expected yes or no"),
        ("machine,no wait\nspray,yes\nspray,no\n", "line 3, column 1: machine `spray` stands twice"),
    ] {
        let error = read_machines(text, &mut entry(), None).expect_err(text);
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn what_a_caller_says_takes_the_place_of_what_a_file_says() {
    let mut entry = Format::Json.read(PAINT, CsvOptions::default()).unwrap().remove(0);
    let overrides = Overrides {
        objectives: Some(vec![Objective::LateJobs, Objective::Makespan]),
        setups: Some(("Machine;From;To;Time\noven;;blue;1,5\n".to_string(), "s.csv".to_string())),
        first: Some("door, hood".to_string()),
        buffer: Some(0),
        ..Overrides::default()
    };
    overrides.apply(&mut entry).unwrap();
    let attributes = &entry.attributes;
    assert_eq!(attributes.objectives, [Objective::LateJobs, Objective::Makespan]);
    assert_eq!(attributes.first, [1, 0]);
    assert_eq!((attributes.machines[0].buffer, attributes.machines[1].buffer), (Some(0), None));
    assert!(attributes.machines[0].setups.is_empty());
    assert_eq!(attributes.machines[1].setups, [Setup { from: None, to: 1, time: 1.5 }]);
    let wrong = Overrides { first: Some("1,roof".to_string()), ..Overrides::default() };
    assert_eq!(
        wrong.apply(&mut entry).unwrap_err().to_string(),
        "--first:1:3: there is no job `roof`; jobs are numbered 0 to 1, or called by their names"
    );
    let wrong =
        Overrides { setups: Some(("machine\n".to_string(), "s.csv".to_string())), ..Overrides::default() };
    assert!(
        wrong.apply(&mut entry).unwrap_err().to_string().starts_with("s.csv:1:1: there is no column `from`")
    );
}

#[test]
fn formats_without_a_place_for_attributes_refuse_them() {
    let entry = Format::Json.read(PAINT, CsvOptions::default()).unwrap().remove(0);
    let error = Format::Csv.write(std::slice::from_ref(&entry)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "csv has no place for set-ups, breaks, buffers and other attributes of machines of `paint line`; json has"
    );
    let jobs = Format::Csv.read(JOBS, CsvOptions::default()).unwrap().remove(0);
    assert!(
        Format::JobRows.write(std::slice::from_ref(&jobs)).unwrap_err().to_string().contains("due dates")
    );
}
