//! What came of a piece.

use std::sync::{Mutex, PoisonError};

use pfss_core::{Improvement, JobId, Observer, Outcome, Status, Time};
use serde::{Deserialize, Serialize};

use super::solvable::Solvable;
use crate::building::Built;

/// What came of a piece. Costs are as a person reads them: of a line, the most important value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Made {
    /// The best order.
    pub order: Vec<JobId>,
    /// Its cost.
    pub cost: f64,
    /// No order costs less.
    pub bound: f64,
    /// Whether it is proven optimal.
    pub is_optimal: bool,
    /// Why the run ended.
    pub stop_reason: String,
    /// How many evaluations were made, or orders built.
    pub evaluations: u64,
    /// How long it took.
    pub runtime_s: f64,
    /// Seconds, evaluations and cost of each new best order.
    pub course: Vec<(f64, u64, f64)>,
}

impl Made {
    /// What an algorithm found.
    pub(super) fn found<P: Solvable>(
        problem: &P,
        outcome: &Outcome<P::Cost>,
        course: Course<P::Cost>,
    ) -> Self {
        let (is_optimal, stop_reason) = match outcome.status {
            Status::Optimal => (true, "optimal"),
            Status::Feasible(reason) => (false, reason.as_str()),
        };
        let course = course.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let point = |(seconds, evaluations, cost)| (seconds, evaluations, problem.value(cost));
        Self {
            order: outcome.order.as_slice().to_vec(),
            cost: problem.value(outcome.cost),
            bound: problem.value(outcome.bound),
            is_optimal,
            stop_reason: stop_reason.to_string(),
            evaluations: outcome.evaluations,
            runtime_s: outcome.runtime.as_secs_f64(),
            course: course.into_iter().map(point).collect(),
        }
    }

    /// What a policy built.
    pub(super) fn built<P: Solvable>(problem: &P, built: Built<P::Cost>, runtime_s: f64) -> Self {
        Self {
            order: built.order,
            cost: problem.value(built.cost),
            bound: 0.0,
            is_optimal: false,
            stop_reason: "finished".to_string(),
            evaluations: built.count as u64,
            runtime_s,
            course: Vec::new(),
        }
    }
}

/// Collects the course of a run: seconds, evaluations and cost.
pub(super) struct Course<C>(Mutex<Vec<(f64, u64, C)>>);

impl<C> Default for Course<C> {
    fn default() -> Self {
        Self(Mutex::new(Vec::new()))
    }
}

impl<C: Time> Observer<C> for Course<C> {
    fn on_improvement(&self, new: &Improvement<'_, C>) {
        let point = (new.runtime.as_secs_f64(), new.evaluations, new.cost);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(point);
    }
}
