//! What the threads of one run share, besides the best order and bound.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use pfss_core::{Instance, Time};
use pfss_exact::branch_and_bound::TreeSearch;

use super::elites::Elites;

/// Orders of islands, and one tree that all may search.
pub(crate) struct Shared<'p, T> {
    pub(super) elites: Elites<T>,
    workers: usize,
    /// Made when a proof begins.
    tree: OnceLock<TreeSearch<'p, T>>,
    will_end: AtomicBool,
}

impl<'p, T: Time> Shared<'p, T> {
    /// For so many threads.
    pub(crate) fn new(workers: usize) -> Self {
        let will_end = AtomicBool::new(false);
        Self { elites: Elites::new(workers), workers, tree: OnceLock::new(), will_end }
    }

    /// How many threads there are.
    pub(super) fn workers(&self) -> usize {
        self.workers
    }

    /// The tree, made now where nobody made it before.
    pub(super) fn plant(&self, instance: &'p Instance<T>) -> &TreeSearch<'p, T> {
        self.tree.get_or_init(|| TreeSearch::new(instance, self.workers))
    }

    /// The tree where a proof is likely to end in time, so that all threads should help.
    pub(super) fn promising_tree(&self) -> Option<&TreeSearch<'p, T>> {
        self.tree.get().filter(|tree| self.will_end.load(Ordering::Relaxed) && !tree.is_finished())
    }

    /// Says whether a proof is likely to end in time.
    pub(super) fn set_will_end(&self, will_end: bool) {
        self.will_end.store(will_end, Ordering::Relaxed);
    }
}
