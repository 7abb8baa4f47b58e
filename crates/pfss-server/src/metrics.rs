//! Numbers for those who watch a server, as Prometheus reads them.

use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// Upper ends of the classes of answer times, in seconds.
const CLASSES: [f64; 8] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5];

/// What is counted.
#[derive(Default)]
pub(crate) struct Metrics {
    by_status: [AtomicU64; 6],
    durations: [AtomicU64; CLASSES.len() + 1],
    duration_us: AtomicU64,
    accepted: AtomicU64,
    finished: AtomicU64,
    given_up: AtomicU64,
    events: AtomicU64,
    streams: AtomicI64,
    connections: AtomicI64,
}

impl Metrics {
    /// A request was answered.
    pub(crate) fn answered(&self, status: u16, duration: Duration) {
        let class = usize::from(status / 100).min(self.by_status.len() - 1);
        self.by_status[class].fetch_add(1, Ordering::Relaxed);
        let seconds = duration.as_secs_f64();
        let class = CLASSES.iter().position(|end| seconds <= *end).unwrap_or(CLASSES.len());
        self.durations[class].fetch_add(1, Ordering::Relaxed);
        self.duration_us.fetch_add(duration.as_micros() as u64, Ordering::Relaxed);
    }

    /// A job was accepted.
    pub(crate) fn accepted(&self) {
        self.accepted.fetch_add(1, Ordering::Relaxed);
    }

    /// A worker is done with a job.
    pub(crate) fn finished(&self) {
        self.finished.fetch_add(1, Ordering::Relaxed);
    }

    /// A search did not end and was given up.
    pub(crate) fn gave_up(&self) {
        self.given_up.fetch_add(1, Ordering::Relaxed);
    }

    /// An event was sent.
    pub(crate) fn event(&self) {
        self.events.fetch_add(1, Ordering::Relaxed);
    }

    /// A stream of events begins.
    pub(crate) fn stream_opened(&self) {
        self.streams.fetch_add(1, Ordering::Relaxed);
    }

    /// A stream of events ends.
    pub(crate) fn stream_closed(&self) {
        self.streams.fetch_sub(1, Ordering::Relaxed);
    }

    /// A connection begins.
    pub(crate) fn opened(&self) {
        self.connections.fetch_add(1, Ordering::Relaxed);
    }

    /// A connection ends.
    pub(crate) fn closed(&self) {
        self.connections.fetch_sub(1, Ordering::Relaxed);
    }

    /// Everything as Prometheus text; `jobs` are counts by state.
    pub(crate) fn text(&self, jobs: &[(&str, i64)], waiting: usize, running: usize) -> String {
        let mut text = String::new();
        let head = |out: &mut String, name: &str, kind: &str, help: &str| {
            let _ = write!(out, "# HELP pfss_{name} {help}\n# TYPE pfss_{name} {kind}\n");
        };
        head(&mut text, "jobs", "gauge", "Jobs in the store by state.");
        for (state, count) in jobs {
            let _ = writeln!(text, "pfss_jobs{{state=\"{state}\"}} {count}");
        }
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let plain = [
            ("queue_length", "gauge", "Jobs that wait.", waiting as i64),
            ("running", "gauge", "Jobs that are being solved.", running as i64),
            ("event_streams", "gauge", "Open streams of events.", self.streams.load(Ordering::Relaxed)),
            ("connections", "gauge", "Open connections.", self.connections.load(Ordering::Relaxed)),
            ("jobs_accepted_total", "counter", "Jobs that were accepted.", load(&self.accepted) as i64),
            ("rounds_finished_total", "counter", "Rounds of jobs that ended.", load(&self.finished) as i64),
            (
                "searches_given_up_total",
                "counter",
                "Searches that did not end within two seconds of their limit.",
                load(&self.given_up) as i64,
            ),
            ("events_sent_total", "counter", "Events that were sent.", load(&self.events) as i64),
        ];
        for (name, kind, help, value) in plain {
            head(&mut text, name, kind, help);
            let _ = writeln!(text, "pfss_{name} {value}");
        }
        head(&mut text, "http_requests_total", "counter", "Requests by class of status.");
        for (class, count) in self.by_status.iter().enumerate().skip(1) {
            let _ = writeln!(text, "pfss_http_requests_total{{status=\"{class}xx\"}} {}", load(count));
        }
        head(&mut text, "http_request_seconds", "histogram", "Time until an answer begins.");
        let mut total = 0;
        for (index, count) in self.durations.iter().enumerate() {
            total += load(count);
            let end = CLASSES.get(index).map_or_else(|| "+Inf".to_string(), f64::to_string);
            let _ = writeln!(text, "pfss_http_request_seconds_bucket{{le=\"{end}\"}} {total}");
        }
        let sum = load(&self.duration_us) as f64 / 1e6;
        let _ =
            write!(text, "pfss_http_request_seconds_sum {sum}\npfss_http_request_seconds_count {total}\n");
        text
    }
}
