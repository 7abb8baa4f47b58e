//! Due dates, set-ups, breaks, buffers and other objectives: whole commands.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::harness::{Done, Folder};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// Jobs with due dates and families; B is due before it can be done.
const JOBS: &str = "job,cut,weld,due,family,weight\nA,3,4,9,red,2\nB,2,1,1,blue,\nC,5,2,20,red,1\n";
const SETUP: &str = "machine,from,to,time\ncut,,red,1\ncut,red,blue,3\ncut,blue,red,2\n";

fn folder() -> Folder {
    let folder = Folder::with(&[("jobs.csv", JOBS), ("setup.csv", SETUP)]);
    for name in ["bakery-orders.json", "paint.csv", "paint-setup.csv", "steel.csv"] {
        std::fs::copy(format!("{EXAMPLES}/{name}"), folder.path(name)).unwrap();
    }
    folder
}

/// The output of a command that must succeed; a hint on standard error is allowed.
fn answer(done: Done) -> String {
    assert_eq!(done.code, Some(0), "{}", done.err);
    done.out
}

fn json(done: Done) -> Value {
    serde_json::from_str(&answer(done)).unwrap()
}

#[test]
fn charts_of_plain_jobs_have_dates_where_there_is_a_clock() {
    let folder = Folder::with(&[("plain.csv", "job,cut,weld\nA,3,4.5\nB,2,1\n")]);
    let clock = "--start-at 2026-11-16T06:00 --unit h";
    answer(folder.run(&format!("solve plain.csv -s 1 -t 1 {clock} --gantt solved.svg -o result.json")));
    answer(folder.run(&format!("plot gantt plain.csv result.json {clock} -o plotted.svg")));
    for name in ["solved.svg", "plotted.svg"] {
        let chart = std::fs::read_to_string(folder.path(name)).unwrap();
        assert!(chart.contains("A on weld: 2026-11-16 09:00 to 2026-11-16 13:30"), "{chart}");
    }
}

#[test]
fn results_tell_objective_and_value() {
    let folder = folder();
    let record = json(folder.run("solve jobs.csv --objective total-tardiness -s 1 -t 1 --json"));
    assert_eq!(
        (&record["objective"], &record["status"]),
        (&Value::from("total-tardiness"), &Value::from("optimal"))
    );
    // B first is late by 2; nothing else has to be late, and A counts twice.
    assert_eq!((&record["value"], &record["bound"], &record["gap"]), (&2.into(), &2.into(), &0.0.into()));
    assert!(record["makespan"].is_u64() && record.get("values").is_none() && record.get("jobs").is_none());
    let record = json(folder.run("solve jobs.csv --objective total-tardiness,makespan -s 1 -t 1 --json"));
    assert_eq!(record["objective"], "total-tardiness,makespan");
    assert_eq!(record["values"], Value::from(vec![record["value"].clone(), record["makespan"].clone()]));
    let record = json(
        folder.run("solve jobs.csv --objective max-lateness --first B -s 1 -t 1 --json --schedule s.csv"),
    );
    assert_eq!(record["order"][0], 1);
    let jobs = record["jobs"].as_array().unwrap();
    assert_eq!(jobs.len(), 3);
    assert_eq!(
        (&jobs[0]["name"], &jobs[0]["completion"], &jobs[0]["lateness"]),
        (&"B".into(), &3.into(), &2.into())
    );
}

#[test]
fn plain_problems_stay_plain() {
    let folder = Folder::with(&[("plain.csv", "job,cut,weld\nA,3,4\nB,2,1\n")]);
    let keys = |arguments: &str| -> BTreeSet<String> {
        let record = json(folder.run(arguments));
        record.as_object().unwrap().keys().cloned().collect()
    };
    let plain = keys("solve plain.csv -s 1 -t 1 --json");
    assert!(!plain.contains("objective") && !plain.contains("value"));
    assert_eq!(keys("solve plain.csv --objective makespan -s 1 -t 1 --json --schedule s.csv"), plain);
    assert_eq!(folder.read("s.csv").lines().next(), Some("job,machine,start,end"));
}

#[test]
fn people_are_told_who_is_late() {
    let folder = folder();
    let text = answer(folder.run("solve jobs.csv --objective total-tardiness -s 1 -t 1"));
    assert!(text.contains("total-tardiness   2\n"), "{text}");
    assert!(text.contains("late              1 of 3 jobs: B, by 2\n"), "{text}");
    let text = answer(
        folder.run("solve jobs.csv --objective late-jobs --start-at 2026-11-16T06:00 --unit h -s 1 -t 1"),
    );
    assert!(text.contains("by 2 h") && text.contains("done at           2026-11-16T"), "{text}");
}

