//! What was answered with 202 survives the end of the process at any moment.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::json;

use crate::client::send;
use crate::serving::{Serving, hard_instance};

/// Kills the server at random moments under load, and looks what is left.
fn survive(kills: u64) {
    let folder = tempfile::tempdir().unwrap();
    // What was answered with 202, and the best value that an event told.
    let accepted: Mutex<HashMap<String, Option<f64>>> = Mutex::default();
    let instance = hard_instance();
    let mut state = 99u64;
    for round in 0..kills {
        let mut server = Serving::at(folder.path(), &["--workers", "2"]);
        check(&server, &accepted.lock().unwrap());
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (address, is_over, accepted, instance) =
                (server.address.clone(), &is_over, &accepted, &instance);
            let client = address.clone();
            scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    let body =
                        json!({"instance": instance, "options": {"time_limit": "400ms", "threads": 1}})
                            .to_string();
                    let reply = send(
                        &client,
                        "POST",
                        "/api/v1/jobs",
                        &[("Content-Type", "application/json")],
                        body.as_bytes(),
                    );
                    let Ok(reply) = reply else { return };
                    if reply.status != 202 {
                        return;
                    }
                    let id = reply.json()["id"].as_str().unwrap().to_string();
                    accepted.lock().unwrap().insert(id, None);
                    std::thread::sleep(Duration::from_millis(25));
                }
            });
            let server = &mut server;
            let watched = address.clone();
            scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    watch_some(&watched, accepted, is_over);
                }
            });
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(round + 1);
            std::thread::sleep(Duration::from_millis(60 + (state >> 33) % 700));
            server.kill();
            is_over.store(true, Ordering::Relaxed);
        });
    }
    let server = Serving::at(folder.path(), &["--workers", "2"]);
    let accepted = accepted.into_inner().unwrap();
    assert!(accepted.len() as u64 >= kills, "only {} jobs were accepted", accepted.len());
    check(&server, &accepted);
    // What ran goes on by itself, and every job ends.
    let id = accepted.keys().next().unwrap();
    let job = server.job(id);
    assert!(job["state"].is_string());
}

/// Reads events of a job that runs, and notes what they tell.
fn watch_some(address: &str, accepted: &Mutex<HashMap<String, Option<f64>>>, is_over: &AtomicBool) {
    use std::io::{BufRead, BufReader, Write};
    let Ok(list) = send(address, "GET", "/api/v1/jobs?limit=500", &[], b"") else { return };
    let list = list.json();
    let running = list["jobs"].as_array().unwrap().iter().find(|job| job["state"] == "running");
    let Some(id) = running.map(|job| job["id"].as_str().unwrap().to_string()) else { return };
    let Ok(mut stream) = std::net::TcpStream::connect(address) else { return };
    stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    if write!(stream, "GET /api/v1/jobs/{id}/events HTTP/1.1\r\nHost: {address}\r\n\r\n").is_err() {
        return;
    }
    for line in BufReader::new(stream).lines() {
        let Ok(line) = line else { return };
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        let Some(data) = line.strip_prefix("data: ") else { continue };
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        if let Some(value) = data["value"].as_f64() {
            accepted.lock().unwrap().entry(id.clone()).and_modify(|best| *best = Some(value));
        }
        if data["state"] == "done" {
            return;
        }
    }
}

/// Every job that was accepted is there, with a state and an order that is not worse than what was told.
fn check(server: &Serving, accepted: &HashMap<String, Option<f64>>) {
    for (id, told) in accepted {
        let job = server.job(id);
        assert!(["queued", "running", "done"].contains(&job["state"].as_str().unwrap()), "{job}");
        let Some(told) = told else { continue };
        let value = job["value"].as_f64().unwrap_or(f64::INFINITY);
        assert!(value <= *told, "{id}: told {told}, kept {value}");
        let order = &job["result"]["order"];
        let priced = server
            .post("/api/v1/evaluate", &json!({"job": id, "order": order, "schedule": false}))
            .expect(200);
        assert!(priced["value"].as_f64().unwrap() <= *told, "{id}: told {told}, {priced}");
    }
}

#[test]
fn accepted_jobs_survive_being_killed() {
    survive(6);
}

#[test]
#[ignore = "takes a minute; cargo nextest run -p pfss-cli --test serve --run-ignored only fifty_times"]
fn accepted_jobs_survive_being_killed_fifty_times() {
    survive(50);
}

#[test]
fn a_job_that_ran_goes_on_from_its_best_order() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Serving::at(folder.path(), &["--workers", "1"]);
    let id = server.submit_hard(json!({"time_limit": 2, "threads": 1}));
    let before =
        server.wait(&id, |job| job["value"].is_number() && job["progress"].as_array().unwrap().len() > 3);
    server.kill();
    let server = Serving::at(folder.path(), &["--workers", "1"]);
    let after = server.wait_ended(&id);
    assert_eq!(after["state"], "done");
    assert!(after["value"].as_f64() <= before["value"].as_f64());
    let runtime = after["runtime_s"].as_f64().unwrap();
    assert!(
        (1.9..3.5).contains(&runtime),
        "the rest of the time limit is used, not all of it again: {runtime}"
    );
}

#[test]
fn one_store_has_one_server() {
    let folder = tempfile::tempdir().unwrap();
    let _server = Serving::at(folder.path(), &[]);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_pfss"))
        .args(["serve", "--listen", "127.0.0.1:0", "--store"])
        .arg(folder.path())
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(2) && error.contains("another `pfss serve` uses this store"),
        "{error}"
    );
}
