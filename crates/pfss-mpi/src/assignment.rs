//! What rank 0 asks all others to solve.

use std::time::{Duration, Instant};

use pfss::{PortableProblem, Settings};
use pfss_core::{JobId, Limits, Time};
use serde::{Deserialize, Serialize};

/// An instance, how it is solved, and until when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Assignment {
    pub(crate) run: u64,
    pub(crate) problem: PortableProblem,
    pub(crate) algorithm: String,
    pub(crate) settings: Settings,
    pub(crate) seed: u64,
    pub(crate) time_s: Option<f64>,
    pub(crate) elapsed_s: f64,
    /// The bits of a cost.
    pub(crate) target: Option<u64>,
    pub(crate) threads: Option<usize>,
    pub(crate) memory: Option<usize>,
    pub(crate) start: Option<Vec<JobId>>,
    pub(crate) keeps_nodes: bool,
}

impl Assignment {
    pub(crate) fn limits<C: Time>(&self) -> Limits<C> {
        Limits {
            time: self.time_s.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            target: self.target.map(C::from_bits),
            ..Limits::default()
        }
    }

    /// When the run began, by the clock of this process.
    pub(crate) fn clock(&self) -> Instant {
        let now = Instant::now();
        let elapsed = Duration::try_from_secs_f64(self.elapsed_s).unwrap_or_default();
        now.checked_sub(elapsed).unwrap_or(now)
    }
}
