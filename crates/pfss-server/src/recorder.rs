//! When the news of running jobs are kept: ten times a second at most, and again where the store failed.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::store::StoreError;
use crate::task::Task;

/// Ten times a second is as often as anybody looks.
const PAUSE: Duration = Duration::from_millis(100);
/// How long to wait after the store failed.
const RETRY: Duration = Duration::from_millis(500);

/// Collects news of all running jobs and writes them to the store together.
#[derive(Default)]
pub(crate) struct Recorder {
    desk: Mutex<Desk>,
    changed: Condvar,
}

#[derive(Default)]
struct Desk {
    tasks: Vec<Arc<Task>>,
    is_new: bool,
    is_closed: bool,
    /// Why the store cannot keep anything at present.
    trouble: Option<String>,
}

impl Recorder {
    /// The task's news are kept as long as what this returns lives, also where the search panics.
    pub(crate) fn list(&self, task: &Arc<Task>) -> Listed<'_> {
        self.lock().tasks.push(Arc::clone(task));
        Listed { recorder: self, task: Arc::clone(task) }
    }

    /// The task of this round, which has no more news.
    pub(crate) fn take(&self, number: i64, round: i64) -> Option<Arc<Task>> {
        let mut desk = self.lock();
        let at = desk.tasks.iter().position(|task| (task.row.number, task.row.round) == (number, round));
        at.map(|at| desk.tasks.remove(at))
    }

    /// Some task has news.
    pub(crate) fn wake(&self) {
        let mut desk = self.lock();
        if !desk.is_new {
            desk.is_new = true;
            self.changed.notify_one();
        }
    }

    /// Why the store cannot keep anything at present.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.lock().trouble.clone()
    }

    /// Notes whether the store works.
    pub(crate) fn note<T>(&self, result: &Result<T, StoreError>) {
        self.lock().trouble = result.as_ref().err().map(ToString::to_string);
    }

    /// Has news kept by `keep` until closed.
    pub(crate) fn run(&self, keep: impl Fn(&[Arc<Task>]) -> Result<(), StoreError>) {
        loop {
            let mut desk = self.lock();
            while !desk.is_new && !desk.is_closed {
                desk = self.changed.wait(desk).unwrap_or_else(PoisonError::into_inner);
            }
            if desk.is_closed {
                return;
            }
            desk.is_new = false;
            let tasks = desk.tasks.clone();
            drop(desk);
            let pause = match keep(&tasks) {
                Ok(()) => PAUSE,
                Err(_) => RETRY,
            };
            std::thread::sleep(pause);
        }
    }

    /// Ends [`Recorder::run`].
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A task whose news are kept.
pub(crate) struct Listed<'a> {
    recorder: &'a Recorder,
    task: Arc<Task>,
}

impl Drop for Listed<'_> {
    fn drop(&mut self) {
        self.recorder.lock().tasks.retain(|other| !Arc::ptr_eq(other, &self.task));
    }
}
