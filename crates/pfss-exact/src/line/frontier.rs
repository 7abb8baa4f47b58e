//! Beginnings that wait to be searched, the one with the least bound first.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use pfss_core::JobId;

/// A beginning whose completions are still to be searched, none of which costs less than its bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Open {
    pub(super) bound: u64,
    pub(super) order: Vec<JobId>,
}

impl Ord for Open {
    /// The greatest one is searched next: the least bound, and of several the longest, which is nearest to an answer.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_bound = other.bound.cmp(&self.bound);
        by_bound.then(self.order.len().cmp(&other.order.len())).then_with(|| other.order.cmp(&self.order))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// All beginnings that wait.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    heap: BinaryHeap<Open>,
}

impl Frontier {
    /// How many more may wait; what is beyond is searched depth first.
    pub(super) fn room(&self) -> usize {
        const MOST: usize = 1 << 14;
        MOST.saturating_sub(self.heap.len())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    pub(super) fn push(&mut self, open: Open) {
        self.heap.push(open);
    }

    /// The one with the least bound, where that is below `cutoff`; otherwise none is worth a look, and all are dropped.
    pub(super) fn pop_below(&mut self, cutoff: u64) -> Option<Open> {
        let next = self.heap.pop().filter(|open| open.bound < cutoff);
        if next.is_none() {
            self.heap.clear();
        }
        next
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Open> {
        self.heap.iter()
    }
}