#[test]
fn the_bakery_keeps_its_breaks_and_is_checked() {
    let folder = folder();
    let clock = "--start-at 2026-11-16T03:30 --unit min";
    let outputs = "--schedule plan.json --gantt plan.svg -o result.json";
    answer(folder.run(&format!("solve bakery-orders.json {clock} -s 1 -t 2 {outputs}")));
    let said = answer(folder.run(&format!("check bakery-orders.json result.json {clock}")));
    assert!(said.starts_with("ok: total-tardiness ") && said.contains("jobs late"), "{said}");
    let plan: Value = serde_json::from_str(&folder.read("plan.json")).unwrap();
    assert_eq!(plan["schema"], "pfss.schedule/1");
    let operations = plan["operations"].as_array().unwrap();
    assert_eq!(operations.len(), 40);
    for one in operations.iter().filter(|one| one["machine"] == "oven") {
        let (start, end) = (one["start"].as_str().unwrap(), one["end"].as_str().unwrap());
        let is_outside = |from: &str, to: &str| end <= from || start >= to;
        assert!(is_outside("2026-11-16T05:00", "2026-11-16T05:20"), "{one}");
        assert!(is_outside("2026-11-16T07:15", "2026-11-16T07:45"), "{one}");
    }
    let picture = folder.read("plan.svg");
    assert!(picture.contains("class=\"break\"") && picture.contains("class=\"due\""));
    assert!(picture.contains("break 2026-11-16 05:00 to 2026-11-16 05:20"));
}

#[test]
fn the_paint_line_is_set_up_and_checked() {
    let folder = folder();
    let setup = "--setup paint-setup.csv";
    answer(folder.run(&format!(
        "solve paint.csv {setup} --objective total-tardiness -s 1 -t 2 -o result.json --schedule plan.csv --gantt plan.html"
    )));
    let said = answer(folder.run(&format!("check paint.csv result.json {setup}")));
    assert!(said.starts_with("ok: total-tardiness "), "{said}");
    // Without the set-ups the same order is earlier: what the result claims is wrong then.
    let done = folder.run("check paint.csv result.json");
    assert_eq!(done.code, Some(1), "{}", done.out);
    assert!(folder.read("plan.csv").starts_with("job,machine,start,end,setup_start\n"));
    assert!(folder.read("plan.html").contains("\"setups\":"));
    // One file for all of it.
    answer(folder.run(&format!("convert paint.csv {setup} --objective total-tardiness -o line.json")));
    let said = answer(folder.run("check line.json result.json"));
    assert!(said.starts_with("ok: total-tardiness "), "{said}");
}

#[test]
fn the_steel_line_does_not_wait() {
    let folder = folder();
    answer(folder.run(
        "solve steel.csv --no-wait --objective total-tardiness -s 1 -t 2 -o result.json --schedule plan.csv",
    ));
    let said = answer(folder.run("check steel.csv result.json --no-wait"));
    assert!(said.starts_with("ok: total-tardiness "), "{said}");
    let rows: Vec<Vec<String>> = folder
        .read("plan.csv")
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(String::from).collect())
        .collect();
    for pair in rows.windows(2).filter(|pair| pair[0][0] == pair[1][0]) {
        assert_eq!(pair[0][3], pair[1][2], "{pair:?}");
    }
    // Without room between machines, jobs stay on them.
    let order = "0,1,2,3,4,5,6,7,8,9";
    answer(folder.run(&format!("plot gantt steel.csv {order} --buffer 0 -o plan.svg")));
    assert!(folder.read("plan.svg").contains("class=\"blocked\""));
    let said = answer(folder.run(&format!("check steel.csv {order} --buffer 0")));
    let free = answer(folder.run(&format!("check steel.csv {order} --objective makespan")));
    assert!(said.starts_with("ok: makespan ") && said != free, "{said}{free}");
}

#[cfg(feature = "excel")]
#[test]
fn workbooks_are_written_and_read() {
    let folder = folder();
    answer(
        folder.run(
            "solve jobs.csv --setup setup.csv --objective total-tardiness -s 1 -t 1 --schedule plan.xlsx",
        ),
    );
    assert!(folder.bytes("plan.xlsx").starts_with(b"PK"));
    // Its first sheet is no table of times, and the message says in which cell.
    let said = folder.run("convert plan.xlsx --to json").fails();
    assert!(said.contains("plan.xlsx, cell schedule!B2: found `cut`"), "{said}");
}

