//! What rank 0 asks all others to solve.

use std::time::{Duration, Instant};

use pfss::{PortableShop, Settings};
use pfss_core::{JobId, Limits, Time};
use serde::{Deserialize, Serialize};

/// An instance, how it is solved, and until when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Assignment {
    pub(crate) run: u64,
    pub(crate) shop: PortableShop,
    pub(crate) algorithm: String,
    pub(crate) settings: Settings,
    pub(crate) seed: u64,
    pub(crate) time_s: Option<f64>,
    pub(crate) elapsed_s: f64,
    pub(crate) target: Option<f64>,
    pub(crate) threads: Option<usize>,
    pub(crate) memory: Option<usize>,
    pub(crate) start: Option<Vec<JobId>>,
    pub(crate) keeps_nodes: bool,
}

impl Assignment {
    pub(crate) fn limits<T: Time>(&self) -> Limits<T> {
        Limits {
            time: self.time_s.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            target: self.target.map(T::from_f64_floor),
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
