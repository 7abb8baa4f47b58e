//! `pfss solve`.

use std::io::Read;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::harness::{Folder, NAMED, without_times};

/// Two instances in one file.
const TWO: &str =
    "{\"name\":\"one\",\"times\":[[3,4],[2,1]]}\n{\"name\":\"two\",\"times\":[[1.5,2],[4,1],[2,2]]}\n";

#[test]
fn people_get_a_block_with_the_order() {
    let folder = Folder::with(&[("named.csv", NAMED)]);
    let out = folder.run("solve named.csv -a neh -s 7").ok();
    insta::assert_snapshot!(without_times(&out), @r"
    instance     named (3 jobs x 2 machines)
    algorithm    neh
    makespan     11
    lower bound  11 (gap 0.00 %)
    status       optimal, as the lower bound proves
    time         [...]
    seed         7
    order        A, C, B
    ");
    let out = folder.run("solve ta031 -a palmer -s 7").ok();
    insta::assert_snapshot!(without_times(&out), @r"
    instance     ta031 (50 jobs x 5 machines)
    algorithm    palmer
    makespan     2774
    lower bound  2712 (gap 2.29 %)
    status       feasible; the algorithm came to its end
    time         [...]
    seed         7
    order        33 30 31 9 16 25 5 17 26 40 1 44 38 23 45 29 10 4 49 3 7 39 0 12 27 28 24 37 35 41
                 2 21 8 48 36 11 46 42 20 22 18 13 6 19 43 47 14 15 34 32
    ");
}

#[test]
fn long_orders_are_shortened() {
    let out = Folder::new().run("solve ta111 -a palmer -s 7").ok();
    assert!(out.ends_with("... and 450 more; `--json` or `-o FILE` gives all\n"), "{out}");
    assert!(out.lines().all(|line| line.len() <= 100), "{out}");
}

#[test]
fn programs_get_the_promised_fields() {
    let folder = Folder::with(&[("named.csv", NAMED)]);
    let mut record = folder.run("solve named.csv -a neh -s 7 -j 1 --json").json();
    let fields = record.as_object_mut().unwrap();
    assert!(fields.remove("runtime_s").unwrap().as_f64().unwrap() > 0.0);
    assert_eq!(fields.remove("version").unwrap(), env!("CARGO_PKG_VERSION"));
    assert_eq!(fields.remove("instance_hash").unwrap().as_str().unwrap().len(), 64);
    let expected = json!({
        "schema": "pfss.result/1", "instance": "named", "num_jobs": 3, "num_machines": 2, "algorithm": "neh",
        "config": {"local-search": false, "order": "usual", "tie": "ff"}, "seed": 7, "threads": 1,
        "makespan": 11, "bound": 11, "gap": 0.0, "status": "optimal", "stop_reason": "optimal",
        "order": [0, 2, 1], "job_names": ["A", "C", "B"], "evaluations": 6,
    });
    assert_eq!(record, expected);
}

#[test]
fn a_drawn_seed_is_told_and_gives_the_same_result() {
    let folder = Folder::new();
    let solve = |more: &str| {
        folder.run(&format!("solve ta011 -a random-search --evaluations 300 --json {more}")).json()
    };
    let first = solve("");
    let again = solve(&format!("-s {}", first["seed"]));
    assert_eq!((&first["order"], &first["seed"]), (&again["order"], &again["seed"]));
}

#[test]
fn evaluations_give_the_same_result_for_any_number_of_threads() {
    let folder = Folder::new();
    for algorithm in ["auto", "iterated-greedy", "beam"] {
        let solve = |threads: u32| {
            let arguments =
                format!("solve ta021 -q -a {algorithm} --evaluations 100000 -s 3 --json -j {threads}");
            let mut record = folder.run(&arguments).json();
            record["runtime_s"] = Value::Null;
            record["threads"] = Value::Null;
            record
        };
        let one = solve(1);
        assert_eq!(one["stop_reason"], "evaluation-limit", "{algorithm}");
        for threads in [2, 4] {
            assert_eq!(solve(threads), one, "{algorithm} with {threads} threads");
        }
    }
}

#[test]
fn limits_end_a_run_in_time() {
    let folder = Folder::new();
    let stop = |limit: &str| {
        let record = folder.run(&format!("solve ta051 -a iterated-greedy -s 1 --json {limit}")).json();
        assert!(record["runtime_s"].as_f64().unwrap() < 5.0, "{limit}");
        record["stop_reason"].as_str().unwrap().to_string()
    };
    assert_eq!(stop("-t 200ms"), "time-limit");
    assert_eq!(stop("-t 0.2"), "time-limit");
    assert_eq!(stop("--time-factor 0.4"), "time-limit");
    assert_eq!(stop("--stall 5_000"), "stalled");
    assert_eq!(stop("--target 4200"), "target");
}

#[test]
fn a_missed_target_is_a_negative_answer() {
    let folder = Folder::new();
    let done = folder.run("solve ta001 -a neh --target 1278 --json");
    assert_eq!(done.code, Some(1));
    assert!(done.out.contains("\"makespan\":1297"), "{}", done.out);
    assert_eq!(folder.run("solve ta001 -a neh --target 1297 -q").code, Some(0));
}

#[test]
fn all_files_are_written_and_agree() {
    let folder = Folder::with(&[("named.csv", NAMED)]);
    let out = folder.run("solve named.csv -s 1 -o r.json --gantt g.svg --trace t.csv --schedule s.csv").ok();
    assert!(out.contains("makespan     11"), "{out}");
    assert_eq!(folder.files(), ["g.svg", "named.csv", "r.json", "s.csv", "t.csv"]);
    assert_eq!(folder.run("check named.csv r.json").ok(), "ok: makespan 11\n");
    let record: Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    assert_eq!((&record["makespan"], &record["stop_reason"]), (&json!(11), &json!("optimal")));
    let schedule = folder.read("s.csv");
    assert!(schedule.starts_with("job,machine,start,end\n"), "{schedule}");
    assert!(schedule.contains("C,weld,") && schedule.ends_with(",11\n"), "{schedule}");
    let trace = folder.read("t.csv");
    assert!(trace.starts_with("time_s,evaluations,makespan,bound\n"), "{trace}");
    assert!(trace.lines().last().unwrap().ends_with(",11,11"), "{trace}");
    let chart = folder.read("g.svg");
    assert!(chart.starts_with("<svg") && chart.contains("weld"), "{chart}");
    folder.run("solve named.csv -q --gantt g.html").ok();
    assert!(folder.read("g.html").starts_with("<!doctype html>"));
}

#[test]
fn schedules_can_be_printed() {
    let folder = Folder::with(&[("named.csv", NAMED)]);
    let done = folder.run("solve named.csv -a neh --schedule -");
    insta::assert_snapshot!(done.out, @r"
    job,machine,start,end
    A,cut,0,3
    A,weld,3,7
    C,cut,3,8
    C,weld,8,10
    B,cut,8,10
    B,weld,10,11
    ");
    assert!(done.err.contains("makespan     11"), "{}", done.err);
}

#[test]
fn several_instances_give_json_lines() {
    let folder = Folder::with(&[("two.json", TWO)]);
    let out = folder.run("solve two.json ta001 -a neh -s 1 --json -o all.json --gantt {name}.svg").ok();
    let records: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = records.iter().map(|record| record["instance"].as_str().unwrap()).collect();
    assert_eq!(names, ["one", "two", "ta001"]);
    assert!(records[0]["makespan"].is_u64() && records[1]["makespan"].is_f64());
    assert_eq!(folder.read("all.json"), out);
    assert_eq!(folder.files(), ["all.json", "one.svg", "ta001.svg", "two.json", "two.svg"]);
    let checked = folder.run("check two.json all.json").ok();
    assert_eq!(checked.lines().count(), 2, "{checked}");
    assert!(checked.starts_with("one: ok: makespan "), "{checked}");
}

#[test]
fn one_of_several_is_picked_by_number_or_name() {
    let folder = Folder::with(&[("two.json", TWO)]);
    for argument in ["two.json#2", "two.json#two"] {
        assert_eq!(folder.run(&format!("solve {argument} -a neh --json")).json()["instance"], "two");
    }
}

#[test]
fn standard_input_is_read() {
    let folder = Folder::with(&[("named.csv", NAMED)]);
    let done = folder.run_with("solve - -a neh --json", NAMED);
    assert_eq!(done.json()["job_names"], json!(["A", "C", "B"]));
    assert_eq!(folder.run_with("solve -a neh --json -- -#2", TWO).json()["instance"], "two");
    assert_eq!(folder.run_with("solve named.csv -a neh --start - --json", "C A B").json()["makespan"], 11);
}

#[test]
fn a_start_is_never_worsened() {
    let folder = Folder::new();
    let best = folder.run("solve ta001 -s 1 --json -o best.json -t 2").json()["makespan"].as_u64().unwrap();
    assert_eq!(best, 1278);
    let record = folder.run("solve ta001 -a palmer --start best.json --json").json();
    assert_eq!(record["makespan"], 1278);
}

#[test]
fn parameters_come_from_files_and_arguments() {
    let files = [("a.toml", "[neh]\ntie = \"last\"\n[palmer]\n"), ("b.json", "{\"tie\": \"first\"}")];
    let folder = Folder::with(&files);
    let tie =
        |more: &str| folder.run(&format!("solve ta001 -a neh --json {more}")).json()["config"]["tie"].clone();
    assert_eq!(tie("--config a.toml"), "last");
    assert_eq!(tie("--config b.json"), "first");
    assert_eq!(tie("--config a.toml --set tie=kk1"), "kk1");
    assert_eq!(folder.run("solve ta001 -a neh --set tie=first --json").json()["makespan"], 1286);
}

#[test]
fn too_many_threads_are_warned_about() {
    let folder = Folder::new();
    let done = folder.run("solve ta001 -a neh -j 4096 --json");
    assert!(done.err.starts_with("warning: 4096 threads share "), "{}", done.err);
    assert_eq!(folder.run("solve ta001 -a neh -j 4096 --json -q").err, "");
    assert!(folder.run("solve ta001 -a neh -v -q").err.contains("cannot be used with"));
    assert!(folder.run("solve ta001 -a neh -v -s 5").err.contains("seed 5"));
}

#[test]
fn a_closed_pipe_is_silent() {
    let folder = Folder::new();
    for arguments in [
        "solve ta111 ta112 ta113 -a palmer --json",
        "algorithms --json",
        "generate uniform -n 9999 -m 9 -s 1",
    ] {
        let mut child =
            folder.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""), "{arguments}");
    }
}
