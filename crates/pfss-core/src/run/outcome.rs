//! The answer of a run.

use std::time::Duration;

use thiserror::Error;

use super::limits::StopReason;
use crate::{Permutation, Time};

/// What is known about the order that a run returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The bound proves that no order is better.
    Optimal,
    /// A valid order, and why the run ended.
    Feasible(StopReason),
}

impl Status {
    /// Optimal where that was proven, otherwise feasible for this reason.
    pub fn of(is_optimal: bool, reason: StopReason) -> Self {
        if is_optimal { Self::Optimal } else { Self::Feasible(reason) }
    }
}

/// The answer of a run.
#[derive(Clone, Debug)]
pub struct Outcome<C> {
    /// The best order found.
    pub order: Permutation,
    /// Its cost.
    pub cost: C,
    /// The best proven lower bound.
    pub bound: C,
    /// What is known about the order.
    pub status: Status,
    /// How many evaluations were made.
    pub evaluations: u64,
    /// Wall-clock time since the run was made.
    pub runtime: Duration,
}

impl<C: Time> Outcome<C> {
    /// `(cost - bound) / bound`; zero when both are zero.
    pub fn gap(&self) -> f64 {
        let (cost, bound) = (self.cost.to_f64(), self.bound.to_f64());
        if cost <= bound { 0.0 } else { (cost - bound) / bound }
    }
}

/// Why a solver cannot answer at all.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The algorithm does not treat this problem.
    #[error("{algorithm}: {reason}")]
    Unsupported {
        /// The algorithm.
        algorithm: String,
        /// What is wrong and what would be accepted.
        reason: String,
    },
    /// A part of the search panicked: a defect worth reporting. [`Run::answer`](crate::Run::answer) has the best order
    /// so far.
    #[error("a part of the search failed ({message}); please report this")]
    Failed {
        /// What it said.
        message: String,
    },
    /// The algorithm ended without any order: a defect worth reporting.
    #[error("the algorithm ended without an order; please report this")]
    NoOrder,
}
