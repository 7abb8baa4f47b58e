//! What is known at one moment of a run: what traces and progress tell.

use std::time::Duration;

use pfss_core::timing::{Line, Score};
use pfss_core::{Improvement, Outcome, RaisedBound, Time};

/// How costs are told to people.
pub(crate) trait Figures<T>: Sync {
    /// A cost in the user's units.
    fn text(&self, cost: T) -> String;
}

/// Costs that are what people expect to see.
pub(crate) struct Plain;

impl<T: Time> Figures<T> for Plain {
    fn text(&self, cost: T) -> String {
        cost.to_string()
    }
}

impl Figures<Score> for Line {
    fn text(&self, cost: Score) -> String {
        self.value(cost).to_string()
    }
}

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
    fn new<T: Time>(
        value: Option<T>,
        bound: T,
        runtime: Duration,
        evaluations: u64,
        figures: &dyn Figures<T>,
    ) -> Self {
        // Sums of reals may differ in the last bits: a bound never exceeds a cost that was reached.
        let bound = value.map_or(bound, |value| bound.minimum(value));
        Self {
            time_s: runtime.as_secs_f64(),
            evaluations,
            value: value.map(|value| figures.text(value)),
            bound: figures.text(bound),
            is_end: false,
        }
    }

    /// A new best order.
    pub(crate) fn improved<T: Time>(best: &Improvement<'_, T>, figures: &dyn Figures<T>) -> Self {
        Self::new(Some(best.cost), best.bound, best.runtime, best.evaluations, figures)
    }

    /// A better bound.
    pub(crate) fn raised<T: Time>(raised: &RaisedBound<T>, figures: &dyn Figures<T>) -> Self {
        Self::new(raised.best, raised.bound, raised.runtime, raised.evaluations, figures)
    }

    /// The end of a run.
    pub(crate) fn end<T: Time>(outcome: &Outcome<T>, figures: &dyn Figures<T>) -> Self {
        let moment =
            Self::new(Some(outcome.cost), outcome.bound, outcome.runtime, outcome.evaluations, figures);
        Self { is_end: true, ..moment }
    }
}
