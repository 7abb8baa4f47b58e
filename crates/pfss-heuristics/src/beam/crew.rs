//! The threads of a pass.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockWriteGuard};
use std::thread::{Builder, Scope};

use pfss_core::tree::Element;

use super::gate::Gate;
use super::part::{MustEnd, Part};
use super::stage::Stage;

/// What threads do with a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Task {
    Price,
    Grow,
    Pack,
    Finish,
}

impl Task {
    const ALL: [Self; 4] = [Self::Price, Self::Grow, Self::Pack, Self::Finish];
}

/// The threads of a pass. They read one stage and write to their own parts; between tasks the first one, which is the
/// caller's, changes the stage.
pub(super) struct Crew<'c, 'p, E: Element> {
    stage: &'c RwLock<Stage<E>>,
    parts: &'c [Mutex<Part<'p, E>>],
    must_end: MustEnd<'c>,
    gate: Gate,
}

/// Sends the threads home at the end, also when a panic comes through here.
pub(super) struct Closing<'c>(&'c Gate);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl<'c, 'p, E: Element> Crew<'c, 'p, E> {
    pub(super) fn new(
        stage: &'c RwLock<Stage<E>>,
        parts: &'c [Mutex<Part<'p, E>>],
        must_end: MustEnd<'c>,
    ) -> Self {
        Self { stage, parts, must_end, gate: Gate::default() }
    }

    /// Calls so many threads, the caller's included, if the system has them; returns how many there are. They
    /// go home when the second value is dropped.
    pub(super) fn gather<'s>(&'s self, scope: &'s Scope<'s, '_>, threads: usize) -> (usize, Closing<'s>) {
        let closing = Closing(&self.gate);
        let came = |&number: &usize| {
            let serve = move || self.serve(number);
            Builder::new().name("beam".to_string()).spawn_scoped(scope, serve).is_ok()
        };
        ((1..threads.min(self.parts.len())).take_while(came).count() + 1, closing)
    }

    fn serve(&self, number: usize) {
        let mut seen = 0;
        while let Some(task) = self.gate.next(number, &mut seen) {
            let work = || self.work(number, Task::ALL[usize::from(task)]);
            self.gate.done(catch_unwind(AssertUnwindSafe(work)));
        }
    }

    fn work(&self, number: usize, task: Task) {
        let stage = self.stage.read().unwrap_or_else(PoisonError::into_inner);
        let mut part = self.part(number);
        match task {
            Task::Price => part.price(&stage, self.must_end),
            Task::Grow => part.grow(&stage, self.must_end),
            Task::Pack => part.pack(&stage),
            Task::Finish => part.finish(&stage, self.must_end),
        }
    }

    /// Does a task on so many threads.
    pub(super) fn all(&self, task: Task, threads: usize) {
        self.all_beside(task, threads, || ());
    }

    /// Does a task on so many threads. The first one does something else before.
    pub(super) fn all_beside(&self, task: Task, threads: usize, first: impl FnOnce()) {
        if threads > 1 {
            self.gate.open(task as u8, threads);
        }
        first();
        self.work(0, task);
        if threads > 1
            && let Err(payload) = self.gate.wait()
        {
            resume_unwind(payload);
        }
    }

    /// The stage, between two tasks.
    pub(super) fn stage(&self) -> RwLockWriteGuard<'_, Stage<E>> {
        self.stage.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread's part, between two tasks.
    pub(super) fn part(&self, number: usize) -> MutexGuard<'_, Part<'p, E>> {
        self.parts[number].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
