//! Raising the bound of instances that are too hard to be solved.
//!
//! Depth-first search for a better order proves nothing before its end: some node near the root stays open
//! with a low bound. So a part of the time goes into trees that are smaller by far: to show that no order
//! costs less than a value between bound and best cost (destructive bounds: Klein & Scholl 1999). Each success
//! is a new bound.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pfss_core::tree::Element;
use pfss_core::{Run, Time};

use super::engine::Engine;
use super::frontier::Frontier;
use super::worker::{Turn, Worker};

/// Children to price in one step.
const SLICE: u64 = 1 << 21;

/// The first value stands this far between bound and best cost.
const FIRST_STEP: f64 = 1.0 / 16.0;

/// A proof may take so many times the work of the one before; then a smaller step is tried.
const PATIENCE: u64 = 24;

/// The tree of the proof that is under way, and what comes after it.
pub(super) struct Raise<T, E> {
    pub(super) frontier: Frontier<E>,
    plan: Mutex<Plan<T>>,
}

struct Plan<T> {
    /// What is to be proven now, and the epoch of its tasks.
    aim: Option<Aim<T>>,
    step: f64,
    /// Children of this proof, and of the last one that succeeded.
    spent: u64,
    last: u64,
}

#[derive(Clone, Copy, PartialEq)]
struct Aim<T> {
    target: T,
    epoch: u64,
}

impl<T: Time, E: Element> Raise<T, E> {
    pub(super) fn new(frontier: Frontier<E>) -> Self {
        Self { frontier, plan: Mutex::new(Plan { aim: None, step: 0.0, spent: 0, last: SLICE }) }
    }

    /// Works on one proof for a while. Returns how many children were priced, or `None` where there is nothing to do:
    /// others are at work on all that is open.
    pub(super) fn step(
        &self,
        worker: &mut Worker<E>,
        engine: &Engine<'_, T, E>,
        run: &Run<'_, T>,
    ) -> Option<u64> {
        let aim = self.aim(worker.number, engine, run);
        let turn = Turn { ceiling: aim.target, epoch: aim.epoch, children: SLICE };
        let done = worker.work(engine, &self.frontier, turn, run);
        if done.children == 0 && !done.found_nothing {
            // A step without a child still counts, so that others get their turn.
            self.frontier.count(0, 1, 0.0);
        }
        let mut plan = self.lock();
        if plan.aim == Some(aim) {
            plan.spent += done.children;
            if self.frontier.pool.is_exhausted() {
                // What was found below the target is in the run already.
                run.raise_bound(aim.target.minimum(run.best_cost()));
                plan.succeeded();
            } else if plan.spent > PATIENCE * plan.last {
                plan.step /= 2.0;
                plan.aim = None;
            } else if done.found_nothing {
                return None;
            }
        }
        Some(done.children.max(1))
    }

    /// What is to be proven now: as before, or anew.
    fn aim(&self, number: usize, engine: &Engine<'_, T, E>, run: &Run<'_, T>) -> Aim<T> {
        let mut plan = self.lock();
        match plan.aim {
            Some(aim) if aim.target > run.bound() => aim,
            _ => {
                let target = plan.next_target(run);
                let aim = Aim { target, epoch: self.frontier.pool.restart(number, engine.root()) };
                plan.aim = Some(aim);
                aim
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Plan<T>> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Time> Plan<T> {
    fn succeeded(&mut self) {
        self.step *= if self.spent < 4 * self.last { 1.5 } else { 0.75 };
        self.last = self.spent.max(SLICE);
        self.aim = None;
    }

    fn next_target(&mut self, run: &Run<'_, T>) -> T {
        let (bound, best) = (run.bound().to_f64(), run.best_cost().to_f64());
        if self.step == 0.0 {
            self.step = (best - bound) * FIRST_STEP;
        }
        let step = if T::IS_INTEGER { self.step.max(1.0) } else { self.step };
        self.spent = 0;
        T::from_f64_floor((bound + step).min(best))
    }
}
