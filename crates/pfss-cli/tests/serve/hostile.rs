//! What nobody should send.

use serde_json::json;

use crate::serving::{SMALL, Serving};

#[test]
fn malformed_instances_are_refused_with_their_place() {
    let server = Serving::new(&[]);
    let cases: [(&[u8], &str); 9] = [
        (b"", "there is nothing here"),
        (b"job,a\nx,-1\n", "jobs.csv:2:3: found `-1`, but a processing time cannot be negative"),
        (b"job,a,b\nx,1\n", "row 1 has 1 times, expected 2"),
        (b"job,a\nx,\"1\n", "no closing quote"),
        (b"job,a\nx,nan\n", "found `nan`"),
        (b"\xff\xfe1\x00", "UTF-16"),
        (b"job,a\nx,99999999999999999999\n", "too large"),
        (b"PK\x03\x04 not a workbook", "jobs.csv"),
        (b"2 2\n1 2\n3 4\n", "say which with `--format"),
    ];
    for (body, expected) in cases {
        let name = if body.starts_with(b"2 2") { "?name=x.txt" } else { "" };
        let kind = if name.is_empty() { "text/csv" } else { "text/plain" };
        let reply = server.request("POST", &format!("/api/v1/jobs{name}"), &[("Content-Type", kind)], body);
        let sentence = reply.refused(422);
        assert!(sentence.contains(expected), "{sentence}");
    }
    let problem = server.post_csv("", "job,a\nx,1\ny,z\n").json();
    assert_eq!((&problem["line"], &problem["column"]), (&json!(3), &json!(3)));
    let body = "{\"instance\": {\"times\": [[1,\n -2]]}}";
    let problem = server
        .request("POST", "/api/v1/jobs", &[("Content-Type", "application/json")], body.as_bytes())
        .json();
    assert_eq!((&problem["line"], &problem["column"]), (&json!(2), &json!(2)));
    let deep = format!("{{\"instance\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    for body in ["{", "[]", "null", "{\"instance\": 5}", "{\"instance\": {}, \"more\": 1}", deep.as_str()] {
        let reply =
            server.request("POST", "/api/v1/jobs", &[("Content-Type", "application/json")], body.as_bytes());
        assert!([400, 422].contains(&reply.status), "{}: {}", reply.status, reply.text());
        reply.refused(reply.status);
    }
    let many = json!({"instance": {"times": [[1]]}, "options": {"set": {"x": "y"}, "algorithm": "neh"}});
    assert!(server.post("/api/v1/jobs", &many).refused(400).contains("has no parameter `x`"));
    // No file of this machine is read by request, not even as a model.
    for (algorithm, set) in [
        ("policy", json!({"model": "/etc/passwd"})),
        ("beam", json!({"guide": "policy", "model": "models/x"})),
    ] {
        let body = json!({"instance": {"times": [[1]]}, "options": {"set": set, "algorithm": algorithm}});
        assert!(server.post("/api/v1/jobs", &body).refused(400).contains("there is no model"));
    }
    let wrong = json!({"instance": {"times": [[1], [2]]}, "options": {"start": [0, 0]}});
    assert!(server.post("/api/v1/jobs", &wrong).refused(422).contains("order"));
    server.get("/healthz").expect(200);
}

#[test]
fn paths_lead_to_nothing_but_the_api_and_the_page() {
    let server = Serving::new(&[]);
    let tricks = [
        "/page/../../../../etc/passwd",
        "/page/..%2f..%2fetc%2fpasswd",
        "/page/%2e%2e/main.js",
        "/page/",
        "/page",
        "/api/v1/jobs/..%2f..%2fjobs.sqlite/gantt.svg",
        "/api/v1/jobs/' OR 1=1 --/gantt.svg",
        "/api/v1/jobs/%00",
        "//etc/passwd",
        "/jobs.sqlite",
    ];
    for path in tricks {
        let reply = server.get(&path.replace(' ', "%20"));
        assert!([400, 404].contains(&reply.status), "{path}: {}", reply.status);
        assert!(!reply.text().contains("root:"), "{path}");
    }
    assert_eq!(server.request("PUT", "/api/v1/jobs", &[], b"").status, 405);
    let named = server.post_csv("?name=../../evil%00.csv&time_limit=1", SMALL).expect(202);
    assert_eq!(server.job(named["id"].as_str().unwrap())["name"], "evil");
}

#[test]
fn foreign_pages_and_names_are_refused() {
    let server = Serving::new(&[]);
    let ask = |headers: &[(&str, &str)]| server.request("GET", "/api/v1/jobs", headers, b"").status;
    let port = server.address.split(':').nth(1).unwrap();
    let own = format!("localhost:{port}");
    assert_eq!(ask(&[("Host", &own)]), 200);
    assert_eq!(ask(&[("Host", &own), ("Origin", &format!("http://{own}"))]), 200);
    for (host, origin) in [
        ("evil.example", None),
        ("127.0.0.1.evil.example", None),
        (own.as_str(), Some("https://evil.example")),
        (own.as_str(), Some("null")),
        (own.as_str(), Some("http://localhost:1")),
        ("", None),
    ] {
        let mut headers = vec![("Host", host)];
        headers.extend(origin.map(|origin| ("Origin", origin)));
        assert_eq!(ask(&headers), 403, "{host} {origin:?}");
    }
    assert_eq!(server.request("GET", "/", &[("Host", "evil.example")], b"").status, 403);
    let proxied = Serving::new(&["--origin", "https://plan.example.com"]);
    let headers = [("Host", "plan.example.com"), ("Origin", "https://plan.example.com")];
    assert_eq!(proxied.request("GET", "/api/v1/jobs", &headers, b"").status, 200);
}

#[test]
fn script_in_names_stays_text() {
    let server = Serving::new(&[]);
    let evil = "job,\"<img src=x onerror=alert(1)>\"\n\"</script><script>alert(1)</script>\",1\n=cmd|'/c calc'!A1,2\n+1,3\n@x,4\n";
    let id = server.post_csv("?name=%3Cb%3E.csv&time_limit=1", evil).expect(202)["id"]
        .as_str()
        .unwrap()
        .to_string();
    server.wait_ended(&id);
    let file = |name: &str| server.get(&format!("/api/v1/jobs/{id}/{name}")).text();
    for name in ["gantt.svg", "gantt.html"] {
        let text = file(name);
        assert!(!text.contains("<img src=x") && !text.contains("<script>alert"), "{name}");
    }
    let csv = file("schedule.csv");
    for line in csv.lines().skip(1) {
        let cell = line.trim_start_matches('"');
        assert!(!cell.starts_with(['=', '+', '@', '-', '\t']), "{line}");
    }
    let page = server.get("/");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    let chart = server.get(&format!("/api/v1/jobs/{id}/gantt.html"));
    let policy = chart.header("content-security-policy").unwrap();
    assert!(policy.contains("script-src 'sha256-") && policy.contains("sandbox"), "{policy}");
}
