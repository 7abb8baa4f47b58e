//! The description of the API: valid, and true in every path and status.

use std::collections::BTreeSet;
use std::io::Write;

use serde_json::{Value, json};

use crate::serving::{SMALL, Serving};

/// Statuses that all paths of a kind have in common; `faults`, `input` and `hostile` see each of them.
const COMMON: [u16; 9] = [400, 401, 403, 408, 414, 415, 431, 503, 507];

fn promised(document: &Value) -> BTreeSet<(String, String, u16)> {
    let mut all = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        // The files of a job have paths of their own, but one handler.
        let is_file = path.starts_with("/api/v1/jobs/{id}/") && path.contains('.');
        let path = if is_file { "/api/v1/jobs/{id}/{file}" } else { path };
        for (method, operation) in methods.as_object().unwrap() {
            for status in operation["responses"].as_object().unwrap().keys() {
                all.insert((method.clone(), path.to_string(), status.parse().unwrap()));
            }
        }
    }
    all
}

/// Every reference leads somewhere.
fn check_references(value: &Value, document: &Value) {
    match value {
        Value::Object(map) => {
            if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
                let pointer = reference.strip_prefix('#').unwrap();
                assert!(document.pointer(pointer).is_some(), "{reference}");
            }
            map.values().for_each(|value| check_references(value, document));
        }
        Value::Array(list) => list.iter().for_each(|value| check_references(value, document)),
        _ => {}
    }
}

#[test]
fn the_description_is_valid() {
    let server = Serving::new(&[]);
    let document = server.get("/api/v1/openapi.json").expect(200);
    assert_eq!(document["openapi"], "3.1.0");
    check_references(&document, &document);
    let mut operations = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            assert!(
                operations.insert(operation["operationId"].as_str().unwrap().to_string()),
                "{path} {method}"
            );
            for name in path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
                let parameters = operation["parameters"].as_array().unwrap();
                assert!(
                    parameters.iter().any(|given| given["name"] == name && given["in"] == "path"),
                    "{path} {name}"
                );
            }
            for (status, response) in operation["responses"].as_object().unwrap() {
                assert!(response["description"].is_string(), "{path} {method} {status}");
            }
        }
    }
    // The schema of OpenAPI itself, where the validator from npm is at hand.
    if let Some(tools) = std::env::var_os("PFSS_NODE_MODULES") {
        let script = "import('@seriousme/openapi-schema-validator').then(async ({ Validator }) => { \
             const result = await new Validator().validate(JSON.parse(require('fs').readFileSync(0, 'utf8'))); \
             if (!result.valid) { console.error(JSON.stringify(result.errors)); process.exit(1); } })";
        let mut node = std::process::Command::new("node")
            .args(["-e", script])
            .current_dir(std::path::Path::new(&tools).parent().unwrap())
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        node.stdin.take().unwrap().write_all(document.to_string().as_bytes()).unwrap();
        assert!(node.wait().unwrap().success());
    }
}

/// Every example of a body is accepted as it stands.
#[test]
fn examples_are_run() {
    let server = Serving::new(&[]);
    let document = server.get("/api/v1/openapi.json").expect(200);
    let stopped = server.submit_hard(json!({"time_limit": "50ms"}));
    server.wait_ended(&stopped);
    let mut sent = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        let Some(content) = methods["post"]["requestBody"]["content"].as_object() else { continue };
        for (media_type, content) in content {
            let reference = content["schema"]["$ref"].as_str().and_then(|name| name.strip_prefix('#'));
            let schema = reference.and_then(|pointer| document.pointer(pointer));
            let example = content.get("example").or_else(|| schema?.get("example"));
            let Some(example) = example else { continue };
            let body = example.as_str().map_or_else(|| example.to_string(), str::to_string);
            let path = path.replace("{id}", &stopped);
            let reply = server.request("POST", &path, &[("Content-Type", media_type)], body.as_bytes());
            assert!(reply.status < 300, "{path} {media_type}: {}", reply.text());
            sent += 1;
        }
    }
    let instance = &document["components"]["schemas"]["Instance"]["example"];
    let id = server.post("/api/v1/jobs", &json!({"instance": instance})).expect(202);
    assert_eq!(server.wait_ended(id["id"].as_str().unwrap())["status"], "optimal");
    assert!(sent >= 5, "{sent}");
}

