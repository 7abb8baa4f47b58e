//! What a request may say, and that nothing it says is ignored or taken for something else.

use std::io::{BufReader, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::client::{read, send};
use crate::serving::{SMALL, Serving};

const JSON: [(&str, &str); 1] = [("Content-Type", "application/json")];

/// A2, A4, A8: `requests` of Python sends `False`; a query beside JSON, and what stands twice, would be ignored.
#[test]
fn nothing_in_a_query_is_ignored() {
    let server = Serving::new(&[]);
    let times = "1,2\n3,4\n5,6\n";
    let shape = |query: &str| {
        let id = server.post_csv(query, times).expect(202)["id"].as_str().unwrap().to_string();
        let job = server.job(&id);
        (job["num_jobs"].as_u64().unwrap(), job["num_machines"].as_u64().unwrap())
    };
    assert_eq!(shape("?time_limit=100ms&transpose=true"), (2, 3));
    assert_eq!(shape("?time_limit=100ms&transpose=false"), (3, 2));
    for (query, expected) in [
        ("transpose=False", "transpose: found `False`, expected true or false"),
        ("transpose=0", "transpose"),
        ("transpose=", "transpose"),
        ("no_wait=yes", "no_wait"),
        ("no_wait", "no_wait"),
        ("seed=1&seed=1", "`seed` stands in the query twice"),
        ("name=a.csv&name=b.csv", "`name` stands in the query twice"),
        ("seed=%2B1", "seed"),
        ("target=inf", "target"),
        ("algorithm=neh&set=tie=first&set=tie=last", "set: `tie` stands there twice"),
    ] {
        let sentence = server.post_csv(&format!("?{query}"), SMALL).refused(400);
        assert!(sentence.contains(expected), "{query}: {sentence}");
    }
    let body = json!({"instance": {"times": [[1]]}}).to_string();
    let ignored = "/api/v1/jobs?time_limit=3s&objective=nonsense";
    assert!(server.request("POST", ignored, &JSON, body.as_bytes()).refused(400).contains("`options`"));
    let id = server.post_csv("?time_limit=100ms", SMALL).expect(202)["id"].as_str().unwrap().to_string();
    server.wait_ended(&id);
    for path in ["", "/gantt.svg", "/events", "/schedule.json"] {
        assert!(server.get(&format!("/api/v1/jobs/{id}{path}?x=1")).refused(400).contains("query"));
    }
    for path in ["/stop?now=true", "/continue?time_limit=1"] {
        server.post(&format!("/api/v1/jobs/{id}{path}"), &json!({})).refused(400);
    }
    server.request("POST", &format!("/api/v1/jobs/{id}/stop"), &JSON, b"{\"now\": true}").refused(400);
    server.get("/api/v1/jobs?limit=1&limit=2").refused(400);
    server.get("/api/v1/jobs?limit=%2B1").refused(400);
}

/// A5, A7, A8: words of JSON, not of the language that the server is written in.
#[test]
fn refusals_are_in_words_that_a_client_knows() {
    let server = Serving::new(&[]);
    let id = server.post_csv("?time_limit=100ms", SMALL).expect(202)["id"].as_str().unwrap().to_string();
    let go_on = format!("/api/v1/jobs/{id}/continue");
    let wrong: Vec<Value> = vec![
        json!([]),
        json!([{"times": [[1]]}, {}]),
        json!("x"),
        json!(1.5),
        json!(true),
        Value::Null,
        json!({}),
        json!({"instance": [1], "options": {}}),
        json!({"instance": 1}),
        json!({"instance": {"times": 1}}),
        json!({"instance": {"times": [1]}}),
        json!({"instance": {"times": [["a"]]}}),
        json!({"instance": {"times": [[1]], "job_names": 1}}),
        json!({"instance": {"times": [[1]], "machines": [1]}}),
        json!({"instance": {"times": [[1]], "jobs": [{"due": {}}]}}),
        json!({"instance": {"times": [[1]]}, "options": []}),
        json!({"instance": {"times": [[1]]}, "more": 1}),
        json!({"order": [1], "job": 5}),
        json!({"order": {}, "instance": {"times": [[1]]}}),
        json!({"order": [0], "instance": {"times": [[1]]}, "chart": "yes"}),
    ];
    let options = [
        "algorithm",
        "time_limit",
        "evaluations",
        "stall",
        "target",
        "seed",
        "threads",
        "time_factor",
        "objective",
        "setup",
        "first",
        "no_wait",
        "buffer",
        "start_at",
        "unit",
        "set",
        "start",
        "pinned",
        "colour",
    ];
    let values = [
        json!([]),
        json!({}),
        json!("many"),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!([[1]]),
        json!(["x"]),
        json!(true),
    ];
    let mut bodies: Vec<String> = wrong.iter().map(Value::to_string).collect();
    for option in options {
        for value in &values {
            bodies.push(format!(
                "{{\"instance\": {{\"times\": [[1, 2], [2, 1]]}}, \"options\": {{\"{option}\": {value}}}}}"
            ));
        }
    }
    bodies.extend([
        "{\"instance\": {\"times\": [[1]]}, \"options\": {\"seed\": 1, \"seed\": 2}}".to_string(),
        "{\"a\"".into(),
        "\u{1}".into(),
    ]);
    let mut refused = 0;
    for body in &bodies {
        for path in ["/api/v1/jobs", "/api/v1/evaluate", go_on.as_str()] {
            let reply = server.request("POST", path, &JSON, body.as_bytes());
            if reply.status < 300 {
                continue;
            }
            refused += 1;
            let sentence = reply.refused(reply.status);
            assert!(reply.status < 500, "{path} {body}: {sentence}");
            for word in [
                "usize",
                "u64",
                "u32",
                "i64",
                "f64",
                "struct ",
                "enum ",
                "variant",
                "tuple",
                "sequence",
                " map",
                "Option",
                "Vec<",
                "RawValue",
                "serde",
                "newtype",
                "unit value",
            ] {
                assert!(!sentence.contains(word), "{path} {body}: {sentence}");
            }
        }
    }
    assert!(refused > 300, "{refused}");
    server.wait_ended(&id);
    // As the description has it: nothing, null, or an object.
    for body in ["null", "", "{}", "{\"time_limit\": null}"] {
        let stopped = server.submit_hard(json!({"time_limit": "50ms"}));
        server.wait_ended(&stopped);
        let path = format!("/api/v1/jobs/{stopped}/continue");
        server.request("POST", &path, &JSON, body.as_bytes()).expect(202);
    }
    let text = [("Content-Type", "text/csv")];
    server.request("POST", &go_on, &text, b"{\"time_limit\": 1}").refused(415);
}

/// F11: a number is a job's place and a text its name, in the options as in the instance; names may hold commas.
#[test]
fn numbers_are_numbers_and_names_are_names() {
    let server = Serving::new(&[]);
    let first = |first: Value| {
        let jobs: Vec<Value> =
            ["0", "2", "1", "a,b"].iter().map(|name| json!({"name": name, "times": [1, 2]})).collect();
        let body = json!({"instance": {"schema": "pfss.instance/2", "jobs": jobs},
            "options": {"first": first, "time_limit": "100ms", "objective": "total-completion"}});
        let reply = server.post("/api/v1/jobs", &body);
        if reply.status != 202 {
            return Err(reply.refused(422));
        }
        let id = reply.json()["id"].as_str().unwrap().to_string();
        let names = server.wait_ended(&id)["result"]["job_names"].clone();
        Ok(names
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap().to_string())
            .collect::<Vec<_>>())
    };
    assert_eq!(first(json!([1])).unwrap()[0], "2", "the second job");
    assert_eq!(first(json!(["1"])).unwrap()[0], "1", "the job of this name");
    assert_eq!(first(json!(["a,b", 0])).unwrap()[..2], ["a,b", "0"]);
    assert_eq!(first(json!("1,2")).unwrap()[..2], ["1", "2"], "a text as on the command line: names first");
    assert!(first(json!([4])).is_err() && first(json!(["a"])).is_err() && first(json!([0, 0])).is_err());
}

