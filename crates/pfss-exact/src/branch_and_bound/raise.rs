//! Raising the bound of instances that are too hard to be solved.
//!
//! Depth-first search for a better order proves nothing before its end: some node near the root stays open
//! with a low bound. So a part of the time goes into trees that are smaller by far: to show that no order
//! costs less than a value between bound and best cost (destructive bounds: Klein & Scholl 1999). Each success
//! is a new bound.

use pfss_core::tree::Element;
use pfss_core::{Run, Time};
use rayon::ThreadPool;

use super::engine::{Engine, Slice};
use super::task::Task;

/// Children to price in one step.
const SLICE: u64 = 1 << 21;

/// The first value stands this far between bound and best cost.
const FIRST_STEP: f64 = 1.0 / 16.0;

/// A proof may take so many times the work of the one before; then a smaller step is tried.
const PATIENCE: u64 = 24;

/// The state of raising the bound.
pub(super) struct Raise<T, E> {
    open: Vec<Task<E>>,
    /// What is to be proven now.
    target: Option<T>,
    step: f64,
    children: u64,
    nodes: u64,
    /// Children of this proof, and of the last one that succeeded.
    spent: u64,
    last: u64,
}

impl<T: Time, E: Element> Raise<T, E> {
    pub(super) fn new() -> Self {
        Self { open: Vec::new(), target: None, step: 0.0, children: 0, nodes: 0, spent: 0, last: SLICE }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn children(&self) -> u64 {
        self.children
    }

    /// Works on one proof for a slice.
    pub(super) fn step(&mut self, engine: &Engine<'_, T, E>, pool: Option<&ThreadPool>, run: &Run<'_, T>) {
        let target = match self.target {
            Some(target) if target > run.bound() => target,
            _ => self.aim(engine, run),
        };
        let explored = engine.explore(&mut self.open, Slice { ceiling: target, children: SLICE }, pool, run);
        // A slice without a child still counts, so that others get their turn.
        self.children += explored.children.max(1);
        self.nodes += explored.nodes;
        self.spent += explored.children;
        if self.open.is_empty() {
            // What was found below the target is in the run already.
            run.raise_bound(target.minimum(run.best_cost()));
            self.step *= if self.spent < 4 * self.last { 1.5 } else { 0.75 };
            self.last = self.spent.max(SLICE);
            self.target = None;
        } else if self.spent > PATIENCE * self.last {
            self.step /= 2.0;
            self.target = None;
        }
    }

    /// Starts the next proof.
    fn aim(&mut self, engine: &Engine<'_, T, E>, run: &Run<'_, T>) -> T {
        let (bound, best) = (run.bound().to_f64(), run.best_cost().to_f64());
        if self.step == 0.0 {
            self.step = (best - bound) * FIRST_STEP;
        }
        let step = if T::IS_INTEGER { self.step.max(1.0) } else { self.step };
        let target = T::from_f64_floor((bound + step).min(best));
        self.open = engine.root();
        self.spent = 0;
        self.target = Some(target);
        target
    }
}