#[test]
fn every_path_and_status_is_given() {
    let server = Serving::new(&["--workers", "1", "--max-time", "1m"]);
    let csv = [("Content-Type", "text/csv")];
    let done =
        server.post_csv("?time_limit=1&name=a.csv", SMALL).expect(202)["id"].as_str().unwrap().to_string();
    server.wait_ended(&done);
    let running = server.submit_hard(json!({"time_limit": 60}));
    let waiting = server.submit_hard(json!({"time_limit": 60}));
    let path = |id: &str, rest: &str| format!("/api/v1/jobs/{id}{rest}");
    // jobs
    server.post_csv("?colour=red", SMALL).refused(400);
    server.request("POST", "/api/v1/jobs", &[("Content-Type", "image/png")], b"x").refused(415);
    server.post_csv("", "job,a\nx,-1\n").refused(422);
    let large = vec![b'1'; (64 << 20) + 1];
    server.request("POST", "/api/v1/jobs", &csv, &large).refused(413);
    server.get("/api/v1/jobs").expect(200);
    server.get("/api/v1/jobs?limit=none").refused(400);
    server.get("/api/v1/jobs?before=nobody").refused(404);
    server.get(&path("nobody", "")).refused(404);
    server.get(&path("nobody", "/events")).refused(404);
    server.events(&done, None).next().unwrap();
    for rest in ["/stop", "/continue"] {
        server.post(&path("nobody", rest), &json!({})).refused(404);
    }
    server.post(&path(&done, "/continue"), &json!({"time_limit": "never"})).refused(409);
    server.post(&path(&running, "/continue"), &json!({"colour": 1})).refused(400);
    // Another round is the same search: only its time may be another one.
    server.post(&path(&running, "/continue"), &json!({"algorithm": "neh"})).refused(400);
    server.post(&path(&done, "/stop"), &json!({})).expect(200);
    // files
    let svg = server.get(&path(&done, "/gantt.svg"));
    let tag = svg.header("etag").unwrap();
    assert_eq!(server.request("GET", &path(&done, "/gantt.svg"), &[("If-None-Match", tag)], b"").status, 304);
    server.get(&path(&done, "/passwords.txt")).refused(404);
    server.get(&path(&waiting, "/gantt.svg")).refused(409);
    let wide: Vec<u8> = [vec!["1"; 1001].join(",").into_bytes(), b"\n".to_vec()].concat();
    let wide_id = server.request("POST", "/api/v1/jobs?time_limit=1&algorithm=neh", &csv, &wide).expect(202);
    let wide_id = wide_id["id"].as_str().unwrap().to_string();
    // evaluate and read
    server.post("/api/v1/evaluate", &json!({"instance": {"times": [[1]]}, "order": [0]})).expect(200);
    server.post("/api/v1/evaluate", &json!({"order": [0]})).refused(400);
    server.post("/api/v1/evaluate", &json!({"job": "nobody", "order": [0]})).refused(404);
    server.post("/api/v1/evaluate", &json!({"instance": {"times": [[1]]}, "order": [1]})).refused(422);
    server.request("POST", "/api/v1/evaluate", &csv, b"1").refused(415);
    server.request("POST", "/api/v1/evaluate", &[("Content-Type", "application/json")], &large).refused(413);
    server.request("POST", "/api/v1/read", &csv, b"1,2\n").expect(200);
    server.request("POST", "/api/v1/read?x=1", &csv, b"1,2\n").refused(400);
    server.request("POST", "/api/v1/read", &csv, b"1,x\n").refused(422);
    server.request("POST", "/api/v1/read", &csv, &large).refused(413);
    server.request("POST", "/api/v1/read", &[("Content-Type", "application/json")], b"{}").refused(415);
    for path in ["/api/v1/algorithms", "/api/v1/examples", "/api/v1/openapi.json", "/healthz"] {
        server.get(path).expect(200);
    }
    assert!(server.get("/metrics").text().contains("pfss_jobs{state=\"running\"} 1"));
    // A full queue.
    let small = json!({"instance": {"times": [[1]]}});
    let full =
        (0..300).map(|_| server.post("/api/v1/jobs", &small)).find(|reply| reply.status != 202).unwrap();
    assert!(full.refused(429).contains("256 jobs wait") && full.header("retry-after").is_some());
    server.post(&path(&running, "/stop"), &json!({})).expect(200);
    server.post(&path(&waiting, "/stop"), &json!({})).expect(200);
    server.wait_ended(&wide_id);
    server.get(&path(&wide_id, "/gantt.svg")).refused(422);
    let again = path(&waiting, "/continue");
    while server.post(&again, &json!({"time_limit": "100ms"})).status == 429 {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(server.request("DELETE", &path(&done, ""), &[], b"").status, 204);
    server.request("DELETE", &path(&done, ""), &[], b"").refused(404);
    let mut seen = std::mem::take(&mut *server.seen.lock().unwrap());
    seen.extend(statuses_of_a_full_queue());
    seen.extend(unauthorized());
    let document = Serving::new(&[]).get("/api/v1/openapi.json").expect(200);
    let promised = promised(&document);
    let is_common = |one: &&(String, String, u16)| COMMON.contains(&one.2) || one.0 != "get" && one.2 == 413;
    let missing: Vec<_> = promised.difference(&seen).filter(|one| !is_common(one)).collect();
    assert!(missing.is_empty(), "promised, but never given: {missing:?}");
    let known = |one: &&(String, String, u16)| promised.iter().any(|(_, path, _)| *path == one.1);
    let unexpected: Vec<_> = seen.difference(&promised).filter(known).collect();
    assert!(unexpected.is_empty(), "given, but not promised: {unexpected:?}");
}

/// `continue` when no place is left.
fn statuses_of_a_full_queue() -> BTreeSet<(String, String, u16)> {
    let server = Serving::new(&["--workers", "1"]);
    let stopped = server.submit_hard(json!({"time_limit": "100ms"}));
    server.wait_ended(&stopped);
    server.submit_hard(json!({"time_limit": 60}));
    let small = json!({"instance": {"times": [[1]]}});
    while server.post("/api/v1/jobs", &small).status == 202 {}
    server.post(&format!("/api/v1/jobs/{stopped}/continue"), &json!({})).refused(429);
    std::mem::take(&mut *server.seen.lock().unwrap())
}

/// Every path of the API without the token.
fn unauthorized() -> BTreeSet<(String, String, u16)> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, "correct-horse-battery\n").unwrap();
    let mut server = Serving::new(&["--token-file", file.to_str().unwrap()]);
    let get =
        ["jobs", "jobs/x", "jobs/x/events", "jobs/x/gantt.svg", "algorithms", "examples", "openapi.json"];
    for path in get {
        assert!(server.get(&format!("/api/v1/{path}")).refused(401).contains("wants a token"));
    }
    server.get("/metrics").refused(401);
    for path in ["jobs", "jobs/x/stop", "jobs/x/continue", "evaluate", "read"] {
        let reply = server.post(&format!("/api/v1/{path}"), &json!({}));
        reply.refused(401);
        assert!(reply.header("www-authenticate").is_some());
    }
    server.request("DELETE", "/api/v1/jobs/x", &[], b"").refused(401);
    server.token = Some("wrong-horse-battery".into());
    assert!(server.get("/api/v1/jobs").refused(401).contains("not the server's token"));
    assert_eq!((server.get("/").status, server.get("/healthz").status), (200, 200));
    server.token = Some("correct-horse-battery".into());
    server.get("/api/v1/jobs").expect(200);
    std::mem::take(&mut *server.seen.lock().unwrap())
}
