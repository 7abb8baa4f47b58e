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
use super::steps::Steps;
use super::worker::{Turn, Worker};

/// Children to price in one turn, at most.
const SLICE: u64 = 1 << 21;

/// The tree of the proof that is under way, and what comes after it.
pub(super) struct Raise<T, E> {
    pub(super) frontier: Frontier<E>,
    plan: Mutex<Plan<T>>,
}

/// What is to be proven, the epoch of its tasks, and how much of the tree had been searched before.
#[derive(Clone, Copy, PartialEq)]
struct Aim<T> {
    target: T,
    epoch: u64,
    share_before: f64,
}

struct Plan<T> {
    aim: Option<Aim<T>>,
    steps: Steps,
    /// Children of this proof.
    spent: u64,
}

impl<T: Time, E: Element> Raise<T, E> {
    pub(super) fn new(frontier: Frontier<E>) -> Self {
        Self { frontier, plan: Mutex::new(Plan { aim: None, steps: Steps::default(), spent: 0 }) }
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
        let turn = Turn { ceiling: aim.target, epoch: aim.epoch, children: SLICE, gives: false };
        let done = worker.work(engine, &self.frontier, turn, run);
        if done.children == 0 && !done.found_nothing {
            // A step without a child still counts, so that others get their turn.
            self.frontier.count(0, 1, 0.0);
        }
        let mut plan = self.lock();
        let plan = &mut *plan;
        if plan.aim == Some(aim) {
            plan.spent += done.children;
            let share = self.frontier.share() - aim.share_before;
            if self.frontier.pool.is_exhausted() {
                // What was found below the target is in the run already.
                run.raise_bound(aim.target.minimum(run.best_cost()));
                plan.steps.succeed(plan.spent);
                plan.aim = None;
            } else if plan.steps.is_hopeless(plan.spent, share) {
                plan.steps.fail(aim.target.to_f64(), plan.spent, share);
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
                let (bound, best) = (run.bound().to_f64(), run.best_cost().to_f64());
                let least = if T::IS_INTEGER { 1.0 } else { 0.0 };
                let aim = Aim {
                    target: T::from_f64_floor(plan.steps.next(bound, best, least)),
                    epoch: self.frontier.pool.restart(number, engine.root()),
                    share_before: self.frontier.share(),
                };
                plan.aim = Some(aim);
                plan.spent = 0;
                aim
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Plan<T>> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
