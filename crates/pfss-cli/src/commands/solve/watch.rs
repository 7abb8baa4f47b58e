//! Who hears of what a search finds.

use std::thread;
use std::time::Instant;

use pfss_core::{Improvement, Observer, Outcome, RaisedBound, Time};
use pfss_io::ResultRecord;

use super::latest::Latest;
use super::outputs::{Files, Outputs};
use super::trace::Trace;
use crate::console::Console;
use crate::moment::{Figures, Moment};
use crate::progress::Progress;

/// Where a search of one instance is told of while it runs.
pub(super) struct Watching<'a, T> {
    pub(super) outputs: &'a Outputs,
    pub(super) files: &'a Files,
    pub(super) trace: &'a Trace,
    pub(super) figures: &'a dyn Figures<T>,
    pub(super) console: Console,
}

impl<T: Time> Watching<'_, T> {
    /// Runs a search that began at `started`. `record` makes the record of a better order for the result file; none where the
    /// order is not what it was said to be.
    pub(super) fn over<F>(
        self,
        name: &str,
        started: Instant,
        record: impl Fn(&Outcome<T>) -> Option<ResultRecord> + Send,
        search: impl FnOnce(&Watch<'_, T>) -> anyhow::Result<(Outcome<T>, F)>,
    ) -> anyhow::Result<(Outcome<T>, F)> {
        let Self { outputs, files, trace, figures, console } = self;
        let latest = outputs.rewrites(files).then(Latest::default);
        let progress = Progress::start(console, name, started.elapsed());
        let watch = Watch { trace, latest: latest.as_ref(), progress: &progress, figures };
        let answer = thread::scope(|scope| {
            let _closing = latest.as_ref().map(Latest::closing);
            if let Some(latest) = &latest {
                scope.spawn(move || {
                    latest.each(|outcome| {
                        if let Some(record) = record(outcome) {
                            let stop_reason = "running".to_string();
                            outputs.rewrite(files, &ResultRecord { stop_reason, ..record });
                        }
                    });
                });
            }
            search(&watch)
        });
        let end = answer.as_ref().ok().map(|(outcome, _)| Moment::end(outcome, figures));
        progress.finish(end.as_ref());
        answer
    }
}

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
