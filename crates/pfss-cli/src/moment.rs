//! What is known at one moment of a run: what traces and progress tell.

use std::time::Duration;

use pfss_core::{Improvement, Outcome, RaisedBound, Time};

/// The state of a run at one moment. Numbers are text already, so that times of all types look the same.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) time_s: f64,
    pub(crate) evaluations: u64,
    /// The cost of the best order so far, where there is one.
    pub(crate) value: Option<String>,
    /// The best proven bound so far.
    pub(crate) bound: String,
    /// Whether the run is over.
    pub(crate) is_end: bool,
}

impl Moment {
    fn new<T: Time>(value: Option<T>, bound: T, runtime: Duration, evaluations: u64) -> Self {
        // Sums of reals may differ in the last bits: a bound never exceeds a cost that was reached.
        let bound = value.map_or(bound, |value| bound.minimum(value));
        Self {
            time_s: runtime.as_secs_f64(),
            evaluations,
            value: value.map(|value| value.to_string()),
            bound: bound.to_string(),
            is_end: false,
        }
    }

    /// A new best order.
    pub(crate) fn improved<T: Time>(best: &Improvement<'_, T>) -> Self {
        Self::new(Some(best.cost), best.bound, best.runtime, best.evaluations)
    }

    /// A better bound.
    pub(crate) fn raised<T: Time>(raised: &RaisedBound<T>) -> Self {
        Self::new(raised.best, raised.bound, raised.runtime, raised.evaluations)
    }

    /// The end of a run.
    pub(crate) fn end<T: Time>(outcome: &Outcome<T>) -> Self {
        let moment = Self::new(Some(outcome.cost), outcome.bound, outcome.runtime, outcome.evaluations);
        Self { is_end: true, ..moment }
    }
}
