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
