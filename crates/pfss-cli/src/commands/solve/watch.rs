//! What is told of a running search.

use pfss_core::{Improvement, Observer, Time};

use super::latest::Latest;
use super::trace::Trace;
use crate::progress::Progress;

/// Passes each improvement on to the trace, the result file and the terminal.
pub(super) struct Watch<'a, T> {
    pub(super) trace: &'a Trace,
    pub(super) latest: Option<&'a Latest<T>>,
    pub(super) progress: &'a Progress,
}

impl<T: Time> Observer<T> for Watch<'_, T> {
    fn on_improvement(&self, improvement: &Improvement<'_, T>) {
        self.trace.push(improvement);
        self.progress.show(improvement);
        if let Some(latest) = self.latest {
            latest.put(improvement);
        }
    }
}
