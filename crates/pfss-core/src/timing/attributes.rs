//! What jobs, machines and the order may carry beyond processing times, as a file or a caller says it.
//!
//! This is the outside form: plain data in the units of the instance, not checked. `Line` is the inside form.

use serde::{Deserialize, Serialize};

use super::Objective;
use crate::JobId;

/// All attributes of an instance. The default carries none: the plain permutation flow shop.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Attributes {
    /// One for each job, or empty.
    pub jobs: Vec<JobAttributes>,
    /// One for each machine, or empty.
    pub machines: Vec<MachineAttributes>,
    /// Names of the families, in the order of their first appearance; jobs and set-ups refer to them by number.
    pub families: Vec<String>,
    /// Jobs that stand at the beginning, in this order.
    pub first: Vec<JobId>,
    /// The first of a pair comes somewhere before the second.
    pub precedence: Vec<(JobId, JobId)>,
    /// What is minimised, the most important first. Empty: the makespan.
    pub objectives: Vec<Objective>,
}

impl Attributes {
    /// Whether there is nothing here that the plain problem does not know.
    pub fn is_plain(&self) -> bool {
        self.jobs.iter().all(|job| *job == JobAttributes::default())
            && self.machines.iter().all(|machine| *machine == MachineAttributes::default())
            && self.first.is_empty()
            && self.precedence.is_empty()
            && self.objectives.iter().all(|objective| *objective == Objective::Makespan)
    }
}

/// What a job may carry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobAttributes {
    /// It cannot start on the first machine before.
    pub release: f64,
    /// When it should be done.
    pub due: Option<f64>,
    /// What a unit of time late, or of completion, costs.
    pub weight: f64,
    /// Which set-ups apply: an index into [`Attributes::families`].
    pub family: Option<usize>,
}

impl Default for JobAttributes {
    fn default() -> Self {
        Self { release: 0.0, due: None, weight: 1.0, family: None }
    }
}

/// What a machine, and the gap behind it, may carry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MachineAttributes {
    /// It is busy until then.
    pub available_from: f64,
    /// Intervals `[from, to)` in which it stands still.
    pub breaks: Vec<(f64, f64)>,
    /// Whether an operation that meets a break is interrupted and goes on, or waits until it fits.
    pub resume: bool,
    /// Set-ups that take time; all others take none.
    pub setups: Vec<Setup>,
    /// How many jobs fit between this machine and the next; none: any number.
    pub buffer: Option<usize>,
    /// A job goes on to the next machine at once.
    pub no_wait: bool,
}

impl Default for MachineAttributes {
    fn default() -> Self {
        Self {
            available_from: 0.0,
            breaks: Vec::new(),
            resume: true,
            setups: Vec::new(),
            buffer: None,
            no_wait: false,
        }
    }
}

/// The time between an operation of one family and one of another on the same machine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// The family before, or none before the first job.
    pub from: Option<usize>,
    /// The family after.
    pub to: usize,
    /// How long it takes.
    pub time: f64,
}
