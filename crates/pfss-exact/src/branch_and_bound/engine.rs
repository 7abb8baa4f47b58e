//! The search of a whole frontier of open subtrees, on one or several threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pfss_core::simd::Instructions;
use pfss_core::tree::{Columns, Element, Tree};
use pfss_core::{Instance, JobId, Run, Time, makespan};
use rayon::ThreadPool;

use super::dive::{Dive, DiveEnd, Supervisor};
use super::pairs::Pairs;
use super::pool::TaskPool;
use super::task::Task;

/// What a search of a frontier is allowed to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice<T> {
    /// Only orders below this are looked for ([`Time::MAX`]: below the best known one).
    pub(super) ceiling: T,
    /// Children to price before it pauses.
    pub(super) children: u64,
}

/// What a search of a frontier did.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Explored {
    pub(super) nodes: u64,
    /// Children that were priced, each at both ends.
    pub(super) children: u64,
    /// How much of the tree was searched, as a share.
    pub(super) share: f64,
}

/// One instance in one storage type.
pub(super) struct Engine<'p, T, E: Element> {
    instance: &'p Instance<T>,
    tree: Tree<E>,
    columns: Columns<E>,
    pairs: Pairs<E>,
    instructions: Instructions,
}

impl<'p, T: Time, E: Element> Engine<'p, T, E> {
    pub(super) fn new(instance: &'p Instance<T>, instructions: Instructions) -> Self {
        let tree = Tree::new(instance);
        Self { instance, columns: Columns::all(&tree), pairs: Pairs::new(&tree), tree, instructions }
    }

    /// The whole tree.
    pub(super) fn root(&self) -> Vec<Task<E>> {
        vec![Task { above: Arc::default(), last: None, bound: E::default(), share: 1.0 }]
    }

    /// Searches `frontier`, last task first; what is still open when it pauses replaces it.
    pub(super) fn explore(
        &self,
        frontier: &mut Vec<Task<E>>,
        slice: Slice<T>,
        pool: Option<&ThreadPool>,
        run: &Run<'_, T>,
    ) -> Explored {
        let shared = Shared {
            engine: self,
            run,
            slice,
            children: AtomicU64::new(0),
            results: Mutex::new(Results { nodes: 0, share: 0.0 }),
        };
        match pool {
            None => shared.explore_alone(frontier),
            Some(pool) => {
                let tasks = TaskPool::new(frontier.drain(..));
                pool.broadcast(|_| shared.work(&tasks));
                *frontier = tasks.into_tasks();
            }
        }
        let results = shared.results.into_inner().unwrap_or_else(PoisonError::into_inner);
        Explored { nodes: results.nodes, children: shared.children.into_inner(), share: results.share }
    }
}

struct Results {
    nodes: u64,
    share: f64,
}

/// What the threads of one search share.
struct Shared<'s, 'p, 'r, T: Time, E: Element> {
    engine: &'s Engine<'p, T, E>,
    run: &'s Run<'r, T>,
    slice: Slice<T>,
    children: AtomicU64,
    results: Mutex<Results>,
}

impl<'s, T: Time, E: Element> Shared<'s, '_, '_, T, E> {
    fn dive(&self) -> Dive<'s, E> {
        Dive::new(&self.engine.tree, &self.engine.columns, &self.engine.pairs, self.engine.instructions)
    }

    fn explore_alone(&self, frontier: &mut Vec<Task<E>>) {
        let mut dive = self.dive();
        let mut supervisor = Worker { shared: self, tasks: None };
        while let Some(task) = frontier.pop() {
            if self.must_pause() {
                frontier.push(task);
                return;
            }
            if dive.search(&task, self.limit(), &mut supervisor) == DiveEnd::Paused {
                frontier.extend(dive.open_tasks());
                return;
            }
        }
    }

    /// What each thread does: one task after the other, the deepest first.
    fn work(&self, tasks: &TaskPool<E>) {
        let mut dive = self.dive();
        let mut supervisor = Worker { shared: self, tasks: Some(tasks) };
        while let Some((task, busy)) = tasks.take() {
            if self.must_pause() {
                tasks.add([task]);
                tasks.close();
            } else if dive.search(&task, self.limit(), &mut supervisor) == DiveEnd::Paused {
                tasks.add(dive.open_tasks());
                tasks.close();
            }
            drop(busy);
        }
    }

    fn must_pause(&self) -> bool {
        self.children.load(Ordering::Relaxed) >= self.slice.children || self.run.must_end()
    }

    /// Children whose bound is not below are pruned.
    fn limit(&self) -> E {
        let best = self.run.best_cost();
        // Half the tolerance of `Time::meets`: a proof below this is a proof.
        let below = if T::IS_INTEGER || best == T::MAX {
            best
        } else {
            T::from_f64_floor(best.to_f64() * (1.0 - 5e-10))
        };
        let limit = below.minimum(self.slice.ceiling);
        if limit < T::MAX { E::from_time(limit) } else { E::MAX }
    }
}

/// The link between one dive and the search that it belongs to, with the tasks that threads share.
struct Worker<'w, 's, 'p, 'r, T: Time, E: Element> {
    shared: &'w Shared<'s, 'p, 'r, T, E>,
    tasks: Option<&'w TaskPool<E>>,
}

impl<T: Time, E: Element> Supervisor<E> for Worker<'_, '_, '_, '_, T, E> {
    fn report(&mut self, nodes: u64, children: u64, share: f64) -> Option<E> {
        self.shared.children.fetch_add(children, Ordering::Relaxed);
        self.shared.run.count(children);
        let mut results = self.shared.results.lock().unwrap_or_else(PoisonError::into_inner);
        results.nodes += nodes;
        results.share += share;
        drop(results);
        if self.shared.must_pause() { None } else { Some(self.shared.limit()) }
    }

    fn found(&mut self, order: Vec<JobId>) -> E {
        self.shared.run.offer(&order, makespan(self.shared.engine.instance, &order));
        self.shared.limit()
    }

    fn is_hungry(&self) -> bool {
        self.tasks.is_some_and(TaskPool::is_hungry)
    }

    fn take(&mut self, tasks: Vec<Task<E>>) {
        if let Some(shared) = self.tasks {
            shared.add(tasks);
        }
    }
}
