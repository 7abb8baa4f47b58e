//! The search of a whole frontier of open subtrees, on one or several threads.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pfss_core::tree::{Columns, Element, Path, Tree};
use pfss_core::{Instance, JobId, Run, Time, makespan};
use rayon::{Scope, ThreadPool};

use super::dive::{Dive, DiveEnd, Supervisor};
use super::pairs::Pairs;
use super::task::Task;

/// What a search of a frontier is allowed to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Orders<T> {
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
    path: Path,
}

impl<'p, T: Time, E: Element> Engine<'p, T, E> {
    pub(super) fn new(instance: &'p Instance<T>, path: Path) -> Self {
        let tree = Tree::new(instance);
        Self { instance, columns: Columns::all(&tree), pairs: Pairs::new(&tree), tree, path }
    }

    /// The whole tree.
    pub(super) fn root(&self) -> Vec<Task<E>> {
        vec![Task { above: Arc::default(), last: None, bound: E::default(), share: 1.0 }]
    }

    /// Searches `frontier`, last task first; what is still open when it pauses replaces it.
    pub(super) fn explore(
        &self,
        frontier: &mut Vec<Task<E>>,
        orders: Orders<T>,
        pool: Option<&ThreadPool>,
        run: &Run<'_, T>,
    ) -> Explored {
        let shared = Shared {
            engine: self,
            run,
            orders,
            workers: pool.map_or(1, ThreadPool::current_num_threads),
            children: AtomicU64::new(0),
            unfinished: AtomicUsize::new(0),
            results: Mutex::new(Results { open: Vec::new(), nodes: 0, share: 0.0 }),
        };
        match pool {
            None => shared.explore_alone(frontier),
            Some(pool) => {
                let tasks = std::mem::take(frontier);
                shared.unfinished.store(tasks.len(), Ordering::Relaxed);
                pool.in_place_scope(|scope| {
                    // The last task is wanted first; a thread takes what was spawned last.
                    for task in tasks {
                        scope.spawn(|scope| shared.work(task, scope));
                    }
                });
            }
        }
        let results = shared.results.into_inner().unwrap_or_else(PoisonError::into_inner);
        frontier.extend(results.open);
        Explored { nodes: results.nodes, children: shared.children.into_inner(), share: results.share }
    }
}

struct Results<E> {
    open: Vec<Task<E>>,
    nodes: u64,
    share: f64,
}

/// What the threads of one search share.
struct Shared<'s, 'p, 'r, T: Time, E: Element> {
    engine: &'s Engine<'p, T, E>,
    run: &'s Run<'r, T>,
    orders: Orders<T>,
    workers: usize,
    children: AtomicU64,
    /// Tasks that wait or are at work.
    unfinished: AtomicUsize,
    results: Mutex<Results<E>>,
}

impl<'s, T: Time, E: Element> Shared<'s, '_, '_, T, E> {
    fn dive(&self) -> Dive<'s, E> {
        Dive::new(&self.engine.tree, &self.engine.columns, &self.engine.pairs, self.engine.path)
    }

    fn explore_alone(&self, frontier: &mut Vec<Task<E>>) {
        let mut dive = self.dive();
        let mut supervisor = Worker { shared: self, spawn: None::<fn(Task<E>)> };
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

    /// One task of a pool's thread.
    fn work<'scope>(&'scope self, task: Task<E>, scope: &Scope<'scope>) {
        if self.must_pause() {
            self.keep(vec![task]);
        } else {
            let mut dive = self.dive();
            let spawn = |task| scope.spawn(move |scope| self.work(task, scope));
            let mut supervisor = Worker { shared: self, spawn: Some(spawn) };
            if dive.search(&task, self.limit(), &mut supervisor) == DiveEnd::Paused {
                self.keep(dive.open_tasks());
            }
        }
        self.unfinished.fetch_sub(1, Ordering::Relaxed);
    }

    fn keep(&self, open: Vec<Task<E>>) {
        self.results.lock().unwrap_or_else(PoisonError::into_inner).open.extend(open);
    }

    fn must_pause(&self) -> bool {
        self.children.load(Ordering::Relaxed) >= self.orders.children || self.run.must_end()
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
        let limit = below.minimum(self.orders.ceiling);
        if limit < T::MAX { E::from_time(limit) } else { E::MAX }
    }
}

/// The link between one dive and the search that it belongs to; `spawn` starts a task for others.
struct Worker<'w, 's, 'p, 'r, T: Time, E: Element, S: FnMut(Task<E>)> {
    shared: &'w Shared<'s, 'p, 'r, T, E>,
    spawn: Option<S>,
}

impl<T: Time, E: Element, S: FnMut(Task<E>)> Supervisor<E> for Worker<'_, '_, '_, '_, T, E, S> {
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
        self.spawn.is_some() && self.shared.unfinished.load(Ordering::Relaxed) < self.shared.workers
    }

    fn take(&mut self, tasks: Vec<Task<E>>) {
        if let Some(spawn) = &mut self.spawn {
            self.shared.unfinished.fetch_add(tasks.len(), Ordering::Relaxed);
            tasks.into_iter().for_each(spawn);
        }
    }
}
