//! Workers that take planned runs in order and write each row to the journal as soon as it is made.

use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pfss_core::CancelFlag;
use rayon::{ThreadPool, ThreadPoolBuilder};
use thiserror::Error;

use crate::{Journal, JournalError, JournalRow};

/// Why a bench, or the reproduction of a table, had to stop.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The rows cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The worker threads cannot be started.
    #[error("cannot start {workers} worker threads: {reason}; ask for fewer")]
    Workers {
        /// How many were asked for.
        workers: usize,
        /// Why not.
        reason: String,
    },
}

/// A run panicked: a defect worth reporting.
#[derive(Debug, Error)]
#[error("the run broke off: {0}; please report this")]
pub struct Panicked(String);

impl Panicked {
    fn new(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Self(text.unwrap_or("no reason is known").to_string())
    }
}

/// What happens to an item; events come one at a time.
pub(crate) enum Event<'a, I, R, E> {
    /// A worker starts on it.
    Started(&'a I),
    /// Its row is in the journal.
    Written(&'a I, &'a R),
    /// It gave no row.
    Failed(&'a I, E),
}

/// Threads that wait for work.
pub(crate) struct Pool {
    /// One pool of one thread per worker: what a run would do in parallel stays on it, so that all runs are timed on one thread.
    workers: Vec<ThreadPool>,
}

/// Hands elsewhere that make rows.
pub(crate) struct There<'a, I, R, E> {
    /// How many there are.
    pub(crate) count: usize,
    /// Has one of them make a row, and waits for it.
    pub(crate) make: &'a (dyn Fn(usize, &I) -> Result<R, E> + Sync),
}

/// What the workers share.
struct Shared<'a, R, E, W> {
    journal: &'a mut Journal<R>,
    watch: W,
    end: Option<End<E>>,
}

/// Why no worker starts on another item.
enum End<E> {
    Journal(JournalError),
    Watch(E),
}

impl Pool {
    /// So many workers, at least one.
    ///
    /// # Errors
    /// [`BenchError::Workers`] when a thread cannot be started.
    pub(crate) fn new(workers: usize) -> Result<Self, BenchError> {
        let workers = workers.max(1);
        let start =
            |at| ThreadPoolBuilder::new().num_threads(1).thread_name(move |_| format!("run-{at}")).build();
        match (0..workers).map(start).collect() {
            Ok(workers) => Ok(Self { workers }),
            Err(error) => Err(BenchError::Workers { workers, reason: error.to_string() }),
        }
    }

    /// Makes the rows of `items`, taken in order, and appends each to `journal` at once; some of them `there`, where others help.
    ///
    /// `watch` hears of everything; when it breaks off, no worker starts on another item, and its first word is the answer.
    /// The rows of items that are under way then still reach the journal. After `cancel` they do not: what was cut short is no
    /// result. A panic of `make` is a failure like others.
    ///
    /// # Errors
    /// [`JournalError`] when a row cannot be written; the journal holds the rows before it.
    pub(crate) fn run<I, R, E, W>(
        &self,
        items: &[I],
        journal: &mut Journal<R>,
        cancel: &CancelFlag,
        make: &(dyn Fn(&I) -> Result<R, E> + Sync),
        there: Option<There<'_, I, R, E>>,
        watch: W,
    ) -> Result<ControlFlow<E>, JournalError>
    where
        I: Sync,
        R: JournalRow + Send,
        E: From<Panicked> + Send,
        W: FnMut(Event<'_, I, R, E>) -> ControlFlow<E> + Send,
    {
        let next = AtomicUsize::new(0);
        let shared = Mutex::new(Shared { journal, watch, end: None });
        let work = |make: &dyn Fn(&I) -> Result<R, E>| {
            while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                if cancel.is_cancelled() || !lock(&shared).start(item) {
                    return;
                }
                let made = catch_unwind(AssertUnwindSafe(|| make(item)))
                    .unwrap_or_else(|panic| Err(Panicked::new(&*panic).into()));
                if cancel.is_cancelled() {
                    return;
                }
                lock(&shared).finish(item, made);
            }
        };
        let work = &work;
        std::thread::scope(|scope| {
            if let Some(There { count, make }) = there {
                for hand in 0..count.min(items.len()) {
                    scope.spawn(move || work(&|item| make(hand, item)));
                }
            }
            for worker in self.workers.iter().take(items.len()) {
                scope.spawn(|| worker.install(|| work(make)));
            }
        });
        match shared.into_inner().unwrap_or_else(PoisonError::into_inner).end {
            Some(End::Journal(error)) => Err(error),
            Some(End::Watch(reason)) => Ok(ControlFlow::Break(reason)),
            None => Ok(ControlFlow::Continue(())),
        }
    }
}

impl<R, E, W> Shared<'_, R, E, W>
where
    R: JournalRow,
{
    /// Tells that an item starts; `false` when it must not.
    fn start<I>(&mut self, item: &I) -> bool
    where
        W: FnMut(Event<'_, I, R, E>) -> ControlFlow<E>,
    {
        if self.end.is_none()
            && let ControlFlow::Break(reason) = (self.watch)(Event::Started(item))
        {
            self.end = Some(End::Watch(reason));
        }
        self.end.is_none()
    }

    fn finish<I>(&mut self, item: &I, made: Result<R, E>)
    where
        W: FnMut(Event<'_, I, R, E>) -> ControlFlow<E>,
    {
        // Nothing follows a line that may be torn.
        if matches!(self.end, Some(End::Journal(_))) {
            return;
        }
        let event = match made.map(|row| self.journal.append(row)) {
            Ok(Ok(row)) => Event::Written(item, row),
            Ok(Err(error)) => {
                self.end = Some(End::Journal(error));
                return;
            }
            Err(failure) => Event::Failed(item, failure),
        };
        if let ControlFlow::Break(reason) = (self.watch)(event) {
            self.end.get_or_insert(End::Watch(reason));
        }
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