#[test]
fn targets_and_starts_count_for_the_objective() {
    let folder = folder();
    let common = "solve jobs.csv --objective total-tardiness -s 1 -t 1";
    assert_eq!(folder.run(&format!("{common} --target 2")).code, Some(0));
    assert_eq!(folder.run(&format!("{common} --target 1")).code, Some(1));
    assert_eq!(folder.run(&format!("{common} --start B,A,C")).code, Some(0));
    let said = folder.run(&format!("{common} --first A --start B,A,C")).fails();
    insta::assert_snapshot!(said.trim_end(), @"error: the order to start from: position 0 holds job B, but first fixes job A there");
}

#[test]
fn a_check_says_what_is_wrong() {
    let folder = folder();
    let wrong = |arguments: &str| {
        let done = folder.run(arguments);
        assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
        done.out.trim_end().to_string()
    };
    insta::assert_snapshot!(wrong("check jobs.csv B,A,C --objective total-tardiness --value 3"), @"wrong: the order has total-tardiness 2, not 3");
    insta::assert_snapshot!(wrong("check jobs.csv B,A,C --objective total-tardiness --makespan 3"), @"wrong: the order has makespan 12, not 3");
    insta::assert_snapshot!(wrong("check jobs.csv B,A,C --first A"), @"wrong: position 0 holds job B, but first fixes job A there");
    insta::assert_snapshot!(answer(folder.run("check jobs.csv B,A,C --objective total-tardiness,late-jobs")).trim_end(), @"ok: total-tardiness 2, late-jobs 1, makespan 12, 1 of 3 jobs late");
    insta::assert_snapshot!(answer(folder.run("check jobs.csv B,A,C --objective max-lateness --json")).trim_end(), @r#"{"instance":"jobs","late_jobs":1,"makespan":12,"objective":"max-lateness","ok":true,"schema":"pfss.check/1","value":2}"#);
}

#[test]
fn the_same_seed_and_evaluations_give_the_same_plan() {
    let folder = folder();
    let run = |threads: usize| {
        let record = json(folder.run(&format!(
            "solve paint.csv --setup paint-setup.csv --objective total-tardiness -s 7 --evaluations 3000 -j {threads} --json"
        )));
        (record["order"].clone(), record["value"].clone(), record["evaluations"].clone())
    };
    assert_eq!(run(1), run(1));
    assert_eq!(run(1), run(2));
}

#[test]
fn instances_with_dates_are_drawn() {
    let folder = Folder::new();
    let draw = "generate uniform -n 6 -m 3 --due 0.4,0.6 --release 0.3 --setup 2,50 -s 5";
    let text = answer(folder.run(draw));
    assert_eq!(text, answer(folder.run(draw)));
    let instance: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(instance["schema"], "pfss.instance/2");
    assert!(
        instance["jobs"]
            .as_array()
            .unwrap()
            .iter()
            .all(|job| job["due"].is_u64() && job["family"].is_string())
    );
    assert_eq!(instance["machines"].as_array().unwrap().len(), 3);
    answer(folder.run_with("solve - --objective total-tardiness -s 1 -t 0.2", &text));
    let said = folder.run("generate uniform -n 6 -m 3 --due 3,0.6").fails();
    assert!(said.contains("expected a tightness from 0 to 1 and a range from 0 to 2"), "{said}");
}

#[test]
fn benches_of_other_objectives_have_their_own_tables() {
    let folder = Folder::new();
    let row = |arguments: &str| {
        let _ = std::fs::remove_file(folder.path("rows.csv"));
        let done = folder.run(&format!("bench ta001 {arguments} --evaluations 500 -j 1 -o rows.csv -q"));
        assert_eq!(done.code, Some(0), "{}", done.err);
        let text = folder.read("rows.csv");
        let cells = |line: Option<&str>| -> Vec<String> {
            let mut reader =
                csv::ReaderBuilder::new().has_headers(false).from_reader(line.unwrap().as_bytes());
            reader.records().next().unwrap().unwrap().iter().map(String::from).collect()
        };
        let (names, values) = (cells(text.lines().next()), cells(text.lines().nth(1)));
        let value = |name: &str| values[names.iter().position(|other| other == name).unwrap()].clone();
        (value("instance"), value("best_known"))
    };
    assert_eq!(row("--objective total-completion"), ("ta001:total-completion".into(), "14033".into()));
    assert_eq!(row("--buffer 0"), ("ta001:buffer=0".into(), "1374".into()));
    assert_eq!(row("--objective makespan"), ("ta001".into(), "1278".into()));
    assert_eq!(row("--no-wait"), ("ta001:no-wait".into(), String::new()));
}

/// Runs a command that must fail without printing data or leaving files.
fn refused(folder: &Folder, arguments: &str) -> String {
    let before = folder.files();
    let outputs = "--json -o out.json --gantt out.svg --trace out.csv --schedule ops.json";
    let done = folder.run(&format!("{arguments} {outputs}"));
    assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{arguments}: {}", done.err);
    assert_eq!(folder.files(), before, "{arguments}");
    done.err.strip_prefix("error: ").unwrap_or(&done.err).trim_end().to_string()
}

#[test]
fn malformed_attributes_are_refused_with_their_place() {
    let refuse = |content: &str, arguments: &str| {
        let folder = Folder::with(&[("jobs.csv", content), ("setup.csv", SETUP)]);
        refused(&folder, &format!("solve jobs.csv {arguments}"))
    };
    insta::assert_snapshot!(refuse("job,a,b,weight\nA,1,2,-1\n", ""), @"jobs.csv:2:7: a weight is `-1`, but it cannot be negative");
    insta::assert_snapshot!(refuse("job,a,b,due\nA,1,2,soon\n", ""), @"jobs.csv:2:7: a due date is `soon`, expected a number of units (dates and times of day need --start-at and --unit)");
    insta::assert_snapshot!(refuse("job,a,b,due\nA,1,2,06:30\n", ""), @"jobs.csv:2:7: a due date is `06:30`, a date or a time of day; say when time 0 is with --start-at 2026-11-16T06:00 and what a unit is with --unit min");
    insta::assert_snapshot!(refuse("job,a,b,release\nA,1,2,-5\n", ""), @"jobs.csv:2:7: a release date is `-5`, but it cannot be negative");
    insta::assert_snapshot!(refuse("job,a,b\nA,1,2\nB,3,4\nA,5,6\n", ""), @"jobs.csv:4:1: two jobs are named `A`, in lines 2 and 4; give each job a name of its own");
    insta::assert_snapshot!(refuse("job;a;b\nA;1,5;2\nB;1.5;2\n", ""), @"jobs.csv:3:3: some numbers here have a decimal comma, others a point; write all of them the same way");
    insta::assert_snapshot!(refuse("job,a,b\nA,1,2\n", "--setup setup.csv"), @"setup.csv:2:1: there is no machine `cut`; the machines are a, b");
    insta::assert_snapshot!(refuse("job,a,b\nA,1,2\nB,1,2\n", "--first C"), @"--first:1:1: there is no job `C`; jobs are numbered 0 to 1, or called by their names");
    insta::assert_snapshot!(refuse("job,a,b\nA,1,2\nB,1,2\n", "--first A,A"), @"jobs.csv: job A stands twice in first, at places 1 and 2");
    insta::assert_snapshot!(refuse("job,a\nA,1\n", "--buffer 0"), @"--buffer is not used here: there is one machine only, and nothing behind it");
    insta::assert_snapshot!(refuse("job,a,b\nA,1,2\n", "--objective total-tardiness"), @"jobs.csv: the objective total-tardiness needs due dates, but no job has one");
    insta::assert_snapshot!(refuse("job,a,b,due\nA,1,2,3\n", "--objective total-tardiness,total-tardiness"), @"jobs.csv: the objective total-tardiness is listed twice; each may stand once, the most important first");
    insta::assert_snapshot!(refuse("job,a,b\nA,1,2\n", "--setup missing.csv"), @"missing.csv: cannot read: No such file or directory (os error 2)");
    insta::assert_snapshot!(refuse("job,a,b,due\nA,1,2,3\n", "--start-at tomorrow --unit h"), @"--start-at: `tomorrow` is no date; expected one such as 2026-11-16T06:00 or 2026-11-16");
    insta::assert_snapshot!(refuse("job,a,b,due\nA,1.23456789,2,3\n", ""), @"jobs.csv: job A on machine a: the time is 1.23456789; round it to at most 6 decimals, so that all sums are exact");
    insta::assert_snapshot!(refuse("job,a,b,due\nA,1,2,3\n", "-a palmer --objective total-tardiness"), @"there is no algorithm `palmer`; known are: auto, neh, iterated-greedy, beam, branch-and-bound");
}

/// Two jobs on two machines; `with` holds more members.
fn instance(jobs: &str, machines: &str, with: &str) -> String {
    format!(
        "{{\"schema\": \"pfss.instance/2\", {with}\n\"jobs\": [{{\"name\": \"A\", \"times\": [1, 2]{jobs}}}, {{\"name\": \"B\", \"times\": [3, 4]}}],\n\"machines\": [{{\"name\": \"saw\"{machines}}}, {{\"name\": \"oven\"}}]}}\n"
    )
}

#[test]
fn malformed_members_and_combinations_are_refused() {
    let refuse = |jobs: &str, machines: &str, with: &str| {
        let folder = Folder::with(&[("line.json", &instance(jobs, machines, with))]);
        refused(&folder, "solve line.json")
    };
    insta::assert_snapshot!(refuse(", \"weight\": -1", "", ""), @"line.json:2:51: a weight is `-1`, but it cannot be negative");
    insta::assert_snapshot!(refuse(", \"dew\": 1", "", ""), @"line.json:2:45: unknown field `dew`, expected one of `name`, `times`, `release`, `due`, `weight`, `family`");
    insta::assert_snapshot!(refuse("", ", \"breaks\": [[1, 5], [4, 6]]", ""), @"line.json:3:49: the break from 4 to 6 overlaps the one from 1 to 5; write them as one");
    insta::assert_snapshot!(refuse("", ", \"breaks\": [[5, 1]]", ""), @"line.json:3:41: a break from 5 to 1 has no length; its end comes after its begin");
    insta::assert_snapshot!(refuse("", ", \"setup\": [{\"from\": null, \"to\": \"\", \"time\": 1}]", ""), @"line.json:3:61: the name of a family is missing here");
    insta::assert_snapshot!(refuse(", \"family\": \"red\"", ", \"setup\": [{\"to\": \"red\", \"time\": -1}]", ""), @"line.json:3:62: a set-up time is `-1`, but it cannot be negative");
    insta::assert_snapshot!(refuse("", ", \"buffer\": -1", ""), @"line.json:3:41: found `-1`, expected a whole number from 0");
    insta::assert_snapshot!(refuse("", ", \"available_from\": -1", ""), @"line.json:3:48: the time from which a machine is free is `-1`, but it cannot be negative");
    insta::assert_snapshot!(refuse("", "", "\"objective\": \"speed\","), @"line.json:1:44: there is no objective `speed`; known are makespan, total-completion, total-tardiness, max-lateness and late-jobs");
    insta::assert_snapshot!(refuse("", "", "\"first\": [\"C\"],"), @"line.json:1:41: there is no job `C`; jobs are called by their names, or numbered 0 to 1");
    insta::assert_snapshot!(refuse("", "", "\"precedence\": [[\"A\", \"B\"], [\"B\", \"A\"]],"), @"line.json:1:46: precedence goes in a circle: A before B before A; leave out one of these pairs");
    insta::assert_snapshot!(refuse("", "", "\"first\": [\"B\"], \"precedence\": [[\"A\", \"B\"]],"), @"line.json:1:41: first puts job B before job A, but precedence wants A before B");
    insta::assert_snapshot!(refuse("", ", \"no_wait\": true, \"breaks\": [[1, 5]]", ""), @"line.json:3:14: machine saw has breaks and is part of a gap with no_wait (behind machine saw); this combination is not supported: leave out no_wait there, or the breaks");
    insta::assert_snapshot!(refuse("", ", \"no_wait\": true, \"buffer\": 1", ""), @"line.json:3:14: machine saw has no_wait and a buffer: jobs that go on at once wait nowhere; leave one of them out");
    insta::assert_snapshot!(refuse("", "}, {\"name\": \"extra\"", ""), @"line.json:1:1: `machines` has 3 entries, but jobs have 2 times");
    // A due date before the release, or before the start, is legal.
    let folder = Folder::with(&[("line.json", &instance(", \"release\": 5, \"due\": -2", "", ""))]);
    answer(folder.run("solve line.json --objective total-tardiness -s 1 -t 1"));
}

#[test]
fn commands_that_know_times_only_refuse_the_rest() {
    let folder = folder();
    insta::assert_snapshot!(folder.run("eval jobs.csv --model front -s 1").fails().trim_end(), @"error: jobs.csv: `jobs` carries more than times (due dates, set-ups, breaks, an objective, ...), which this command does not know; `pfss solve` does");
    insta::assert_snapshot!(folder.run("convert jobs.csv --to taillard").fails().trim_end(), @r#"warning: taillard keeps no names of jobs and machines; csv and json do
error: taillard has no place for release dates, due dates, weights and families of `jobs`; json has"#);
    insta::assert_snapshot!(folder.run("convert jobs.csv --setup setup.csv --to csv").fails().trim_end(), @"error: csv has no place for set-ups, breaks, buffers and other attributes of machines of `jobs`; json has");
    let said = folder.run("solve jobs.csv --no-wait --buffer 1").fails();
    assert!(said.contains("--no-wait") && said.contains("--buffer"), "{said}");
    let said = folder.run("solve jobs.csv --unit h").fails();
    assert!(said.contains("--start-at"), "{said}");
}
