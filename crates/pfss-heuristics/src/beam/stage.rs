//! What the threads of a pass read while they work on a level. Nobody changes it meanwhile but for a few atomics.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pfss_core::tree::{Columns, Element, End, Score, Tree, Weighting};
use pfss_core::{Instance, JobId, Time};

use super::level::{Level, Segment};
use super::marks::Marks;
use super::padded::Padded;

/// A thread takes so many nodes at once at most: few enough that all end at about the same time.
const CHUNK: usize = 64;

/// Each thread of a level comes back for more at least so often.
const CHUNKS_PER_THREAD: usize = 8;

/// A level, and what is to be done with it.
pub(super) struct Stage<E: Element> {
    pub(super) tree: Tree<E>,
    pub(super) columns: Columns<E>,
    pub(super) level: Level<E>,
    /// Whether each node of the level branches at the back.
    at_back: Vec<AtomicBool>,
    /// How many threads work on the level.
    pub(super) threads: usize,
    /// How many jobs its children have.
    pub(super) depth: usize,
    /// How many of them survive at most.
    pub(super) width: usize,
    /// Children whose bound is not below are pruned.
    pub(super) limit: E,
    /// How children are scored by a guide made by hand.
    pub(super) scoring: (Weighting, Score),
    /// How many leaves are wanted of the last level.
    pub(super) leaves: usize,
    pub(super) marks: Marks,
    /// The candidates of each thread, sorted, once all are priced; how many of them survive, and how many a thread makes nodes of.
    pub(super) keys: Vec<Vec<u64>>,
    pub(super) survivors: usize,
    pub(super) piece: usize,
    /// The entry of the level's first node in the history.
    pub(super) first_entry: u32,
    /// Whether the lanes that are open in any of the new nodes are asked for.
    pub(super) wants_open: bool,
    /// Those lanes, when the others are dropped.
    pub(super) open: Vec<u32>,
    /// Nodes and children that are worked on before a thread asks for more, and before it looks at the limits.
    chunk: usize,
    pub(super) children_per_look: u64,
    nodes: usize,
    next: Padded<AtomicUsize>,
    stopped: Padded<AtomicBool>,
}

impl<E: Element> Stage<E> {
    pub(super) fn new<T: Time>(instance: &Instance<T>) -> Self {
        let tree = Tree::new(instance);
        Self {
            columns: Columns::all(&tree),
            level: Level::new([Segment::new(tree.num_machines())].into_iter()),
            tree,
            at_back: Vec::new(),
            threads: 1,
            depth: 0,
            width: 1,
            limit: E::MAX,
            scoring: (Weighting::Idle, Score::Gap { upper: 1.0 }),
            leaves: 0,
            marks: Marks::default(),
            keys: vec![Vec::new()],
            survivors: 0,
            piece: 0,
            first_entry: 0,
            wants_open: false,
            open: Vec::new(),
            chunk: 1,
            children_per_look: 1,
            nodes: 0,
            next: Padded::default(),
            stopped: Padded::default(),
        }
    }

    /// Makes room for so many threads.
    pub(super) fn set_threads(&mut self, threads: usize) {
        let num_machines = self.tree.num_machines();
        self.level.segments.resize_with(threads, || Segment::new(num_machines));
        self.keys.resize_with(threads, Vec::new);
    }

    /// The root, with this idle weight at both ends, is the level.
    pub(super) fn plant_root(&mut self, weight: f32) {
        self.columns.set(&self.tree, 0..self.tree.num_jobs() as JobId);
        self.level.segments[0].plant_root(&self.tree, self.columns.num_blocks(), weight);
        self.level.set_len(1, 1);
        *self.stopped.0.get_mut() = false;
    }

    /// How many jobs of a node of the level are open.
    pub(super) fn num_open(&self) -> u64 {
        (self.tree.num_jobs() + 1 - self.depth) as u64
    }

    /// Opens the first `nodes` nodes of the level for work on so many threads.
    pub(super) fn open_nodes(&mut self, nodes: usize, threads: usize) {
        self.nodes = nodes;
        self.threads = threads;
        let per_look = usize::try_from(self.children_per_look / self.num_open()).unwrap_or(usize::MAX);
        self.chunk = (nodes / (threads * CHUNKS_PER_THREAD)).min(per_look).clamp(1, CHUNK);
        *self.next.0.get_mut() = 0;
        self.marks.clear(threads);
        if self.at_back.len() < nodes {
            self.at_back.resize_with(nodes, AtomicBool::default);
        }
    }

    /// The next nodes that nobody works on, or `None` when there are none or the pass is stopped.
    pub(super) fn take(&self) -> Option<Range<usize>> {
        let from = self.next.0.fetch_add(self.chunk, Ordering::Relaxed);
        (from < self.nodes && !self.is_stopped()).then(|| from..self.nodes.min(from + self.chunk))
    }

    /// How many nodes were taken.
    pub(super) fn taken(&self) -> usize {
        self.next.0.load(Ordering::Relaxed).min(self.nodes)
    }

    /// Stops the pass.
    pub(super) fn stop(&self) {
        self.stopped.0.store(true, Ordering::Relaxed);
    }

    /// Whether a thread found that the pass must end.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.0.load(Ordering::Relaxed)
    }

    /// Where a node branches, once it is priced.
    #[inline]
    pub(super) fn end(&self, node: usize) -> End {
        if self.at_back[node].load(Ordering::Relaxed) { End::Back } else { End::Front }
    }

    #[inline]
    pub(super) fn set_end(&self, node: usize, end: End) {
        self.at_back[node].store(end == End::Back, Ordering::Relaxed);
    }
}