/// F12: pins that cannot be are no defect of the search.
#[test]
fn pins_are_checked() {
    let server = Serving::new(&[]);
    let submit = |pinned: Value| {
        let body = json!({
            "instance": {"schema": "pfss.instance/2", "times": [[1, 2], [2, 1], [3, 3], [1, 1]], "precedence": [[0, 1]]},
            "options": {"start": [0, 1, 2, 3], "pinned": pinned, "time_limit": "100ms"},
        });
        server.post("/api/v1/jobs", &body)
    };
    assert!(submit(json!([2, 2, 2, 2])).refused(422).contains("pinned: job 2 stands there twice"));
    assert!(submit(json!([4])).refused(422).contains("there is no job 4"));
    assert!(submit(json!([2])).refused(422).contains("fixes first jobs or precedences"));
    assert!(submit(json!(["2"])).refused(400).contains("whole number"));
    let id = submit(json!([0, 1, 2, 3])).expect(202)["id"].as_str().unwrap().to_string();
    assert_eq!(server.wait_ended(&id)["result"]["order"], json!([0, 1, 2, 3]));
}

/// A12: what is not UTF-8 is refused, not misread.
#[test]
fn other_charsets_are_refused() {
    let server = Serving::new(&[]);
    let post =
        |kind: &str| server.request("POST", "/api/v1/read", &[("Content-Type", kind)], SMALL.as_bytes());
    for kind in [
        "text/csv",
        "text/csv; charset=utf-8",
        "Text/CSV;charset=\"UTF-8\"; header=present",
        "text/plain; charset=us-ascii",
        "application/octet-stream",
    ] {
        assert_eq!(post(kind).status, 200, "{kind}");
    }
    for kind in [
        "text/csv; charset=iso-8859-1",
        "text/csv; header=present; charset=\"windows-1252\"",
        "text/plain;charset=utf-16",
    ] {
        assert!(post(kind).refused(415).contains("send it in UTF-8"), "{kind}");
    }
    let both = [("Content-Type", "text/csv"), ("Content-Type", "application/json")];
    server.request("POST", "/api/v1/read", &both, SMALL.as_bytes()).refused(400);
}

