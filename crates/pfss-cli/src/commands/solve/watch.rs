//! Who hears of what a search finds.

use pfss_core::{Improvement, Observer, RaisedBound, Time};

use super::latest::Latest;
use super::trace::Trace;
use crate::moment::{Figures, Moment};
use crate::progress::Progress;

/// Passes each improvement on to the trace, the result file and the terminal, and each better bound too.
pub(super) struct Watch<'a, T> {
    pub(super) trace: &'a Trace,
    pub(super) latest: Option<&'a Latest<T>>,
    pub(super) progress: &'a Progress,
    pub(super) figures: &'a dyn Figures<T>,
}

impl<T: Time> Observer<T> for Watch<'_, T> {
    fn on_improvement(&self, improvement: &Improvement<'_, T>) {
        let moment = Moment::improved(improvement, self.figures);
        self.trace.push(&moment);
        self.progress.show(&moment);
        if let Some(latest) = self.latest {
            latest.put(improvement);
        }
    }

    fn on_bound(&self, raised: &RaisedBound<T>) {
        let moment = Moment::raised(raised, self.figures);
        self.trace.push(&moment);
        self.progress.raise(&moment);
    }
}
