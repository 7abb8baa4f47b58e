//! A server of its own for a test.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Reply, send};

/// Three jobs and two machines with names.
pub(crate) const SMALL: &str = "job,cut,weld\nA,3,4\nB,2,1\nC,5,2\n";

/// A server that runs.
pub(crate) struct Serving {
    child: Child,
    pub(crate) address: String,
    pub(crate) token: Option<String>,
    /// Every method, path and status that was seen.
    pub(crate) seen: Mutex<BTreeSet<(String, String, u16)>>,
    _folder: Option<TempDir>,
}

/// One event of a stream.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) id: Option<u64>,
    pub(crate) name: String,
    pub(crate) data: Value,
}

impl Serving {
    /// A server with a store of its own.
    pub(crate) fn new(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut serving = Self::at(folder.path(), arguments);
        serving._folder = Some(folder);
        serving
    }

    /// A server with this store.
    pub(crate) fn at(store: &Path, arguments: &[&str]) -> Self {
        Self::by(Command::new(env!("CARGO_BIN_EXE_pfss")), store, arguments)
    }

    /// A server with a store of its own that may have so many files open.
    pub(crate) fn with_files(files: u32) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        let script = format!("ulimit -n {files} && exec \"$@\"");
        command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_pfss")]);
        let mut serving = Self::by(command, folder.path(), &[]);
        serving._folder = Some(folder);
        serving
    }

    /// A server that this command starts.
    fn by(mut command: Command, store: &Path, arguments: &[&str]) -> Self {
        command.args(["serve", "--store"]).arg(store);
        if !arguments.contains(&"--listen") {
            command.args(["--listen", "127.0.0.1:0"]);
        }
        let mut child =
            command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let Some(address) =
            line.trim().strip_prefix("http://").map(|url| url.trim_end_matches('/').to_string())
        else {
            let mut error = String::new();
            child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
            panic!("no address: {line}{error}");
        };
        Self { child, address, token: None, seen: Mutex::default(), _folder: None }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends the process as a power cut would.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks the process to end; how long it took and its exit code.
    pub(crate) fn terminate(&mut self) -> (Duration, Option<i32>) {
        let begin = Instant::now();
        Command::new("kill").args(["-TERM", &self.pid().to_string()]).status().unwrap();
        let code = self.child.wait().unwrap().code();
        (begin.elapsed(), code)
    }

    /// Bytes of memory in use.
    pub(crate) fn resident(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() << 10
    }

    /// A number of `/metrics`.
    pub(crate) fn metric(&self, name: &str) -> u64 {
        let text = self.get("/metrics").text();
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.unwrap_or_else(|| panic!("{name}: {text}")).parse().unwrap()
    }

    pub(crate) fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let bearer = self.token.as_ref().map(|token| format!("Bearer {token}"));
        let mut headers = headers.to_vec();
        if let Some(bearer) = &bearer {
            headers.push(("Authorization", bearer));
        }
        let reply = send(&self.address, method, path, &headers, body).unwrap();
        self.seen.lock().unwrap().insert((method.to_lowercase(), template(path), reply.status));
        reply
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.request("GET", path, &[], b"")
    }

    pub(crate) fn post(&self, path: &str, content: &Value) -> Reply {
        self.request("POST", path, &[("Content-Type", "application/json")], content.to_string().as_bytes())
    }

    pub(crate) fn post_csv(&self, query: &str, csv: &str) -> Reply {
        self.request("POST", &format!("/api/v1/jobs{query}"), &[("Content-Type", "text/csv")], csv.as_bytes())
    }

    /// Submits a benchmark that takes as long as it may.
    pub(crate) fn submit_hard(&self, options: Value) -> String {
        let instance = hard_instance();
        let body = format!("{{\"instance\":{instance},\"options\":{options}}}");
        let reply =
            self.request("POST", "/api/v1/jobs", &[("Content-Type", "application/json")], body.as_bytes());
        reply.expect(202)["id"].as_str().unwrap().to_string()
    }

    pub(crate) fn job(&self, id: &str) -> Value {
        self.get(&format!("/api/v1/jobs/{id}")).expect(200)
    }

    /// Waits until the job is as wanted.
    pub(crate) fn wait(&self, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            let job = self.job(id);
            if wanted(&job) {
                return job;
            }
            assert!(Instant::now() < deadline, "{job}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn wait_ended(&self, id: &str) -> Value {
        self.wait(id, |job| !["queued", "running"].contains(&job["state"].as_str().unwrap()))
    }

    /// A stream of a job's events.
    pub(crate) fn events(&self, id: &str, last: Option<u64>) -> Events {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let last = last.map(|last| format!("Last-Event-ID: {last}\r\n")).unwrap_or_default();
        let token =
            self.token.as_ref().map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        write!(
            stream,
            "GET /api/v1/jobs/{id}/events HTTP/1.1\r\nHost: {}\r\n{last}{token}\r\n",
            self.address
        )
        .unwrap();
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(reader.read_line(&mut head).unwrap() > 0, "{head}");
        }
        assert!(head.starts_with("HTTP/1.1 200") && head.contains("text/event-stream"), "{head}");
        self.seen.lock().unwrap().insert(("get".into(), "/api/v1/jobs/{id}/events".into(), 200));
        Events { reader, rest: String::new() }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Events as they come.
pub(crate) struct Events {
    reader: BufReader<TcpStream>,
    rest: String,
}

impl Events {
    /// The next event; `None` when the stream ends or nothing comes for long.
    pub(crate) fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(at) = self.rest.find("\n\n") {
                let text: String = self.rest.drain(..at + 2).collect();
                let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
                let Some(data) = field("data:") else { continue };
                let id = field("id:").map(|id| id.parse().unwrap());
                return Some(Event {
                    id,
                    name: field("event:").unwrap().to_string(),
                    data: serde_json::from_str(data).unwrap(),
                });
            }
            let mut line = String::new();
            if self.reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let size = usize::from_str_radix(line.trim(), 16).ok()?;
            let mut chunk = vec![0; size + 2];
            self.reader.read_exact(&mut chunk).ok()?;
            if size == 0 {
                return None;
            }
            self.rest += std::str::from_utf8(&chunk[..size]).unwrap();
        }
    }
}

/// The path as the description of the API has it.
fn template(path: &str) -> String {
    let path = path.split('?').next().unwrap();
    let mut parts: Vec<&str> = path.split('/').collect();
    if parts.len() > 4 && parts[3] == "jobs" {
        parts[4] = "{id}";
        if parts.len() > 5 && !["events", "stop", "continue"].contains(&parts[5]) {
            parts[5] = "{file}";
        }
    }
    parts.join("/")
}

/// Fifty jobs on twenty machines: no search proves anything about it in a test's time.
pub(crate) fn hard_instance() -> Value {
    let mut state = 12345u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        1 + (state >> 33) % 99
    };
    let times: Vec<Vec<u64>> = (0..50).map(|_| (0..20).map(|_| next()).collect()).collect();
    json!({"schema": "pfss.instance/1", "name": "hard", "times": times})
}

/// A folder of the build for what tests leave behind to be looked at.
pub(crate) fn leftovers() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("serve");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