/// A9: by RFC 9110; plain and compressed answers share a weak tag.
#[test]
fn what_a_client_has_is_not_sent_again() {
    let server = Serving::new(&[]);
    let id = server.post_csv("?time_limit=100ms", SMALL).expect(202)["id"].as_str().unwrap().to_string();
    server.wait_ended(&id);
    for path in [format!("/api/v1/jobs/{id}/gantt.svg"), "/".to_string(), "/page/main.js".to_string()] {
        let tag = server.get(&path).header("etag").unwrap().to_string();
        assert!(tag.starts_with("W/\"") && tag.ends_with('"'), "{tag}");
        let strong = tag.strip_prefix("W/").unwrap();
        let status = |given: &str| server.request("GET", &path, &[("If-None-Match", given)], b"").status;
        for known in [tag.as_str(), strong, "*", &format!("\"a,b\", {tag}")] {
            assert_eq!(status(known), 304, "{path} {known}");
        }
        for unknown in ["\"x\"", "W/\"x\", \"y\"", strong.trim_matches('"')] {
            assert_eq!(status(unknown), 200, "{path} {unknown}");
        }
        let zipped = server.request("GET", &path, &[("Accept-Encoding", "gzip")], b"");
        assert_eq!(zipped.header("etag"), Some(tag.as_str()));
        assert!(zipped.header("vary").unwrap().to_lowercase().contains("accept-encoding"));
    }
}

/// F13, A10: a planner within a company is reached by the pages that a visitor has open.
#[test]
fn foreign_pages_are_refused_on_every_address() {
    let server = Serving::new(&["--listen", "0.0.0.0:0", "--no-auth"]);
    let port = server.address.rsplit(':').next().unwrap();
    let address = format!("127.0.0.1:{port}");
    let ask = |headers: &[(&str, &str)]| send(&address, "GET", "/api/v1/jobs", headers, b"").unwrap();
    let own = format!("10.1.2.3:{port}");
    assert_eq!(ask(&[]).status, 200);
    assert_eq!(ask(&[("Host", &own), ("Origin", &format!("http://{own}"))]).status, 200);
    assert_eq!(ask(&[("Host", &format!("localhost.:{port}"))]).status, 200);
    ask(&[("Host", &own), ("Origin", "https://evil.example")]).refused(403);
    assert!(ask(&[("Host", "rebound.example")]).refused(403).contains("--origin"));
    ask(&[("Host", &own), ("Host", "rebound.example")]).refused(400);
    ask(&[("Host", &own), ("Origin", &format!("http://{own}")), ("Origin", "https://evil.example")])
        .refused(400);
    let by_hand = |head: String| {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        read(&mut BufReader::new(stream)).unwrap()
    };
    by_hand(format!(
        "GET http://rebound.example/api/v1/jobs HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n\r\n"
    ))
    .refused(400);
    let absolute =
        format!("GET http://{own}/api/v1/jobs HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n\r\n");
    assert_eq!(by_hand(absolute).status, 200);
    by_hand("GET /api/v1/jobs HTTP/1.1\r\nConnection: close\r\n\r\n".to_string()).refused(400);
}

