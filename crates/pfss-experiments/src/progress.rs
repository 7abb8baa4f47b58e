//! How a bench tells what it does.

use std::time::Duration;

use crate::Row;

/// A run of a bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task<'a> {
    /// The name of the instance.
    pub instance: &'a str,
    /// The name of the algorithm.
    pub algorithm: &'a str,
    /// The seed.
    pub seed: u64,
}

/// How far a bench is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Runs that are done, with those of earlier benches.
    pub done: usize,
    /// All runs of the plan.
    pub total: usize,
    /// Runs that are under way.
    pub running: usize,
    /// How long the rest will take; `None` while nothing is known.
    pub remaining: Option<Duration>,
}

/// Is told how a bench goes. Called from the worker threads, one call at a time.
pub trait Monitor: Sync {
    /// A run starts.
    fn started(&self, task: Task<'_>, progress: &Progress) {
        let _ = (task, progress);
    }

    /// A run is done and its row is written.
    fn finished(&self, row: &Row, progress: &Progress) {
        let _ = (row, progress);
    }

    /// A run gave no valid result.
    fn failed(&self, task: Task<'_>, reason: &str, progress: &Progress) {
        let _ = (task, reason, progress);
    }
}

/// Tells nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Monitor for Silent {}

/// Measures how far a bench is.
pub(crate) struct Meter {
    pub(crate) done: usize,
    pub(crate) total: usize,
    pub(crate) running: usize,
    pub(crate) workers: usize,
    /// What the open runs weigh, as [`RunLimit::weight`](crate::RunLimit::weight) has it.
    pub(crate) remaining_weight: f64,
    /// Whether a weight is a time in seconds, so that something is known before the first run ends.
    pub(crate) is_timed: bool,
    pub(crate) measured_weight: f64,
    pub(crate) measured_seconds: f64,
}

impl Meter {
    /// A run of this weight is over.
    pub(crate) fn count(&mut self, weight: f64, seconds: f64) {
        self.running -= 1;
        self.done += 1;
        self.remaining_weight -= weight;
        self.measured_weight += weight;
        self.measured_seconds += seconds;
    }

    pub(crate) fn progress(&self) -> Progress {
        // Seconds per weight: measured, else (with a time limit) the full time.
        let rate = if self.measured_weight > 0.0 {
            Some(self.measured_seconds / self.measured_weight)
        } else {
            self.is_timed.then_some(1.0)
        };
        let remaining = rate.and_then(|rate| {
            let seconds = rate * self.remaining_weight.max(0.0) / self.workers as f64;
            Duration::try_from_secs_f64(seconds).ok()
        });
        Progress { done: self.done, total: self.total, running: self.running, remaining }
    }
}
