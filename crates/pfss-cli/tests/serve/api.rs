//! The life of a job through the API.

use serde_json::json;

use crate::serving::{SMALL, Serving};

#[test]
fn a_job_from_its_table_to_its_files() {
    let server = Serving::new(&[]);
    let reply = server.post_csv("?name=shop.csv&time_limit=2s&seed=7", SMALL);
    let location = reply.header("location").unwrap().to_string();
    let accepted = reply.expect(202);
    let id = accepted["id"].as_str().unwrap();
    assert_eq!(
        (accepted["url"].as_str().unwrap(), format!("/api/v1/jobs/{id}")),
        (location.as_str(), location.clone())
    );
    let job = server.wait_ended(id);
    assert_eq!(
        (&job["state"], &job["value"], &job["bound"], &job["gap"]),
        (&json!("done"), &json!(11), &json!(11), &json!(0.0))
    );
    assert_eq!(
        (&job["name"], &job["num_jobs"], &job["objective"]),
        (&json!("shop"), &json!(3), &json!("makespan"))
    );
    let result = &job["result"];
    assert_eq!(
        (&result["schema"], &result["status"], &result["seed"]),
        (&json!("pfss.result/1"), &json!("optimal"), &json!(7))
    );
    assert_eq!(result["order"].as_array().unwrap().len(), 3);
    assert!(job["command"].as_str().unwrap().starts_with("pfss solve instance.json -t 2 -s 7"), "{job}");

    let file = |name: &str| server.get(&format!("/api/v1/jobs/{id}/{name}"));
    let csv = file("schedule.csv");
    assert!(
        csv.text().starts_with("job,machine,start,end\n") && csv.text().contains("cut"),
        "{}",
        csv.text()
    );
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    assert!(file("schedule.xlsx").body.starts_with(b"PK"));
    assert_eq!(file("schedule.json").json()["schema"], "pfss.schedule/1");
    assert!(file("gantt.svg").text().starts_with("<svg"));
    assert!(file("gantt.html").text().contains("ganttChart"));
    assert_eq!(file("gantt.json").json()["makespan"], 11);
    let instance = file("instance.json").json();
    assert_eq!((&instance["job_names"], &instance["times"][0]), (&json!(["A", "B", "C"]), &json!([3, 4])));

    let list = server.get("/api/v1/jobs").expect(200);
    assert_eq!((list["jobs"][0]["id"].as_str(), &list["next"]), (Some(id), &json!(null)));
    assert_eq!(server.request("DELETE", &location, &[], b"").status, 204);
    server.get(&location).refused(404);
}

#[test]
fn the_record_is_that_of_the_command_line() {
    let server = Serving::new(&[]);
    let options = json!({"algorithm": "neh", "seed": 3, "threads": 1});
    let id = server.submit_hard(options);
    let by_server = server.wait_ended(&id)["result"].clone();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hard.json");
    std::fs::write(&file, server.get(&format!("/api/v1/jobs/{id}/instance.json")).body).unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_pfss"))
        .args(["solve", "--json", "-a", "neh", "-s", "3", "-j", "1"])
        .arg(&file)
        .output()
        .unwrap();
    let by_command: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for field in by_command.as_object().unwrap().keys().filter(|field| *field != "runtime_s") {
        assert_eq!(by_server[field], by_command[field], "{field}");
    }
    assert_eq!(by_server.as_object().unwrap().len(), by_command.as_object().unwrap().len());
}