/// Also where no handler has seen the request.
#[test]
fn every_refusal_is_a_problem() {
    let server = Serving::new(&[]);
    let by_hand = |head: String| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let _ = stream.write_all(head.as_bytes());
        read(&mut BufReader::new(stream)).unwrap()
    };
    let host = &server.address;
    let target = |size: usize| {
        format!("GET /{} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n", "x".repeat(size))
    };
    let headers = |size: usize| {
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nX-Long: {}\r\n\r\n", "x".repeat(size))
    };
    by_hand(target(20_000)).refused(414);
    by_hand(target(70_000)).refused(414);
    by_hand(headers(40_000)).refused(431);
    by_hand(headers(300_000)).refused(431);
    by_hand("HELLO\r\n\r\n".to_string()).refused(400);
    let reply = server.request("PATCH", "/api/v1/jobs", &[], b"");
    reply.refused(405);
    assert!(reply.header("allow").unwrap().contains("POST"));
    server.get("/nowhere").refused(404);
}

/// What two strangers found.
#[test]
fn requests_that_were_misread_are_read() {
    let server = Serving::new(&[]);
    let read = |kind: &str, query: &str, text: &str| {
        server.request("POST", &format!("/api/v1/read{query}"), &[("Content-Type", kind)], text.as_bytes())
    };
    // Text is what its content says, where no name says it; what can be read in two ways is refused.
    for kind in ["text/plain", "application/octet-stream"] {
        assert_eq!(read(kind, "", "{\"times\":[[1,2],[3,4]]}").expect(200)["num_jobs"], 2, "{kind}");
        assert_eq!(read(kind, "", SMALL).expect(200)["num_jobs"], 3, "{kind}");
        assert_eq!(read(kind, "", "3 2\n3 4\n2 1\n5 6\n").expect(200)["num_jobs"], 3, "{kind}");
        assert!(read(kind, "", "3\t2\n3\t4\n2\t1\n5\t6\n").refused(422).contains("can be read as"), "{kind}");
    }
    let list = json!({"instance": [{"times": [[1, 2]]}], "order": [0]});
    assert!(server.post("/api/v1/evaluate", &list).refused(400).contains("instance: expected an object"));
    assert!(server.get("/api/v1/jobs/%ff").refused(400).contains("not UTF-8"));
    for path in ["/", "/healthz", "/api/v1/openapi.json", "/page/main.js"] {
        server.request("PUT", path, &[], b"").refused(405);
    }
    // A job says everything that it was asked for, so that it can be asked for again.
    let options = json!({"start": [2, 0, 1], "pinned": [2], "time_limit": "100ms"});
    let instance = json!({"times": [[1, 2], [3, 4], [5, 6]]});
    let id = server.post("/api/v1/jobs", &json!({"instance": instance, "options": options})).expect(202);
    let job = server.wait_ended(id["id"].as_str().unwrap());
    assert_eq!((&job["options"]["start"], &job["options"]["pinned"]), (&json!([2, 0, 1]), &json!([2])));
    let again = json!({"instance": instance, "options": job["options"]});
    server.post("/api/v1/jobs", &again).expect(202);
}

#[test]
fn schemes_and_codings_are_the_same_in_any_case() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, "correct-horse-battery\n").unwrap();
    let server = Serving::new(&["--token-file", file.to_str().unwrap()]);
    let ask = |tokens: &[&str]| {
        let headers: Vec<_> = tokens.iter().map(|token| ("Authorization", *token)).collect();
        server.request("GET", "/api/v1/jobs", &headers, b"")
    };
    for scheme in ["Bearer", "bearer", "BEARER"] {
        assert_eq!(ask(&[&format!("{scheme} correct-horse-battery")]).status, 200);
    }
    ask(&["Basic correct-horse-battery"]).refused(401);
    ask(&["Bearer correct-horse-battery", "Bearer wrong"]).refused(400);
    let mut gzip = std::process::Command::new("gzip");
    gzip.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut gzip = gzip.spawn().unwrap();
    gzip.stdin.take().unwrap().write_all(SMALL.as_bytes()).unwrap();
    let body = gzip.wait_with_output().unwrap().stdout;
    for coding in ["gzip", "GZIP", "x-gzip"] {
        let headers = [
            ("Content-Type", "text/csv"),
            ("Content-Encoding", coding),
            ("Authorization", "Bearer correct-horse-battery"),
        ];
        server.request("POST", "/api/v1/read", &headers, &body).expect(200);
    }
}
