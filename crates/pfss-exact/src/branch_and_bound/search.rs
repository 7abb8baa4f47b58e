//! A branch and bound search that any number of threads share, in turns of any length.

use std::thread;
use std::time::Duration;

use pfss_core::simd::Instructions;
use pfss_core::tree::{ElementKind, Nodes, OpenNode};
use pfss_core::{Instance, Run, Time};

use super::forest::Forest;
use super::open_node::of_task;
use super::task::{Placement, Task};

/// Children that a thread prices before it looks whether the search is finished.
const LONG_TURN: u64 = 1 << 26;

/// How long a thread waits that finds nothing to steal.
const NAP: Duration = Duration::from_micros(100);

/// A branch and bound search of one instance.
///
/// The incumbent is that of the [`Run`]: it prunes, and it is replaced by whatever better order is found. Threads that
/// share the search (by reference) call [`TreeSearch::run_for`] whenever they have time for it: each goes on with open
/// nodes of its own, or steals from the others.
pub struct TreeSearch<'p, T> {
    pub(super) storage: Storage<'p, T>,
    threads: usize,
}

pub(super) enum Storage<'p, T> {
    Narrow(Forest<'p, T, u16>),
    Wide(Forest<'p, T, u32>),
    Real(Forest<'p, T, f64>),
}

macro_rules! with_storage {
    ($storage:expr, $forest:ident => $what:expr) => {
        match $storage {
            Storage::Narrow($forest) => $what,
            Storage::Wide($forest) => $what,
            Storage::Real($forest) => $what,
        }
    };
}

pub(super) use with_storage;

impl<'p, T: Time> TreeSearch<'p, T> {
    /// A search for at most `threads` threads that uses the widest vector instructions of this processor.
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
        let threads = threads.max(1);
        let storage = match (kind, ElementKind::of(instance)) {
            (ElementKind::U16, ElementKind::U16) => {
                Storage::Narrow(Forest::new(instance, threads, instructions))
            }
            (ElementKind::F64, _) | (_, ElementKind::F64) => {
                Storage::Real(Forest::new(instance, threads, instructions))
            }
            _ => Storage::Wide(Forest::new(instance, threads, instructions)),
        };
        Self { storage, threads }
    }

    /// About how many bytes a thread holds at most: a path, its open children, and open nodes, of two trees.
    pub fn bytes_per_thread(instance: &Instance<T>) -> usize {
        let (n, m) = (instance.num_jobs(), instance.num_machines());
        // On the way to a leaf each node leaves the rest of its children open.
        let open = n * (n + 1) / 2;
        let task = size_of::<Task<f64>>() + size_of::<Placement>();
        // What a thread steals may be as much as what its own path leaves open.
        2 * (Nodes::<f64>::bytes_per_node(n, m) * n + open * (size_of::<[f64; 2]>() + 2 * task))
    }

    /// Prices about `children` children on the calling thread, or until the run must end; raises the run's bound by what
    /// is proven. Returns how many were priced: none when others are at work on all that is open, or when as many threads
    /// as the search was made for are at work already.
    ///
    /// Most of the work goes into better orders or the proof that there are none; some of it, and most where that
    /// is hopeless, into a better bound.
    pub fn run_for(&self, children: u64, run: &Run<'_, T>) -> u64 {
        with_storage!(&self.storage, forest => forest.run_for(children, run))
    }

    /// As [`TreeSearch::run_for`], but all of the work goes into a better bound.
    pub fn raise_for(&self, children: u64, run: &Run<'_, T>) -> u64 {
        with_storage!(&self.storage, forest => forest.raise_for(children, run))
    }

    /// Searches on all threads until the best order is proven or the run must end. `lead` is what the calling thread
    /// does, which is one of them: [`TreeSearch::run_for`] in turns with whatever else there is to do.
    pub fn search_with(&self, run: &Run<'_, T>, lead: impl FnOnce()) {
        thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(|| run.guard(|| self.search(run)));
            }
            run.guard(lead);
        });
        with_storage!(&self.storage, forest => forest.report_bound(run));
    }

    /// Works on the calling thread until the best order is proven or the run must end.
    pub fn search(&self, run: &Run<'_, T>) {
        while !self.is_finished() && !run.must_end() {
            if self.run_for(LONG_TURN, run) == 0 {
                thread::sleep(NAP);
            }
        }
    }

    /// How many open nodes wait for a thread. What threads are at work on is not counted.
    pub fn num_open(&self) -> usize {
        with_storage!(&self.storage, forest => forest.find.pool.len())
    }

    /// Takes out at most `count` of the nodes that wait, those nearest to the root. Whoever has them must search them: here
    /// the tree counts as searched without them. When no thread is at work, all open nodes wait.
    pub fn take_open(&self, count: usize) -> Vec<OpenNode> {
        with_storage!(&self.storage, forest => {
            forest.find.pool.take_out(count).iter().map(of_task).collect()
        })
    }

    /// Puts nodes in that were taken out of a search of the same instance. Returns those that are no nodes of this tree.
    pub fn put_open(&self, nodes: Vec<OpenNode>) -> Vec<OpenNode> {
        with_storage!(&self.storage, forest => forest.put_open(nodes))
    }

    /// Whether nothing is open any more: the run's best order is optimal. A part of a larger tree does not know: there the
    /// run ends when all parts are searched.
    pub fn is_finished(&self) -> bool {
        with_storage!(&self.storage, forest => forest.is_finished())
    }

    /// For how many threads it was made.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// How many nodes were branched so far.
    pub fn nodes(&self) -> u64 {
        with_storage!(&self.storage, forest => forest.nodes())
    }

    /// How many children were priced so far, each at both ends.
    pub fn children(&self) -> u64 {
        with_storage!(&self.storage, forest => forest.children())
    }

    /// How much of the tree is searched, as a share: the children of a node count as equally large.
    pub fn searched(&self) -> f64 {
        with_storage!(&self.storage, forest => forest.find.share())
    }
}
