//! Both trees of one instance: the search for better orders, and the proofs that raise the bound.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pfss_core::simd::Instructions;
use pfss_core::tree::{Element, OpenNode};
use pfss_core::{Instance, Run, Time};

use super::dive::Dive;
use super::engine::Engine;
use super::frontier::Frontier;
use super::open_node::to_task;
use super::part::Part;
use super::raise::Raise;
use super::worker::{Turn, Worker};

/// Children to price before the search looks what to do next.
const SLICE: u64 = 1 << 23;

/// The same where the other tree is due but all of its nodes are in others' hands.
const SHORT_SLICE: u64 = 1 << 16;

/// The search for better orders is alone for so many children: easy instances need nothing else.
const START: u64 = 1 << 26;

/// While less than this share of the tree is searched after that, a proof of optimality is taken to be out of reach.
/// By then ta017, which is solved, is at 0.11, and ta051 and ta081, which nobody has solved, are below 0.01.
const HOPELESS: f64 = 0.03;

/// The same sooner, where it is plain: by then ta023, which is solved, is at 0.025, and ta051 and ta081 are below 0.003.
const EARLY_START: u64 = 1 << 24;
const PLAINLY_HOPELESS: f64 = 0.005;

/// How much work raising the bound gets, relative to the search for better orders.
const PART: f64 = 0.25;
const HOPELESS_PART: f64 = 3.0;
const PLAINLY_HOPELESS_PART: f64 = 9.0;

/// Children that are priced between two reports, for each node that is looked at.
const CHILDREN_PER_REPORTED: u64 = 64;

/// The trees of one instance in one storage type, shared by threads.
pub(super) struct Forest<'p, T, E: Element> {
    engine: Engine<'p, T, E>,
    pub(super) find: Frontier<E>,
    raise: Raise<T, E>,
    pub(super) part: Part,
    threads: usize,
    /// Children when the bound was last reported.
    reported_at: AtomicU64,
    /// The threads that are not at work.
    idle: Mutex<Vec<Thread<E>>>,
}

/// What one thread keeps from turn to turn.
struct Thread<E: Element> {
    find: Worker<E>,
    raise: Worker<E>,
}

impl<'p, T: Time, E: Element> Forest<'p, T, E> {
    pub(super) fn new(instance: &'p Instance<T>, threads: usize, instructions: Instructions) -> Self {
        let engine = Engine::new(instance, instructions);
        let ground = &engine.ground;
        let frontier = || Frontier::new(ground, threads);
        let (find, raise) = (frontier(), Raise::new(frontier()));
        find.pool.put_in(engine.root());
        let worker = |number| Worker::new(number, threads, Dive::new(ground));
        // The first one comes first.
        let idle = (0..threads).rev().map(|number| Thread { find: worker(number), raise: worker(number) });
        let idle = Mutex::new(idle.collect());
        Self { find, raise, part: Part::default(), threads, reported_at: AtomicU64::new(0), idle, engine }
    }

    /// Prices about so many children on this thread. Returns how many there were.
    pub(super) fn run_for(&self, children: u64, run: &Run<'_, T>) -> u64 {
        let Some(mut thread) = self.idle_threads().pop() else { return 0 };
        let mut done = 0;
        while done < children && !self.find.pool.is_exhausted() && !run.must_end() {
            let mut slice = (children - done).min(SLICE);
            if self.raise_is_due() {
                if let Some(raised) = self.raise.step(&mut thread.raise, &self.engine, run) {
                    done += raised;
                    continue;
                }
                slice = slice.min(SHORT_SLICE);
            }
            let turn = Turn { ceiling: T::MAX, epoch: 0, children: slice, gives: self.part.is_part() };
            let found = thread.find.work(&self.engine, &self.find, turn, run);
            done += found.children;
            if found.found_nothing && !self.find.pool.is_exhausted() {
                break;
            }
        }
        if done == 0 {
            self.part.note_hunger();
        }
        self.idle_threads().push(thread);
        if self.report_is_due() || run.must_end() {
            self.report_bound(run);
        }
        done
    }

    /// A report looks at all that is open: with many threads that waits until some work was done.
    fn report_is_due(&self) -> bool {
        let (children, last) = (self.find.children(), self.reported_at.load(Ordering::Relaxed));
        let is_due = self.threads == 1
            || self.find.pool.is_exhausted()
            || children.saturating_sub(last) > CHILDREN_PER_REPORTED * self.find.pool.len() as u64;
        if is_due {
            self.reported_at.store(children, Ordering::Relaxed);
        }
        is_due
    }

    /// As [`Forest::run_for`], but all of the work goes into a better bound.
    pub(super) fn raise_for(&self, children: u64, run: &Run<'_, T>) -> u64 {
        let Some(mut thread) = self.idle_threads().pop() else { return 0 };
        let mut done = 0;
        while done < children && !run.must_end() {
            let Some(raised) = self.raise.step(&mut thread.raise, &self.engine, run) else { break };
            done += raised;
        }
        self.idle_threads().push(thread);
        done
    }

    /// Adds open nodes; returns those that are none of this tree.
    pub(super) fn put_open(&self, nodes: Vec<OpenNode>) -> Vec<OpenNode> {
        let (mut tasks, mut refused) = (Vec::new(), Vec::new());
        for node in nodes {
            match to_task(&node, self.engine.ground.tree.num_jobs()) {
                Some(task) => tasks.push(task),
                None => refused.push(node),
            }
        }
        self.find.pool.put_in(tasks);
        self.part.note_food();
        refused
    }

    /// No order is better than the least bound among what is open, nor, where nothing is, than the best one.
    pub(super) fn report_bound(&self, run: &Run<'_, T>) {
        if self.part.is_part() {
            return;
        }
        // First what is open, then the best cost: a better order that is found in between was open.
        let open = self.find.pool.least_bound().map_or(T::MAX, Element::to_time);
        let least = open.minimum(run.best_cost());
        if least < T::MAX && least > run.bound() {
            run.raise_bound(least);
        }
    }

    /// Whether nothing is open any more, which a part of a larger tree does not know.
    pub(super) fn is_finished(&self) -> bool {
        !self.part.is_part() && self.find.pool.is_exhausted()
    }

    pub(super) fn nodes(&self) -> u64 {
        self.find.nodes() + self.raise.frontier.nodes()
    }

    pub(super) fn children(&self) -> u64 {
        self.find.children() + self.raise.frontier.children()
    }

    fn raise_is_due(&self) -> bool {
        let (find, raise, share) = (self.find.children(), self.raise.frontier.children(), self.find.share());
        let (start, part) = if share < PLAINLY_HOPELESS {
            (EARLY_START, PLAINLY_HOPELESS_PART)
        } else if share < HOPELESS {
            (START, HOPELESS_PART)
        } else {
            (START, PART)
        };
        self.part.raises() && find >= start && (raise as f64) < part * find as f64
    }

    fn idle_threads(&self) -> MutexGuard<'_, Vec<Thread<E>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
