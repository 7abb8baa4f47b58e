//! Very many connections and requests: the server stays small, and whoever comes next is served.

use std::io::{BufReader, Write};
use std::net::TcpStream;
use std::time::Instant;

use crate::client::read;
use crate::faults::{connect, is_well};
use crate::serving::Serving;

/// How many connections the server keeps at most, and what it may hold with them.
const MOST_CONNECTIONS: u64 = 4096;
const MOST_MEMORY: u64 = 300 << 20;

/// How many files this process may open, after asking for all that it may have.
fn files() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    getrlimit(Resource::Nofile).current.map_or(usize::MAX, |files| files as usize)
}

#[test]
fn ten_thousand_idle_connections_do_not_lock_others_out() {
    const WANTED: usize = 10_000;
    let wanted = WANTED.min(files().saturating_sub(100));
    if wanted < WANTED {
        eprintln!("only {wanted} connections: this user may not open more files (ulimit -Hn)");
    }
    let server = Serving::new(&[]);
    let mut idle = Vec::new();
    let begin = Instant::now();
    while idle.len() < wanted {
        idle.push(TcpStream::connect(&server.address).unwrap());
        if idle.len() % 1000 == 0 {
            is_well(&server, MOST_MEMORY);
        }
    }
    let open = server.metric("pfss_connections");
    eprintln!(
        "{} idle connections within {:.1} s: {open} are kept, {} MiB resident",
        idle.len(),
        begin.elapsed().as_secs_f64(),
        server.resident() >> 20
    );
    assert!(open <= MOST_CONNECTIONS + 64, "{open} connections are kept");
    is_well(&server, MOST_MEMORY);
}

#[test]
fn a_server_with_few_files_serves_those_who_come_last() {
    let server = Serving::with_files(256);
    let mut idle = Vec::new();
    for _ in 0..600 {
        idle.push(TcpStream::connect(&server.address).unwrap());
        if idle.len() % 100 == 0 {
            is_well(&server, MOST_MEMORY);
        }
    }
}

/// Sends so many small requests of several kinds, half of them by one of two clients each. Tells the resident memory at the
/// beginning, in the middle and at the end; it must not grow.
fn small_requests(count: usize) {
    let server = Serving::new(&[]);
    let question = r#"{"instance":{"times":[[3,4],[2,1],[5,2]]},"order":[2,0,1]}"#;
    let post = format!(
        "POST /api/v1/evaluate HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{question}",
        question.len()
    );
    let asks = [
        ("GET /healthz HTTP/1.1\r\nHost: HOST\r\n\r\n", 200),
        (post.as_str(), 200),
        ("GET /api/v1/jobs?limit=5 HTTP/1.1\r\nHost: HOST\r\n\r\n", 200),
        ("GET /api/v1/jobs/nobody HTTP/1.1\r\nHost: HOST\r\n\r\n", 404),
    ]
    .map(|(ask, status)| (ask.replace("HOST", &server.address), status));
    let run = |count: usize| {
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut stream = connect(&server, "");
                    let mut reader = BufReader::new(stream.try_clone().unwrap());
                    for (ask, status) in asks.iter().cycle().take(count / 2) {
                        stream.write_all(ask.as_bytes()).unwrap();
                        assert_eq!(read(&mut reader).unwrap().status, *status);
                    }
                });
            }
        });
        server.resident()
    };
    // The first ones fill pools and caches.
    let start = run((count / 10).min(20_000));
    let begin = Instant::now();
    let (middle, end) = (run(count / 2), run(count / 2));
    let rate = count as f64 / begin.elapsed().as_secs_f64();
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    eprintln!(
        "{count} requests, {rate:.0} a second: resident {:.1}, {:.1}, {:.1} MiB at the start, in the middle, at the end",
        mib(start),
        mib(middle),
        mib(end)
    );
    assert!(end < start + (8 << 20), "from {:.1} to {:.1} MiB", mib(start), mib(end));
}

#[test]
fn many_small_requests_leave_nothing_behind() {
    small_requests(20_000);
}

#[test]
#[ignore = "takes minutes; cargo nextest run -p pfss-cli --test serve --run-ignored only --no-capture a_million_small"]
fn a_million_small_requests_leave_nothing_behind() {
    small_requests(1_000_000);
}
