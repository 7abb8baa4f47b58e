//! Long work on a thread of its own, while the thread that called answers signals and callbacks.
//!
//! Python runs signal handlers on its main thread only, and only when that asks for them. So what is called there works on
//! another thread, and the caller looks for signals, calls callbacks (where notebooks and debuggers expect them), and shows
//! progress. What is called on other threads works right there, without the interpreter's lock.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pfss_core::CancelFlag;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::error::unsolved;
use crate::news::{Listener, News};

/// How long the caller sleeps between two looks for signals.
const LOOK: Duration = Duration::from_millis(40);

/// Two interrupts within this time are one wish to leave, also when the first one ended an earlier call.
const IN_QUICK_SUCCESSION: Duration = Duration::from_millis(1000);

static LAST_INTERRUPT: Mutex<Option<Instant>> = Mutex::new(None);

/// How long work is called.
pub(crate) struct Call<'py> {
    /// Ends the work early.
    pub(crate) cancel: CancelFlag,
    /// Is called with each improvement.
    pub(crate) on_improvement: Option<Bound<'py, PyAny>>,
    /// Is called now and then with how much is done.
    pub(crate) tick: Option<Bound<'py, PyAny>>,
    /// How much is done, where the work counts it.
    pub(crate) done: Arc<AtomicUsize>,
    /// Whether the caller is the main thread, which answers signals.
    pub(crate) is_main: bool,
    /// Whether what was found until an interrupt is an answer.
    pub(crate) keeps_best: bool,
}

/// What the worker sends: improvements, which wait for an answer, and the result.
enum Event<R> {
    News(News, Sender<()>),
    Done(R),
}

impl<'py> Call<'py> {
    /// Work on many instances, which counts those that are done; the flag that ends it, and the count.
    pub(crate) fn of_batch(
        tick: Option<Bound<'py, PyAny>>,
        is_main: bool,
    ) -> (Self, CancelFlag, Arc<AtomicUsize>) {
        let (cancel, done) = (CancelFlag::new(), Arc::default());
        let call = Self {
            cancel: cancel.clone(),
            on_improvement: None,
            tick,
            done: Arc::clone(&done),
            is_main,
            keeps_best: false,
        };
        (call, cancel, done)
    }

    /// Does the work and returns its result, or what a callback or a signal handler raised.
    pub(crate) fn run<R, W>(self, py: Python<'py>, work: W) -> PyResult<R>
    where
        R: Send + 'static,
        W: FnOnce(&Listener) -> R + Send + 'static,
    {
        if self.is_main || self.tick.is_some() { self.run_beside(py, work) } else { self.run_here(py, work) }
    }

    fn run_here<R: Send>(self, py: Python<'py>, work: impl FnOnce(&Listener) -> R + Send) -> PyResult<R> {
        let listener = match self.on_improvement {
            Some(callback) => Listener::Here(callback.unbind(), Mutex::new(None)),
            None => Listener::Nobody,
        };
        let result = py.detach(|| work(&listener));
        match listener {
            Listener::Here(_, failure) => {
                match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
                    Some(error) => Err(error),
                    None => Ok(result),
                }
            }
            _ => Ok(result),
        }
    }

    fn run_beside<R, W>(self, py: Python<'py>, work: W) -> PyResult<R>
    where
        R: Send + 'static,
        W: FnOnce(&Listener) -> R + Send + 'static,
    {
        let (events, arriving) = channel::<Event<R>>();
        let listens = self.on_improvement.is_some();
        std::thread::Builder::new()
            .name("pfss".to_string())
            .spawn(move || {
                let listener = if listens { listener_of(&events) } else { Listener::Nobody };
                let result = work(&listener);
                // Nobody listens any more after a second interrupt.
                let _ = events.send(Event::Done(result));
            })
            .map_err(|error| unsolved(format!("no thread could be started: {error}")))?;
        self.wait(py, arriving)
    }

    fn wait<R: Send>(self, py: Python<'py>, arriving: Receiver<Event<R>>) -> PyResult<R> {
        let arriving = Mutex::new(arriving);
        let next =
            || py.detach(|| arriving.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK));
        let mut outcome: PyResult<()> = Ok(());
        let mut interrupts = Interrupts::new(self.keeps_best);
        loop {
            let result = match next() {
                Ok(Event::Done(result)) => return outcome.map(|()| result),
                Ok(Event::News(news, answer)) => {
                    let told = match &self.on_improvement {
                        Some(callback) if outcome.is_ok() && !self.cancel.is_cancelled() => {
                            news.tell(callback)
                        }
                        _ => Ok(true),
                    };
                    if matches!(told, Ok(false)) {
                        self.cancel.cancel();
                    }
                    // Before the search goes on, so that it sees a wish to stop.
                    let result = told.map(|_| ());
                    if result.is_err() {
                        self.cancel.cancel();
                    }
                    let _ = answer.send(());
                    result
                }
                Err(RecvTimeoutError::Timeout) => py.check_signals().and_then(|()| match &self.tick {
                    Some(tick) => tick.call1((self.done.load(Ordering::Relaxed),)).map(|_| ()),
                    None => Ok(()),
                }),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(unsolved("a part of the search failed; please report this"));
                }
            };
            if let Err(error) = result {
                self.cancel.cancel();
                if error.is_instance_of::<PyKeyboardInterrupt>(py) {
                    // The worker ends by itself: the flag is raised, and it owns all that it uses.
                    interrupts.take(error)?;
                } else if outcome.is_ok() {
                    outcome = Err(error);
                }
            }
        }
    }
}

/// Counts interrupts: the first one asks for the best so far, the second one leaves.
struct Interrupts {
    may_stay: bool,
}

impl Interrupts {
    fn new(keeps_best: bool) -> Self {
        Self { may_stay: keeps_best }
    }

    fn take(&mut self, error: PyErr) -> PyResult<()> {
        let now = Instant::now();
        let last = LAST_INTERRUPT.lock().unwrap_or_else(PoisonError::into_inner).replace(now);
        let is_second = last.is_some_and(|last| now.duration_since(last) < IN_QUICK_SUCCESSION);
        if !std::mem::replace(&mut self.may_stay, false) || is_second { Err(error) } else { Ok(()) }
    }
}

/// Hands improvements over to the events of a worker.
fn listener_of<R: Send + 'static>(events: &Sender<Event<R>>) -> Listener {
    let events = events.clone();
    Listener::Caller(Box::new(move |news, answer| events.send(Event::News(news, answer)).is_ok()))
}
