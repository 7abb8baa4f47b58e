//! What a running search tells: improvements for the caller, every event for the trace.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};

use pfss_core::{CancelFlag, Improvement, JobId, Observer, RaisedBound, Time};
use pfss_io::TimeValue;
use pyo3::prelude::*;

use crate::value::Number;

/// One row of a trace.
#[derive(Clone, Copy)]
pub(crate) struct TraceRow {
    pub(crate) time: f64,
    pub(crate) evaluations: u64,
    pub(crate) value: TimeValue,
    pub(crate) bound: TimeValue,
}

/// A new best order on its way to the caller.
pub(crate) struct News {
    pub(crate) order: Vec<JobId>,
    pub(crate) row: TraceRow,
}

impl News {
    /// Calls a Python function with the news; whether it lets the search go on.
    pub(crate) fn tell(self, callback: &Bound<'_, PyAny>) -> PyResult<bool> {
        let TraceRow { time, evaluations, value, bound } = self.row;
        let answer =
            callback.call1((self.order, Number::from(value), Number::from(bound), time, evaluations))?;
        // `False` stops, and so do numpy's falsehoods; what most callbacks return is `None`.
        Ok(answer.is_none() || answer.is_truthy()?)
    }
}

/// Who gets improvements while the search runs.
pub(crate) enum Listener {
    /// Nobody.
    Nobody,
    /// The thread that called, which waits for them; the search goes on when it has answered. Tells whether anybody waits.
    Caller(Box<dyn Fn(News, Sender<()>) -> bool + Send + Sync>),
    /// A Python function, on the thread that searches; its error ends the search.
    Here(Py<PyAny>, Mutex<Option<PyErr>>),
}

/// Hears everything that a run tells; `values` gives the numbers that a user sees.
pub(crate) struct Ear<'a, V> {
    pub(crate) values: V,
    pub(crate) listener: &'a Listener,
    pub(crate) cancel: &'a CancelFlag,
    pub(crate) trace: &'a Mutex<Vec<TraceRow>>,
}

impl<V> Ear<'_, V> {
    fn note(&self, row: TraceRow) {
        self.trace.lock().unwrap_or_else(PoisonError::into_inner).push(row);
    }

    fn tell(&self, news: News) {
        match self.listener {
            Listener::Nobody => {}
            Listener::Caller(send) => {
                let (answer, answered) = channel();
                // Where nobody waits any more, no answer comes.
                if send(news, answer) {
                    let _ = answered.recv();
                }
            }
            Listener::Here(callback, failure) => Python::attach(|py| match news.tell(callback.bind(py)) {
                Ok(true) => {}
                Ok(false) => self.cancel.cancel(),
                Err(error) => {
                    self.cancel.cancel();
                    failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                }
            }),
        }
    }
}

impl<C: Time, V: Fn(C) -> TimeValue + Sync> Observer<C> for Ear<'_, V> {
    fn on_improvement(&self, new: &Improvement<'_, C>) {
        let row = TraceRow {
            time: new.runtime.as_secs_f64(),
            evaluations: new.evaluations,
            value: (self.values)(new.cost),
            bound: (self.values)(new.bound),
        };
        self.note(row);
        if !matches!(self.listener, Listener::Nobody) && !self.cancel.is_cancelled() {
            self.tell(News { order: new.order.to_vec(), row });
        }
    }

    fn on_bound(&self, raised: &RaisedBound<C>) {
        // A bound that is proven before the first order stands in the row of that order.
        if let Some(best) = raised.best {
            self.note(TraceRow {
                time: raised.runtime.as_secs_f64(),
                evaluations: raised.evaluations,
                value: (self.values)(best),
                bound: (self.values)(raised.bound),
            });
        }
    }
}
