//! When and why a run stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Asks a run to stop; clones share one flag, so any thread or signal handler can raise it.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// A flag that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises the flag.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is raised.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// When a run stops. Whichever limit is met first ends it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits<C> {
    /// Wall-clock time since the run was made.
    pub time: Option<Duration>,
    /// Evaluations: full orders, or places of a job, that were priced. The reproducible limit.
    pub evaluations: Option<u64>,
    /// Evaluations since the last improvement.
    pub stall: Option<u64>,
    /// Stop as soon as an order costs at most this.
    pub target: Option<C>,
}

impl<C> Default for Limits<C> {
    fn default() -> Self {
        Self { time: None, evaluations: None, stall: None, target: None }
    }
}

impl<C> Limits<C> {
    /// Whether a run must come out the same everywhere: it is limited by evaluations, not by the clock.
    pub fn is_reproducible(&self) -> bool {
        self.evaluations.is_some() || self.stall.is_some()
    }
}

/// How many evaluations a search may make between two looks at its limits: `on_few_machines` up to 64 machines, and fewer beyond,
/// where each takes longer.
pub const fn evaluations_per_look(on_few_machines: u64, num_machines: usize) -> u64 {
    const FEW_MACHINES: u64 = 64;
    let machines = num_machines as u64;
    if machines <= FEW_MACHINES { on_few_machines } else { on_few_machines * FEW_MACHINES / machines }
}

/// Why a run ended without a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// The algorithm came to its natural end.
    Finished,
    /// The time limit was met.
    TimeLimit,
    /// The evaluation limit was met.
    EvaluationLimit,
    /// No improvement for the allowed number of evaluations.
    Stalled,
    /// The target was reached.
    Target,
    /// Somebody raised the cancel flag.
    Cancelled,
    /// A part of the search panicked: a defect.
    Failed,
}

impl StopReason {
    /// The word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::TimeLimit => "time-limit",
            Self::EvaluationLimit => "evaluation-limit",
            Self::Stalled => "stalled",
            Self::Target => "target",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }
}
