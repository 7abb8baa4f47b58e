//! A branch and bound search that can be run in slices.

use pfss_core::simd::Instructions;
use pfss_core::tree::{Element, ElementKind, Nodes};
use pfss_core::{Instance, Run, Time};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::engine::{Engine, Explored, Slice};
use super::raise::Raise;
use super::task::Task;

/// Children to price before the search looks what to do next.
const SLICE: u64 = 1 << 23;

/// The search for better orders is alone for so many children: easy instances need nothing else.
const START: u64 = 1 << 26;

/// While less than this share of the tree is searched after that, a proof of optimality is taken to be out of reach.
/// By then ta017, which is solved, is at 0.11, and ta051 and ta081, which nobody has solved, are below 0.01.
const HOPELESS: f64 = 0.03;

/// How much work raising the bound gets, relative to the search for better orders.
const PART: f64 = 0.25;
const HOPELESS_PART: f64 = 3.0;

/// A branch and bound search of one instance, run in slices.
///
/// The incumbent is that of the [`Run`]: it prunes, and it is replaced by whatever better order is found.
pub struct TreeSearch<'p, T> {
    storage: Storage<'p, T>,
    pool: Option<ThreadPool>,
}

enum Storage<'p, T> {
    Narrow(Frontiers<'p, T, u16>),
    Wide(Frontiers<'p, T, u32>),
    Real(Frontiers<'p, T, f64>),
}

macro_rules! with_storage {
    ($storage:expr, $frontiers:ident => $what:expr) => {
        match $storage {
            Storage::Narrow($frontiers) => $what,
            Storage::Wide($frontiers) => $what,
            Storage::Real($frontiers) => $what,
        }
    };
}

impl<'p, T: Time> TreeSearch<'p, T> {
    /// A search on `threads` threads that uses the widest vector instructions of this processor.
    pub fn new(instance: &'p Instance<T>, threads: usize) -> Self {
        Self::with(instance, threads, Instructions::detect(), ElementKind::of(instance))
    }

    /// A search with given vector instructions and storage; a storage that is too narrow is widened.
    pub fn with(
        instance: &'p Instance<T>,
        threads: usize,
        instructions: Instructions,
        kind: ElementKind,
    ) -> Self {
        let storage = match (kind, ElementKind::of(instance)) {
            (ElementKind::U16, ElementKind::U16) => Storage::Narrow(Frontiers::new(instance, instructions)),
            (ElementKind::F64, _) | (_, ElementKind::F64) => {
                Storage::Real(Frontiers::new(instance, instructions))
            }
            _ => Storage::Wide(Frontiers::new(instance, instructions)),
        };
        // Without a pool the search goes on alone.
        let pool =
            if threads > 1 { ThreadPoolBuilder::new().num_threads(threads).build().ok() } else { None };
        Self { storage, pool }
    }

    /// About how many bytes a thread holds at most: a path, its open children, and these as tasks of two frontiers.
    pub fn bytes_per_thread(instance: &Instance<T>) -> usize {
        let (n, m) = (instance.num_jobs(), instance.num_machines());
        // On the way to a leaf each node leaves the rest of its children open.
        let open = n * (n + 1) / 2;
        let task = size_of::<Task<f64>>() + size_of::<super::task::Placement>();
        Nodes::<f64>::bytes_per_node(n, m) * n + open * (size_of::<[f64; 2]>() + 2 * task)
    }

    /// Prices about `children` children, or until the run must end; raises the run's bound by what is proven.
    ///
    /// Most of the work goes into better orders or the proof that there are none; some of it, and most where that
    /// is hopeless, into a better bound.
    pub fn run_for(&mut self, children: u64, run: &Run<'_, T>) {
        with_storage!(&mut self.storage, frontiers => frontiers.run_for(children, self.pool.as_ref(), run));
    }

    /// As [`TreeSearch::run_for`], but all of the work goes into a better bound.
    pub fn raise_for(&mut self, children: u64, run: &Run<'_, T>) {
        with_storage!(&mut self.storage, frontiers => frontiers.raise_for(children, self.pool.as_ref(), run));
    }

    /// Whether nothing is open any more: the run's best order is optimal.
    pub fn is_finished(&self) -> bool {
        with_storage!(&self.storage, frontiers => frontiers.open.is_empty())
    }

    /// How many nodes were branched so far.
    pub fn nodes(&self) -> u64 {
        with_storage!(&self.storage, frontiers => frontiers.explored.nodes + frontiers.raise.nodes())
    }

    /// How many children were priced so far, each at both ends.
    pub fn children(&self) -> u64 {
        with_storage!(&self.storage, frontiers => frontiers.children())
    }

    /// How much of the tree is searched, as a share: the children of a node count as equally large.
    pub fn searched(&self) -> f64 {
        with_storage!(&self.storage, frontiers => frontiers.explored.share)
    }
}

/// The open nodes of the search for better orders, and of the one that raises the bound.
struct Frontiers<'p, T, E: Element> {
    engine: Engine<'p, T, E>,
    open: Vec<Task<E>>,
    explored: Explored,
    raise: Raise<T, E>,
}

impl<'p, T: Time, E: Element> Frontiers<'p, T, E> {
    fn new(instance: &'p Instance<T>, instructions: Instructions) -> Self {
        let engine = Engine::new(instance, instructions);
        Self { open: engine.root(), explored: Explored::default(), raise: Raise::new(), engine }
    }

    fn run_for(&mut self, children: u64, pool: Option<&ThreadPool>, run: &Run<'_, T>) {
        let until = self.children().saturating_add(children);
        while self.children() < until && !self.open.is_empty() && !run.must_end() {
            if self.raise_is_due() {
                self.raise.step(&self.engine, pool, run);
                continue;
            }
            let slice = (until - self.children()).min(SLICE);
            let slice = Slice { ceiling: T::MAX, children: slice };
            let explored = self.engine.explore(&mut self.open, slice, pool, run);
            self.explored.nodes += explored.nodes;
            self.explored.children += explored.children;
            self.explored.share += explored.share;
        }
        // No order is better than the least bound among what is open, nor, where nothing is, than the best one.
        let least = self.open.iter().map(|task| task.bound.to_time::<T>()).fold(run.best_cost(), T::minimum);
        if least < T::MAX {
            run.raise_bound(least);
        }
    }

    fn raise_for(&mut self, children: u64, pool: Option<&ThreadPool>, run: &Run<'_, T>) {
        let until = self.children().saturating_add(children);
        while self.children() < until && !run.must_end() {
            self.raise.step(&self.engine, pool, run);
        }
    }

    fn children(&self) -> u64 {
        self.explored.children + self.raise.children()
    }

    fn raise_is_due(&self) -> bool {
        let hopeless = self.explored.share < HOPELESS;
        let part = if hopeless { HOPELESS_PART } else { PART };
        self.explored.children >= START
            && (self.raise.children() as f64) < part * self.explored.children as f64
    }
}
