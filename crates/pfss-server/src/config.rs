//! How a server is set up.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// How a server is set up; the command line fills it in.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// Where to listen; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The folder of the SQLite file.
    pub store: PathBuf,
    /// How many jobs run at a time.
    pub workers: usize,
    /// The longest time limit of a job.
    pub max_time: Duration,
    /// The bearer token, where one is wanted.
    pub token: Option<String>,
    /// Origins other than its own from which requests may come, such as `https://plan.example.com`.
    pub origins: Vec<String>,
    /// How many threads all running jobs share.
    pub cores: usize,
    /// How many bytes all searches together may hold.
    pub memory: usize,
    /// What a client may ask for.
    pub bounds: Bounds,
}

/// What clients may ask for; more is refused with a sentence.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Bytes of a request's body, after decompression.
    pub body: usize,
    /// Bytes of all bodies that are being received.
    pub bodies: usize,
    /// Jobs times machines of an instance.
    pub operations: usize,
    /// Jobs that wait.
    pub queue: usize,
    /// Connections at a time; the longest idle one gives way to a new one.
    pub connections: usize,
    /// Large answers that are being made or sent.
    pub exports: usize,
    /// How long a client may take for the head of a request, and how long it may stay idle.
    pub head_timeout: Duration,
    /// How long a client may take for the body of a request, beyond a slow line's share.
    pub body_timeout: Duration,
    /// How long a client may not read anything of an answer.
    pub write_timeout: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            body: 64 << 20,
            bodies: 256 << 20,
            operations: 50_000_000,
            queue: 256,
            connections: 4096,
            exports: 16,
            head_timeout: Duration::from_secs(15),
            body_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
        }
    }
}

impl ServerConfig {
    /// How many threads a job gets that does not say.
    pub fn threads_per_job(&self) -> usize {
        (self.cores / self.workers.max(1)).max(1)
    }

    /// How many bytes one job's search may hold.
    pub fn memory_per_job(&self) -> usize {
        (self.memory / self.workers.max(1)).max(16 << 20)
    }
}