#[test]
fn a_running_job_is_watched_stopped_and_continued() {
    let server = Serving::new(&["--workers", "1"]);
    let id = server.submit_hard(json!({"time_limit": 60, "seed": 1, "threads": 1}));
    let mut events = server.events(&id, None);
    let first = events.next().unwrap();
    assert_eq!((first.name.as_str(), first.id), ("state", None));
    let (mut last, mut value) = (0, f64::INFINITY);
    for _ in 0..4 {
        let event = events.next().unwrap();
        if event.name == "improvement" {
            let now = event.data["makespan"].as_f64().unwrap();
            assert!(now <= value && event.data["bound"].as_f64().unwrap() <= now, "{event:?}");
            value = now;
        }
        assert!(event.id.unwrap() > last, "{event:?}");
        last = event.id.unwrap();
    }
    let running = server.job(&id);
    assert_eq!(
        (&running["state"], &running["result"]["stop_reason"]),
        (&json!("running"), &json!("running"))
    );
    // Nobody may go on with a job that runs.
    server.post(&format!("/api/v1/jobs/{id}/continue"), &json!({})).refused(409);
    let stopped = server.post(&format!("/api/v1/jobs/{id}/stop"), &json!({})).expect(200);
    assert_eq!(
        (&stopped["state"], &stopped["result"]["stop_reason"]),
        (&json!("stopped"), &json!("cancelled"))
    );
    let again = server.post(&format!("/api/v1/jobs/{id}/stop"), &json!({})).expect(200);
    assert_eq!(again["result"], stopped["result"]);

    // Who comes back with the number of the last event is told what was missed, and nothing twice.
    let mut later = server.events(&id, Some(last));
    assert_eq!(later.next().unwrap().data["state"], "stopped");
    let missed = later.next().unwrap();
    assert!(missed.id.unwrap() > last, "{missed:?}");

    let continued =
        server.post(&format!("/api/v1/jobs/{id}/continue"), &json!({"time_limit": "300ms"})).expect(202);
    assert_eq!(continued["state"], "queued");
    let done = server.wait_ended(&id);
    assert_eq!(done["state"], "done");
    assert!(done["value"].as_f64() <= stopped["value"].as_f64());
    assert!(done["bound"].as_f64() >= stopped["bound"].as_f64());
    assert!(done["runtime_s"].as_f64().unwrap() >= stopped["runtime_s"].as_f64().unwrap() + 0.2, "{done}");
}

#[test]
fn jobs_wait_their_turn_and_can_be_stopped_or_forgotten_meanwhile() {
    let server = Serving::new(&["--workers", "1"]);
    let first = server.submit_hard(json!({"time_limit": 60}));
    let ids: Vec<String> = (0..3).map(|_| server.submit_hard(json!({"time_limit": "100ms"}))).collect();
    assert_eq!(server.job(&ids[0])["state"], "queued");
    server.get(&format!("/api/v1/jobs/{}/gantt.svg", ids[0])).refused(409);
    let stopped = server.post(&format!("/api/v1/jobs/{}/stop", ids[0]), &json!({})).expect(200);
    assert_eq!((&stopped["state"], &stopped["result"]), (&json!("stopped"), &json!(null)));
    assert_eq!(server.request("DELETE", &format!("/api/v1/jobs/{}", ids[1]), &[], b"").status, 204);
    let mut watched = server.events(&first, None);
    assert_eq!(server.request("DELETE", &format!("/api/v1/jobs/{first}"), &[], b"").status, 204);
    while watched.next().is_some() {}
    assert_eq!(server.wait_ended(&ids[2])["state"], "done");
    let list = server.get("/api/v1/jobs?limit=1").expect(200);
    assert_eq!((list["jobs"][0]["id"].as_str().unwrap(), &list["next"]), (ids[2].as_str(), &json!(ids[2])));
    let rest = server.get(&format!("/api/v1/jobs?before={}", ids[2])).expect(200);
    assert_eq!(rest["jobs"].as_array().unwrap().len(), 1);
}

