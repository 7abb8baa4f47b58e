//! Slow, greedy and broken clients, and a full disk: the server stays small and answers others.

use std::io::{BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::read;
use crate::serving::{SMALL, Serving};

/// Others are answered in time, and the server has not grown beyond this.
pub(crate) fn is_well(server: &Serving, most: u64) {
    let begin = Instant::now();
    server
        .post("/api/v1/evaluate", &json!({"instance": {"times": [[1, 2], [3, 4]]}, "order": [1, 0]}))
        .expect(200);
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    let resident = server.resident();
    assert!(resident < most, "{} MiB", resident >> 20);
}

pub(crate) fn connect(server: &Serving, head: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.write_all(head.replace("HOST", &server.address).as_bytes()).unwrap();
    stream
}

#[test]
fn bombs_and_endless_bodies_are_cut() {
    let server = Serving::new(&[]);
    // 200 MiB of zeros in 200 KiB of gzip.
    let bomb = {
        let mut gzip = Command::new("sh");
        gzip.args(["-c", "head -c 209715200 /dev/zero | gzip -1"]);
        gzip.output().unwrap().stdout
    };
    let headers = [("Content-Type", "text/csv"), ("Content-Encoding", "gzip")];
    assert!(
        server.request("POST", "/api/v1/jobs", &headers, &bomb).refused(413).contains("larger than 64 MiB")
    );
    let small = {
        let mut gzip = Command::new("gzip")
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        gzip.stdin.take().unwrap().write_all(SMALL.as_bytes()).unwrap();
        gzip.wait_with_output().unwrap().stdout
    };
    server.request("POST", "/api/v1/jobs?time_limit=1", &headers, &small).expect(202);
    // A stream of several members is one body (RFC 1952); what is none is not cut in silence.
    let twice = [small.clone(), small.clone()].concat();
    let sentence = server.request("POST", "/api/v1/jobs?time_limit=1", &headers, &twice).refused(422);
    assert!(sentence.contains("jobs.csv:5:5"), "the second header is a row of the same table: {sentence}");
    for damaged in
        [[small.as_slice(), b"junk"].concat(), small[..small.len() - 4].to_vec(), b"plain".to_vec()]
    {
        let reply = server.request("POST", "/api/v1/jobs?time_limit=1", &headers, &damaged);
        assert!(reply.refused(400).contains("not what gzip makes"));
    }
    let strange = [("Content-Type", "text/csv"), ("Content-Encoding", "br")];
    server.request("POST", "/api/v1/jobs", &strange, &small).refused(415);
    // Chunks without end.
    let mut stream = connect(
        &server,
        "POST /api/v1/jobs HTTP/1.1\r\nHost: HOST\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    let chunk = [format!("{:x}\r\n", 1 << 20).into_bytes(), vec![b'1'; 1 << 20], b"\r\n".to_vec()].concat();
    for _ in 0..80 {
        if stream.write_all(&chunk).is_err() {
            break;
        }
    }
    if let Ok(reply) = read(&mut BufReader::new(stream)) {
        assert_eq!(reply.status, 413);
    }
    is_well(&server, 400 << 20);
    // A head without end.
    let mut stream = connect(&server, "GET / HTTP/1.1\r\nHost: HOST\r\n");
    let line = format!("X-Long: {}\r\n", "x".repeat(8000));
    while stream.write_all(line.as_bytes()).is_ok() && stream.take_error().unwrap().is_none() {}
    is_well(&server, 400 << 20);
}

#[test]
fn bodies_share_one_budget() {
    let server = Serving::new(&[]);
    let size = 63 << 20;
    let head = format!(
        "POST /api/v1/jobs HTTP/1.1\r\nHost: HOST\r\nContent-Type: text/csv\r\nContent-Length: {}\r\n\r\n",
        size + 1
    );
    let content = vec![b'1'; size];
    let mut greedy: Vec<TcpStream> = (0..4).map(|_| connect(&server, &head)).collect();
    for stream in &mut greedy {
        stream.write_all(&content).unwrap();
    }
    let mut refused = None;
    for _ in 0..50 {
        let reply =
            server.request("POST", "/api/v1/jobs", &[("Content-Type", "text/csv")], &content[..8 << 20]);
        if reply.status == 503 {
            refused = Some(reply);
            break;
        }
    }
    assert!(refused.expect("never too much").refused(503).contains("too much is being sent"));
    is_well(&server, 500 << 20);
    drop(greedy);
}

#[test]
fn slow_senders_are_cut_and_slow_readers_wait_alone() {
    let server = Serving::new(&[]);
    // A body of which one byte comes and then nothing: 408 after half a minute.
    let mut slow = connect(
        &server,
        "POST /api/v1/jobs HTTP/1.1\r\nHost: HOST\r\nContent-Type: text/csv\r\nContent-Length: 100\r\n\r\n1",
    );
    // A head that never ends, and a connection that says nothing: closed after a quarter of a minute.
    let mut silent = connect(&server, "GET / HTTP/1.1\r\n");
    // Large answers that nobody reads.
    let rows: String =
        (0..8000).map(|row| format!("{}\n", vec![(row % 7 + 1).to_string(); 20].join(","))).collect();
    let id = server.post_csv("?algorithm=palmer", &rows).expect(202)["id"].as_str().unwrap().to_string();
    server.wait_ended(&id);
    let ask = format!("GET /api/v1/jobs/{id}/schedule.json HTTP/1.1\r\nHost: HOST\r\n\r\n");
    let greedy: Vec<TcpStream> = (0..16).map(|_| connect(&server, &ask)).collect();
    std::thread::sleep(Duration::from_secs(2));
    let refused = server.get(&format!("/api/v1/jobs/{id}/schedule.csv"));
    assert!(refused.refused(503).contains("many large answers"), "{}", refused.status);
    is_well(&server, 1 << 30);
    let mut rest = Vec::new();
    let begin = Instant::now();
    let _ = silent.read_to_end(&mut rest);
    assert!(begin.elapsed() < Duration::from_secs(20));
    let reply = read(&mut BufReader::new(&mut slow)).unwrap();
    assert!(reply.refused(408).contains("did not arrive in time"));
    // Those who never read are cut, and others get their files again.
    let begin = Instant::now();
    while server.get(&format!("/api/v1/jobs/{id}/instance.json")).status != 200 {
        assert!(begin.elapsed() < Duration::from_secs(40));
    }
    drop(greedy);
}

/// A small file system in memory, where that is allowed.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"]).arg(folder.path()).status();
        mounted.is_ok_and(|status| status.success()).then_some(Self(folder))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_disk_is_told_and_survived() {
    let Some(disk) = SmallDisk::new() else {
        eprintln!("skipped: this user may not mount a file system");
        return;
    };
    let server = Serving::at(disk.path(), &["--workers", "1"]);
    let running = server.submit_hard(json!({"time_limit": 60, "threads": 1}));
    server.wait(&running, |job| job["value"].is_number());
    std::fs::write(disk.path().join("ballast"), vec![0; 1 << 20]).unwrap_err();
    let rows: String =
        (0..400).map(|row| format!("{}\n", vec![(row % 7 + 1).to_string(); 20].join(","))).collect();
    let mut refused = server.post_csv("?time_limit=1", &rows);
    for _ in 0..20 {
        if refused.status != 202 {
            break;
        }
        refused = server.post_csv("?time_limit=1", &rows);
    }
    assert!(refused.refused(507).contains("disk of the store is full"));
    // It lives: what it knows can be read, what needs no disk is done.
    server.job(&running);
    is_well(&server, 300 << 20);
    let begin = Instant::now();
    // A change that cannot be kept is refused and has no effect (A1).
    let path = format!("/api/v1/jobs/{running}");
    assert!(server.request("DELETE", &path, &[], b"").refused(507).contains("disk of the store is full"));
    let before = server.job(&running);
    assert_eq!(before["state"], "running");
    server.wait(&running, |job| job["runtime_s"].as_f64() > before["runtime_s"].as_f64());
    assert!(server.get("/healthz").expect(503)["status"].as_str().unwrap().contains("full"));
    let stop = format!("{path}/stop");
    assert!(server.post(&stop, &json!({})).refused(507).contains("cannot be kept yet"));
    let ended = server.job(&running)["runtime_s"].clone();
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(server.job(&running)["runtime_s"], ended, "the search has ended, though nobody could note it");
    let sick = loop {
        let reply = server.get("/healthz");
        if reply.status == 503 || begin.elapsed() > Duration::from_secs(20) {
            break reply;
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    assert!(sick.expect(503)["status"].as_str().unwrap().contains("full"));
    std::fs::remove_file(disk.path().join("ballast")).unwrap();
    let stopped = server.wait_ended(&running);
    assert_eq!(stopped["state"], "stopped");
    assert!(stopped["result"]["order"].is_array());
    server.post(&stop, &json!({})).expect(200);
    server.post_csv("?time_limit=1", SMALL).expect(202);
    assert_eq!(server.get("/healthz").status, 200);
}
