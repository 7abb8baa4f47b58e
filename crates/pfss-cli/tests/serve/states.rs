//! The states of a job: who changes them, at the same time too, and what is told of them.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::send;
use crate::serving::{SMALL, Serving, hard_instance};

fn id_of(reply: &Value) -> String {
    reply["id"].as_str().unwrap().to_string()
}

/// F10: twelve rounds at once would search for one job, and `stop` would reach one of them.
#[test]
fn of_twelve_that_go_on_one_is_taken() {
    let server = Serving::new(&["--workers", "2"]);
    let id = server.submit_hard(json!({"time_limit": "50ms", "threads": 1}));
    server.wait_ended(&id);
    let path = format!("/api/v1/jobs/{id}/continue");
    let statuses = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..12 {
            scope.spawn(|| {
                let status = server.post(&path, &json!({"time_limit": 60})).status;
                statuses.lock().unwrap().push(status);
            });
        }
    });
    let mut statuses = statuses.into_inner().unwrap();
    statuses.sort_unstable();
    assert_eq!(statuses, [[202].as_slice(), &[409; 11]].concat());
    server.wait(&id, |job| job["state"] == "running");
    assert_eq!(server.metric("pfss_running"), 1);
    server.post(&format!("/api/v1/jobs/{id}/stop"), &json!({})).expect(200);
    assert_eq!(server.job(&id)["state"], "stopped");
    while server.metric("pfss_running") > 0 {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A13, A11: a generated client reads a stream to its end; a running job says how long it has run.
#[test]
fn streams_end_with_the_job_and_time_goes_on() {
    let server = Serving::new(&["--workers", "1"]);
    let id = server.submit_hard(json!({"time_limit": 60, "threads": 1}));
    let mut events = server.events(&id, None);
    let before = server.wait(&id, |job| job["state"] == "running" && job["value"].is_number());
    // Also where nothing is found for a while.
    let seconds = |job: &Value| job["runtime_s"].as_f64().unwrap();
    server.wait(&id, |job| seconds(job) > seconds(&before) + 0.2);
    let list = server.get("/api/v1/jobs").expect(200);
    assert!(seconds(&list["jobs"][0]) > seconds(&before));
    server.post(&format!("/api/v1/jobs/{id}/stop"), &json!({})).expect(200);
    let last = std::iter::from_fn(|| events.next()).last().unwrap();
    assert_eq!((last.name.as_str(), &last.data["state"]), ("state", &json!("stopped")));
    // Of a job that has ended: its state, and the end. Whoever was there before gets the rest first.
    let all: Vec<_> = std::iter::from_fn({
        let mut events = server.events(&id, None);
        move || events.next()
    })
    .collect();
    assert_eq!(all.len(), 1);
    let mut missed = server.events(&id, Some(1));
    let missed: Vec<_> = std::iter::from_fn(|| missed.next()).collect();
    assert!(missed.len() > 1 && missed.last().unwrap().data["state"] == "stopped", "{missed:?}");
    // A number that an earlier process gave counts as nothing.
    let mut strange = server.events(&id, Some(i64::MAX as u64));
    assert_eq!(std::iter::from_fn(|| strange.next()).count(), 1);
    let path = format!("/api/v1/jobs/{id}/events");
    server.request("GET", &path, &[("Last-Event-ID", "last")], b"").refused(400);
    while server.metric("pfss_event_streams") > 0 {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A6: the loop that cleans up.
#[test]
fn the_list_goes_on_behind_jobs_that_were_forgotten() {
    let server = Serving::new(&[]);
    let all: Vec<String> =
        (0..5).map(|_| id_of(&server.post_csv("?time_limit=100ms", SMALL).expect(202))).collect();
    all.iter().for_each(|id| drop(server.wait_ended(id)));
    let (mut path, mut seen) = ("/api/v1/jobs?limit=2".to_string(), Vec::new());
    loop {
        let page = server.get(&path).expect(200);
        for job in page["jobs"].as_array().unwrap() {
            let id = id_of(job);
            assert_eq!(server.request("DELETE", &format!("/api/v1/jobs/{id}"), &[], b"").status, 204);
            seen.push(id);
        }
        let Some(next) = page["next"].as_str() else { break };
        path = format!("/api/v1/jobs?limit=2&before={next}");
    }
    seen.reverse();
    assert_eq!(seen, all);
    assert!(server.get("/api/v1/jobs?before=nobody").refused(404).contains("there is and was no job"));
}

/// What eight clients do at random with jobs of all, and what they were told. With `kill`, the server ends in between.
fn at_random(time: Duration, kill: bool) {
    let folder = tempfile::tempdir().unwrap();
    let instance = hard_instance();
    // What is known of each job: whether it was forgotten, or may have been.
    let told: Mutex<BTreeMap<String, bool>> = Mutex::default();
    let end = Instant::now() + time;
    let mut rounds = 0u64;
    while Instant::now() < end {
        rounds += 1;
        let mut server = Serving::at(folder.path(), &["--workers", "2"]);
        compare(&server, &told.lock().unwrap());
        let until = if kill { end.min(Instant::now() + Duration::from_secs(5)) } else { end };
        std::thread::scope(|scope| {
            for client in 0..8u64 {
                let (address, told, instance) = (server.address.clone(), &told, &instance);
                scope.spawn(move || {
                    let mut state = rounds * 100 + client;
                    while Instant::now() < until && act(&address, told, instance, &mut state).is_some() {}
                });
            }
            if kill {
                let left = until.saturating_duration_since(Instant::now());
                std::thread::sleep(left.mul_f64(0.2 + 0.15 * (rounds % 5) as f64));
                server.kill();
            }
        });
        if !kill {
            settle(&server, &told.lock().unwrap());
        }
    }
    let server = Serving::at(folder.path(), &["--workers", "2"]);
    let told = told.into_inner().unwrap();
    compare(&server, &told);
    settle(&server, &told);
    assert!(told.len() as u64 > rounds, "only {} jobs were accepted", told.len());
    eprintln!("{} jobs, {rounds} processes", told.len());
}

/// One request; `None` where the server is gone. Every answer must be one that the state allows.
fn act(address: &str, told: &Mutex<BTreeMap<String, bool>>, instance: &Value, state: &mut u64) -> Option<()> {
    let mut random = |below: u64| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % below
    };
    let json = [("Content-Type", "application/json")];
    let some = {
        let told = told.lock().unwrap();
        let at = random(told.len().max(1) as u64) as usize;
        told.keys().nth(at).cloned()
    };
    let options = json!({"time_limit": "150ms", "threads": 1});
    let (Some(id), true) = (some, random(4) > 0) else {
        let body = format!("{{\"instance\":{instance},\"options\":{options}}}");
        let reply = send(address, "POST", "/api/v1/jobs", &json, body.as_bytes()).ok()?;
        assert!([202, 429].contains(&reply.status), "{}", reply.text());
        if reply.status == 202 {
            told.lock().unwrap().insert(id_of(&reply.json()), false);
        }
        return Some(());
    };
    let path = format!("/api/v1/jobs/{id}");
    let (method, path, allowed): (_, _, &[u16]) = match random(6) {
        0 | 1 => ("POST", format!("{path}/continue"), &[202, 404, 409, 429]),
        2 | 3 => ("POST", format!("{path}/stop"), &[200, 404]),
        4 => ("GET", path, &[200, 404]),
        _ => {
            // Whatever is answered, it may be gone from now on.
            told.lock().unwrap().insert(id.clone(), true);
            ("DELETE", path, &[204, 404])
        }
    };
    let reply = send(address, method, &path, &[], b"").ok()?;
    assert!(allowed.contains(&reply.status), "{method} {path}: {} {}", reply.status, reply.text());
    let was_forgotten = told.lock().unwrap()[&id];
    assert!(reply.status != 404 || was_forgotten, "{id} is lost");
    Some(())
}

/// Every job that nobody forgot is there.
fn compare(server: &Serving, told: &BTreeMap<String, bool>) {
    for (id, may_be_gone) in told {
        let status = server.get(&format!("/api/v1/jobs/{id}")).status;
        assert!(status == 200 || *may_be_gone && status == 404, "{id}: {status}");
    }
}

/// Every job ends, and no worker is left with one.
fn settle(server: &Serving, told: &BTreeMap<String, bool>) {
    let begin = Instant::now();
    let busy = || server.metric("pfss_running") + server.metric("pfss_queue_length");
    while busy() > 0 {
        assert!(begin.elapsed() < Duration::from_secs(120), "{} jobs run or wait", busy());
        std::thread::sleep(Duration::from_millis(50));
    }
    for id in told.keys() {
        let reply = server.get(&format!("/api/v1/jobs/{id}"));
        if reply.status == 200 {
            let job = reply.json();
            assert!(["done", "stopped"].contains(&job["state"].as_str().unwrap()), "{job}");
        }
    }
}

#[test]
fn eight_clients_at_random_lose_no_job() {
    at_random(Duration::from_secs(3), false);
}

#[test]
fn eight_clients_at_random_and_kills_lose_no_job() {
    at_random(Duration::from_secs(6), true);
}

#[test]
#[ignore = "takes an hour; cargo nextest run -p pfss-cli --test serve --run-ignored only for_an_hour"]
fn eight_clients_at_random_and_kills_for_an_hour() {
    at_random(Duration::from_secs(3600), true);
}