#[test]
fn orders_are_priced_at_once_and_improved_from_where_they_are() {
    let server = Serving::new(&[]);
    let instance = json!({"times": [[3, 4], [2, 1], [5, 2], [1, 6]], "job_names": ["a", "b", "c", "d"]});
    let question = json!({"instance": instance, "order": ["c", "a", "b", "d"], "chart": true});
    let answer = server.post("/api/v1/evaluate", &question).expect(200);
    assert_eq!((&answer["value"], &answer["makespan"]), (&json!(19), &json!(19)));
    assert!(answer["bound"].as_f64().unwrap() <= 14.0);
    assert_eq!(answer["schedule"]["jobs"][0]["name"], "c");
    assert_eq!(answer["chart"]["makespan"], 19);

    // Pinned jobs keep their places; with all of them pinned, the order itself is the plan.
    let options = json!({"start": [2, 0, 1, 3], "pinned": [2], "time_limit": "200ms"});
    let reply = server.post("/api/v1/jobs", &json!({"instance": instance, "options": options}));
    let id = reply.expect(202)["id"].as_str().unwrap().to_string();
    let improved = server.wait_ended(&id);
    assert_eq!(
        (&improved["result"]["order"][0], &improved["result"]["algorithm"]),
        (&json!(2), &json!("pinned-search"))
    );
    assert!(improved["value"].as_f64().unwrap() < 19.0);
    let options = json!({"start": [2, 0, 1, 3], "pinned": [0, 1, 2, 3], "time_limit": 1});
    let reply = server.post("/api/v1/jobs", &json!({"instance": instance, "options": options}));
    let kept = server.wait_ended(reply.expect(202)["id"].as_str().unwrap());
    assert_eq!((&kept["result"]["order"], &kept["value"]), (&json!([2, 0, 1, 3]), &json!(19)));

    let by_job = server
        .post("/api/v1/evaluate", &json!({"job": id, "order": [0, 1, 2, 3], "schedule": false}))
        .expect(200);
    assert!(by_job.get("schedule").is_none() && by_job["value"].as_f64().unwrap() >= 14.0);
}

#[test]
fn a_workbook_is_read_and_written() {
    let server = Serving::new(&[]);
    let id =
        server.post_csv("?name=shop.csv&time_limit=1", SMALL).expect(202)["id"].as_str().unwrap().to_string();
    server.wait_ended(&id);
    let book = server.get(&format!("/api/v1/jobs/{id}/schedule.xlsx")).body;
    // A schedule is no instance, and the sentence says where it is wrong.
    let xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    let reply = server.request("POST", "/api/v1/read?name=plan.xlsx", &[("Content-Type", xlsx)], &book);
    assert!(reply.refused(422).starts_with("plan.xlsx"), "{}", reply.text());
    let table = server.request(
        "POST",
        "/api/v1/read?name=ta.txt",
        &[("Content-Type", "text/plain")],
        b"3 2\n1 2 3\n4 5 6\n",
    );
    let table = table.expect(200);
    assert_eq!(
        (&table["num_jobs"], &table["num_machines"], &table["csv"]),
        (&json!(3), &json!(2), &json!("1,4\n2,5\n3,6\n"))
    );
}

#[test]
fn due_dates_and_set_ups_are_planned_with() {
    let server = Serving::new(&[]);
    let csv = "job,cut,weld,due,weight\nA,4,3,12,1\nB,2,5,7,1\nC,3,3,10,1\n";
    let reply = server.post_csv("?name=due.csv&time_limit=2&objective=total-tardiness", csv);
    let id = reply.expect(202)["id"].as_str().unwrap().to_string();
    let job = server.wait_ended(&id);
    assert_eq!(
        (&job["objective"], &job["value"], &job["state"]),
        (&json!("total-tardiness"), &json!(1), &json!("done"))
    );
    assert_eq!(job["result"]["order"], json!([1, 2, 0]));
    let file = |name: &str| server.get(&format!("/api/v1/jobs/{id}/{name}"));
    assert_eq!(file("schedule.json").json()["jobs"][0]["due"], 7);
    assert!(file("gantt.json").json()["plan"]["due"].is_array());
    assert!(file("gantt.svg").text().starts_with("<svg"));
    assert_eq!(file("instance.json").json()["schema"], "pfss.instance/2");
    let moved = server
        .post("/api/v1/evaluate", &json!({"job": id, "order": ["A", "B", "C"], "chart": true}))
        .expect(200);
    assert!(moved["value"].as_f64().unwrap() > 1.0 && moved["chart"]["plan"].is_object(), "{moved}");
    // The command line agrees.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("due.json");
    std::fs::write(&path, file("instance.json").body).unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_pfss"))
        .args(["solve", "--json", "-t", "2"])
        .arg(&path)
        .output();
    let by_command: serde_json::Value = serde_json::from_slice(&output.unwrap().stdout).unwrap();
    assert_eq!((&by_command["value"], &by_command["objective"]), (&job["value"], &job["objective"]));
    // Objectives that need due dates are refused without them, and unknown ones with what is known.
    assert!(server.post_csv("?objective=total-tardiness", SMALL).refused(422).contains("due"));
    assert!(server.post_csv("?objective=beauty", SMALL).refused(400).contains("late-jobs"));
}
