//! Keeps what running jobs find, then tells of it: nothing is told that a crash could take back.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::store::{Finished, Store, StoreError};
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
    /// Held from writing to telling, so that nothing old is told after something new.
    writing: Mutex<()>,
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
    /// From now on the task's news are kept.
    pub(crate) fn add(&self, task: Arc<Task>) {
        self.lock().tasks.push(task);
    }

    /// The task has no more news.
    pub(crate) fn remove(&self, task: &Arc<Task>) {
        self.lock().tasks.retain(|other| !Arc::ptr_eq(other, task));
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

    /// Keeps and tells, until closed.
    pub(crate) fn run(&self, store: &Store) {
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
            let pause = match self.keep(store, &tasks) {
                Ok(()) => PAUSE,
                Err(_) => RETRY,
            };
            std::thread::sleep(pause);
        }
    }

    /// Keeps how a task ended, then tells of it.
    pub(crate) fn finish(&self, store: &Store, task: &Task, finished: &Finished) -> Result<(), StoreError> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let known = &finished.progress.known;
        let points = task.topic.with_point(known);
        let mut finished = finished.clone();
        finished.progress.history = serde_json::to_string(&points).unwrap_or_default();
        let saved = store.finish(&finished);
        self.note(&saved);
        saved?;
        task.topic.tell(known.clone(), points);
        task.topic.tell_state(finished.state, finished.message);
        Ok(())
    }

    /// Keeps what these tasks found, then tells of it.
    pub(crate) fn keep(&self, store: &Store, tasks: &[Arc<Task>]) -> Result<(), StoreError> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = Vec::new();
        let mut told = Vec::new();
        for task in tasks {
            if let Some(mut progress) = task.progress() {
                let points = task.topic.with_point(&progress.known);
                progress.history = serde_json::to_string(&points).unwrap_or_default();
                told.push((task, progress.known.clone(), points));
                all.push(progress);
            }
        }
        if all.is_empty() {
            return Ok(());
        }
        let saved = store.save(&all);
        self.note(&saved);
        match saved {
            Ok(kept) => {
                let kept = told.into_iter().zip(kept).filter(|(_, is_kept)| *is_kept);
                kept.for_each(|((task, known, points), _)| task.topic.tell(known, points));
                Ok(())
            }
            Err(error) => {
                told.iter().for_each(|(task, ..)| task.not_saved());
                self.wake();
                Err(error)
            }
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
