//! A tree that is being searched: its open tasks, what was done, and what was learnt.

use std::sync::atomic::{AtomicU64, Ordering};

use pfss_core::tree::Element;

use super::ground::Ground;
use super::lessons::Lessons;
use super::memo::{self, Memo};
use super::pool::TaskPool;

/// A tree that is being searched, by any number of threads.
pub(super) struct Frontier<E> {
    pub(super) pool: TaskPool<E>,
    pub(super) lessons: Lessons,
    /// Nodes that were branched, where jobs are few enough.
    pub(super) memo: Option<Memo<E>>,
    nodes: AtomicU64,
    children: AtomicU64,
    /// The bits of a real.
    share: AtomicU64,
}

impl<E: Element> Frontier<E> {
    /// Without tasks, for so many threads.
    pub(super) fn new(ground: &Ground<E>, threads: usize) -> Self {
        let Ground { tree, pairs, instructions, .. } = ground;
        let remembers = tree.num_jobs() <= memo::MAX_JOBS;
        Self {
            pool: TaskPool::new(threads),
            lessons: Lessons::new(tree.num_jobs(), pairs.len()),
            memo: remembers.then(|| Memo::new(tree.num_machines(), *instructions)),
            nodes: AtomicU64::new(0),
            children: AtomicU64::new(0),
            share: AtomicU64::new(0f64.to_bits()),
        }
    }

    /// Counts what a thread has done: branched nodes, priced children, and a share of the whole tree.
    pub(super) fn count(&self, nodes: u64, children: u64, share: f64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
        self.children.fetch_add(children, Ordering::Relaxed);
        let add = |bits: u64| Some((f64::from_bits(bits) + share).to_bits());
        // An update that always has a value never fails.
        let _ = self.share.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }

    /// Branched nodes so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Priced children so far.
    pub(super) fn children(&self) -> u64 {
        self.children.load(Ordering::Relaxed)
    }

    /// How much of the tree is searched, as a share.
    pub(super) fn share(&self) -> f64 {
        f64::from_bits(self.share.load(Ordering::Relaxed))
    }
}
