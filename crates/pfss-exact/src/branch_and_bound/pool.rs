//! Open tasks that threads share, the deepest first.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::task::Task;

/// Tasks that wait for a thread, by depth.
///
/// The deepest are taken first, so that what is open stays bounded: a node of some depth is branched only when nothing
/// deeper waits, and so no more than a few children for each thread and depth come together.
pub(super) struct TaskPool<E> {
    state: Mutex<State<E>>,
    changed: Condvar,
    /// What [`TaskPool::is_hungry`] looks at, without the lock.
    waiting_tasks: AtomicUsize,
    idle_threads: AtomicUsize,
}

struct State<E> {
    /// By the number of jobs that are placed.
    by_depth: Vec<Vec<Task<E>>>,
    /// Threads that are at work on a task.
    busy: usize,
    /// Nobody takes tasks any more.
    closed: bool,
}

impl<E> TaskPool<E> {
    pub(super) fn new(tasks: impl IntoIterator<Item = Task<E>>) -> Self {
        let pool = Self {
            state: Mutex::new(State { by_depth: Vec::new(), busy: 0, closed: false }),
            changed: Condvar::new(),
            waiting_tasks: AtomicUsize::new(0),
            idle_threads: AtomicUsize::new(0),
        };
        pool.add(tasks);
        pool
    }

    /// Whether a thread waits and finds nothing.
    pub(super) fn is_hungry(&self) -> bool {
        self.idle_threads.load(Ordering::Relaxed) > 0 && self.waiting_tasks.load(Ordering::Relaxed) == 0
    }

    /// Adds tasks; among those of one depth, the last is taken first.
    pub(super) fn add(&self, tasks: impl IntoIterator<Item = Task<E>>) {
        let mut state = self.lock();
        for task in tasks {
            let depth = task.depth();
            if state.by_depth.len() <= depth {
                state.by_depth.resize_with(depth + 1, Vec::new);
            }
            state.by_depth[depth].push(task);
            self.waiting_tasks.fetch_add(1, Ordering::Relaxed);
        }
        self.changed.notify_all();
    }

    /// The next task, and a mark that this thread is at work on it. Waits while others may still add some; `None` when all
    /// is done or the pool was closed.
    pub(super) fn take(&self) -> Option<(Task<E>, Busy<'_, E>)> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            if let Some(task) = state.by_depth.iter_mut().rev().find_map(Vec::pop) {
                self.waiting_tasks.fetch_sub(1, Ordering::Relaxed);
                state.busy += 1;
                return Some((task, Busy { pool: self }));
            }
            if state.busy == 0 {
                return None;
            }
            self.idle_threads.fetch_add(1, Ordering::Relaxed);
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            self.idle_threads.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// No thread takes another task.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// What is left, the deepest last.
    pub(super) fn into_tasks(self) -> Vec<Task<E>> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.by_depth.into_iter().flatten().collect()
    }

    fn lock(&self) -> MutexGuard<'_, State<E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread at work. When it ends, those that wait look again; when it panics, nobody waits for it.
pub(super) struct Busy<'a, E> {
    pool: &'a TaskPool<E>,
}

impl<E> Drop for Busy<'_, E> {
    fn drop(&mut self) {
        let mut state = self.pool.lock();
        state.busy -= 1;
        state.closed |= std::thread::panicking();
        if state.busy == 0 || state.closed {
            self.pool.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pfss_core::tree::End;

    use super::super::task::Placement;
    use super::*;

    fn task(depth: usize, job: u32) -> Task<u32> {
        let placement = Placement { job, end: End::Front };
        let above: Arc<[Placement]> = vec![placement; depth.saturating_sub(1)].into();
        Task { above, last: (depth > 0).then_some(placement), bound: job, share: 0.0 }
    }

    #[test]
    fn the_deepest_and_last_task_comes_first() {
        let pool = TaskPool::new([task(1, 7), task(3, 8), task(3, 9), task(2, 10)]);
        let mut taken = Vec::new();
        while let Some((task, _busy)) = pool.take() {
            taken.push(task.bound);
            if taken.len() == 2 {
                pool.add([task_of_depth_five()]);
            }
        }
        assert_eq!(taken, [9, 8, 11, 10, 7]);
    }

    fn task_of_depth_five() -> Task<u32> {
        task(5, 11)
    }

    #[test]
    fn nobody_waits_for_a_thread_that_panicked() {
        let pool = TaskPool::new([task(1, 0), task(1, 1)]);
        std::thread::scope(|scope| {
            let bad = scope.spawn(|| {
                let _task = pool.take();
                panic!("a wheel came off");
            });
            assert!(bad.join().is_err());
            // Would wait for ever for what the other one might add.
            let good = scope.spawn(|| pool.take().is_none());
            assert!(good.join().unwrap());
        });
        assert_eq!(pool.into_tasks().len(), 1);
    }
}
