//! What `pfss solve` plans with beyond times is an option of a job, of the same name and with the same answer.

use std::path::Path;
use std::process::Command;

use rust_xlsxwriter::Workbook;
use serde_json::{Value, json};

use crate::serving::Serving;

const JOBS: &str =
    "job,cut,weld,paint,due,family\nA,4,3,5,12,red\nB,2,5,1,9,blue\nC,3,3,4,10,red\nD,6,2,2,20,blue\n";
const SETUPS: &str = "machine,from,to,time\ncut,red,blue,3\ncut,blue,red,2\npaint,,red,1\n";

/// The record of `pfss solve` with these arguments.
fn by_command(folder: &Path, arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_pfss"))
        .args(["solve", "--json", "-t", "5", "-s", "1"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("jobs.csv"), JOBS).unwrap();
    std::fs::write(folder.path().join("setup.csv"), SETUPS).unwrap();
    folder
}

/// The job once it has ended, and whether its value is proven and that of the command line.
fn check(server: &Serving, accepted: &Value, expected: &Value) -> Value {
    let job = server.wait_ended(accepted["id"].as_str().unwrap());
    assert_eq!((&job["state"], &job["gap"]), (&json!("done"), &json!(0.0)), "{job}");
    assert_eq!((&job["value"], &job["objective"]), (&expected["value"], &expected["objective"]), "{job}");
    job
}

#[test]
fn options_of_planning_mean_what_they_mean_on_the_command_line() {
    let (server, folder) = (Serving::new(&[]), folder());
    let encoded: String = form(SETUPS);
    let cases: [(&[&str], String, Value); 6] = [
        (
            &["--objective", "max-lateness"],
            "objective=max-lateness".into(),
            json!({"objective": "max-lateness"}),
        ),
        (
            &["--objective", "makespan", "--no-wait"],
            "objective=makespan&no_wait=true".into(),
            json!({"objective": "makespan", "no_wait": true}),
        ),
        (
            &["--objective", "makespan", "--buffer", "0"],
            "objective=makespan&buffer=0".into(),
            json!({"objective": "makespan", "buffer": 0}),
        ),
        (
            &["--objective", "total-tardiness,makespan", "--setup", "setup.csv"],
            format!("objective=total-tardiness,makespan&setup={encoded}"),
            json!({"objective": "total-tardiness,makespan", "setup": SETUPS}),
        ),
        (
            &["--objective", "total-completion", "--first", "D,1"],
            "objective=total-completion&first=D,1".into(),
            json!({"objective": "total-completion", "first": ["D", 1]}),
        ),
        (&["--objective", "makespan"], "objective=makespan".into(), json!({"objective": "makespan"})),
    ];
    let instance: Value = {
        let reply = server.request(
            "POST",
            "/api/v1/read?name=jobs.csv",
            &[("Content-Type", "text/csv")],
            JOBS.as_bytes(),
        );
        reply.expect(200)["instance"].clone()
    };
    for (arguments, query, options) in cases {
        let expected = by_command(folder.path(), &[&["jobs.csv"], arguments].concat());
        let accepted = server.post_csv(&format!("?name=jobs.csv&time_limit=5&{query}"), JOBS).expect(202);
        check(&server, &accepted, &expected);
        let mut options = options;
        options["time_limit"] = json!(5);
        let accepted =
            server.post("/api/v1/jobs", &json!({"instance": instance, "options": options})).expect(202);
        let job = check(&server, &accepted, &expected);
        if arguments.contains(&"--first") {
            assert_eq!(job["result"]["order"].as_array().unwrap()[..2], [json!(3), json!(1)]);
        }
    }
    let refused = server.post_csv("?no_wait=true&buffer=0", JOBS).refused(400);
    assert!(refused.contains("contradict"), "{refused}");
    let wrong = server.post_csv("?setup=machine,from,to,time%0Asaw,red,blue,3", JOBS);
    assert!(wrong.refused(422).contains("saw"), "{}", wrong.text());
}

/// A text as a value of a query.
fn form(text: &str) -> String {
    text.bytes()
        .map(
            |byte| {
                if byte.is_ascii_alphanumeric() {
                    char::from(byte).to_string()
                } else {
                    format!("%{byte:02X}")
                }
            },
        )
        .collect()
}

#[test]
fn dates_need_a_clock_and_come_back_as_dates() {
    let server = Serving::new(&[]);
    let csv = "job,cut,weld,due\nA,40,30,07:30\nB,20,50,2026-11-16T08:00\nC,30,30,08:30\n";
    let refused = server.post_csv("?name=dates.csv", csv);
    assert!(refused.refused(422).contains("--start-at"), "{}", refused.text());
    let clock = "start_at=2026-11-16T06:00&unit=min";
    let id = server.post_csv(&format!("?name=dates.csv&time_limit=5&{clock}"), csv).expect(202)["id"].clone();
    let id = id.as_str().unwrap();
    let job = server.wait_ended(id);
    assert_eq!(
        (&job["options"]["start_at"], &job["options"]["unit"]),
        (&json!("2026-11-16T06:00"), &json!("min"))
    );
    assert!(job["command"].as_str().unwrap().contains("--start-at 2026-11-16T06:00 --unit min"), "{job}");
    let file = |name: &str| server.get(&format!("/api/v1/jobs/{id}/{name}")).text();
    assert!(file("schedule.csv").contains("2026-11-16T06:"), "{}", file("schedule.csv"));
    assert!(file("gantt.json").contains("\"start\":\"2026-11-16T06:00\""));
    // By hand, for the job and for the instance itself.
    let question = json!({"job": id, "order": ["A", "B", "C"]});
    let priced = server.post("/api/v1/evaluate", &question).expect(200);
    assert!(priced["schedule"].to_string().contains("2026-11-16T06:40"), "{priced}");
    let instance = json!({"schema": "pfss.instance/2", "objective": "total-tardiness",
        "jobs": [{"name": "A", "times": [40, 30], "due": "07:00"}]});
    let question = json!({"instance": instance, "order": [0], "start_at": "2026-11-16T06:00", "unit": "min"});
    assert_eq!(server.post("/api/v1/evaluate", &question).expect(200)["value"], 10);
    let question = json!({"instance": instance, "order": [0]});
    assert!(server.post("/api/v1/evaluate", &question).refused(422).contains("--start-at"));
    let body = json!({"instance": instance, "options": {"start_at": "2026-11-16T06:00", "unit": "min", "time_limit": 1}});
    let id = server.post("/api/v1/jobs", &body).expect(202)["id"].as_str().unwrap().to_string();
    assert_eq!(server.wait_ended(&id)["value"], 10);
}

#[test]
fn a_workbook_brings_attributes_set_ups_and_breaks() {
    let mut book = Workbook::new();
    let breaks = "machine,from,to\nweld,6,8\n";
    for (name, text) in [("jobs", JOBS), ("setup", SETUPS), ("breaks", breaks)] {
        let sheet = book.add_worksheet();
        sheet.set_name(name).unwrap();
        for (row, line) in text.lines().enumerate() {
            for (column, cell) in line.split(',').enumerate() {
                let (row, column) = (row as u32, column as u16);
                match cell.parse::<f64>() {
                    Ok(number) => sheet.write_number(row, column, number).unwrap(),
                    Err(_) => sheet.write_string(row, column, cell).unwrap(),
                };
            }
        }
    }
    let bytes = book.save_to_buffer().unwrap();
    let (server, folder) = (Serving::new(&[]), folder());
    std::fs::write(folder.path().join("book.xlsx"), &bytes).unwrap();
    let expected = by_command(folder.path(), &["book.xlsx", "--objective", "total-tardiness,makespan"]);
    let xlsx = [("Content-Type", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")];
    let path = "/api/v1/jobs?name=book.xlsx&time_limit=5&objective=total-tardiness,makespan";
    let accepted = server.request("POST", path, &xlsx, &bytes).expect(202);
    let job = check(&server, &accepted, &expected);
    assert_eq!(job["name"], "book");
    // Reading alone keeps them, too.
    let read = server.request("POST", "/api/v1/read?name=book.xlsx", &xlsx, &bytes).expect(200);
    let machines = &read["instance"]["machines"];
    assert_eq!(
        (&machines[1]["breaks"], machines[0]["setup"].as_array().unwrap().len()),
        (&json!([[6, 8]]), 2)
    );
}

/// F2: with nobody late the first of two objectives is as good as it can be, which proves nothing of the second one.
#[test]
fn a_gap_of_zero_in_the_first_objective_is_no_proof() {
    let server = Serving::new(&["--workers", "1"]);
    let table: String = (0..40)
        .map(|job| format!("{},{},{},9999\n", 1 + job * 37 % 97, 1 + job * 53 % 89, 1 + job * 71 % 93))
        .collect();
    let query =
        "objective=total-tardiness,makespan&algorithm=iterated-greedy&evaluations=2000&seed=1&threads=1";
    let accepted = server.post_csv(&format!("?{query}"), &format!("M1,M2,M3,due\n{table}"));
    let accepted = accepted.expect(202);
    let id = accepted["id"].as_str().unwrap();
    let done = server.wait_ended(id);
    assert_eq!((&done["state"], &done["value"], &done["gap"]), (&json!("done"), &json!(0), &json!(0.0)));
    assert_eq!(
        (&done["status"], &done["result"]["status"]),
        (&json!("feasible"), &json!("feasible")),
        "{done}"
    );
    let mut events = server.events(id, None);
    assert_eq!(events.next().unwrap().data["status"], "feasible");
    server.post(&format!("/api/v1/jobs/{id}/continue"), &json!({})).expect(202);
    assert_eq!(server.wait_ended(id)["status"], "feasible");
}

/// F7: and a proof of the makespan is one, whatever the due dates are; then there is nothing to continue.
#[test]
fn due_dates_do_not_weaken_the_search_for_the_makespan() {
    let server = Serving::new(&["--workers", "1"]);
    let body = json!({"instance": {"schema": "pfss.instance/2", "name": "due",
        "jobs": (0..12u32).map(|job| json!({"times": [1 + job * 37 % 97, 1 + job * 53 % 89, 1 + job * 71 % 93],
            "due": 100, "weight": 2, "family": "red"})).collect::<Vec<_>>()}, "options": {"algorithm": "cds"}});
    let accepted = server.post("/api/v1/jobs", &body).expect(202);
    let done = server.wait_ended(accepted["id"].as_str().unwrap());
    assert_eq!((&done["state"], &done["result"]["algorithm"]), (&json!("done"), &json!("cds")), "{done}");
    let id = server.post("/api/v1/jobs", &json!({"instance": body["instance"]})).expect(202);
    let id = id["id"].as_str().unwrap();
    let proven = server.wait_ended(id);
    assert_eq!((&proven["status"], &proven["gap"]), (&json!("optimal"), &json!(0.0)), "{proven}");
    server.post(&format!("/api/v1/jobs/{id}/continue"), &json!({})).refused(409);
}

/// Neither ended a search among layers of precedence, and its worker was lost for good.
#[test]
fn layers_of_precedence_can_be_stopped_and_forgotten() {
    let server = Serving::new(&["--workers", "1"]);
    let jobs: Vec<Value> = (0..100)
        .map(|job| json!({"times": [job * 3 % 11 + 1, job * 5 % 11 + 1, job * 7 % 11 + 1]}))
        .collect();
    let pairs = (5..100).flat_map(|after| (0..5).map(move |i| json!([after / 5 * 5 - 5 + i, after])));
    let instance = json!({"schema": "pfss.instance/2", "name": "layers", "jobs": jobs,
        "objective": "total-completion", "precedence": pairs.collect::<Vec<_>>()});
    let submit = |time_limit: &str| {
        let body = json!({"instance": instance, "options": {"time_limit": time_limit, "threads": 1}});
        let id = server.post("/api/v1/jobs", &body).expect(202)["id"].as_str().unwrap().to_string();
        format!("/api/v1/jobs/{id}")
    };
    let wait_running = |job: &str| {
        let id = job.rsplit_once('/').unwrap().1;
        server.wait(id, |job| job["state"] == "running" && job["value"].is_number());
    };
    let first = submit("60s");
    wait_running(&first);
    let stopped = server.post(&format!("{first}/stop"), &json!({})).expect(200);
    assert_eq!(stopped["state"], "stopped");
    let second = submit("60s");
    wait_running(&second);
    assert_eq!(server.request("DELETE", &second, &[], b"").status, 204);
    // The only worker is free again.
    let third = submit("100ms");
    assert_eq!(server.wait_ended(third.rsplit_once('/').unwrap().1)["state"], "done");
}
