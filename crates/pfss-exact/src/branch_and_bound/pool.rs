//! Open tasks of one search: a store for each thread, from which others steal.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::task::Task;

/// The open tasks, by the thread that holds them.
///
/// A thread takes its deepest task first, and so holds no more than a path leaves open. Only when it has none does it
/// steal half of another thread's, those nearest to the root. So no thread holds more than about jobs² tasks: what it
/// stole is half of that at most, and a path leaves the other half.
pub(super) struct TaskPool<E> {
    stores: Vec<Slot<E>>,
    /// How often everything was thrown away; what was taken before may not come back.
    epoch: AtomicU64,
    /// Nothing is taken, and dives pause, while all open tasks are copied.
    is_paused: AtomicBool,
}

/// How long a copy waits before it looks again whether all dives have paused.
const NAP: Duration = Duration::from_micros(50);

/// A store by itself in memory, so that no thread waits for a neighbour's counters.
#[repr(align(128))]
struct Slot<E> {
    store: Mutex<Store<E>>,
    /// How many tasks it holds, readable without the lock.
    len: AtomicUsize,
}

struct Store<E> {
    /// Nearest to the root first.
    tasks: VecDeque<Task<E>>,
    /// The least bound among what its thread is at work on. Stays when the thread panics: its tasks are not done.
    at_work: Option<E>,
}

/// A task that was taken, and when.
pub(super) struct Taken<E> {
    pub(super) task: Task<E>,
    pub(super) epoch: u64,
}

impl<E: Copy + PartialOrd> TaskPool<E> {
    /// No tasks, for so many threads.
    pub(super) fn new(threads: usize) -> Self {
        let slot = || Slot {
            store: Mutex::new(Store { tasks: VecDeque::new(), at_work: None }),
            len: AtomicUsize::new(0),
        };
        let stores = std::iter::repeat_with(slot).take(threads.max(1)).collect();
        Self { stores, epoch: AtomicU64::new(0), is_paused: AtomicBool::new(false) }
    }

    /// The next task of a thread, its own deepest or a stolen one; the thread counts as at work on it.
    pub(super) fn take(&self, thread: usize) -> Option<Taken<E>> {
        if self.is_paused() {
            return None;
        }
        let count = self.stores.len();
        let mut others = (1..count).map(|distance| (thread + distance) % count);
        let steal = |victim: usize| if self.holds_tasks(victim) { self.steal(thread, victim) } else { None };
        self.take_own(thread).or_else(|| others.find_map(steal))
    }

    fn take_own(&self, thread: usize) -> Option<Taken<E>> {
        let slot = &self.stores[thread];
        let mut store = slot.lock();
        let taken = self.take_last(&mut store);
        slot.note_len(&store);
        taken
    }

    /// Under the lock: the epoch is that of the task.
    fn take_last(&self, store: &mut Store<E>) -> Option<Taken<E>> {
        let task = store.tasks.pop_back()?;
        store.at_work = Some(task.bound);
        Some(Taken { task, epoch: self.epoch.load(Ordering::Relaxed) })
    }

    /// Moves half of a victim's tasks, those nearest to the root, and takes the deepest of them.
    fn steal(&self, thief: usize, victim: usize) -> Option<Taken<E>> {
        let (own, other) = (&self.stores[thief], &self.stores[victim]);
        // Both at once, so that no task is ever nowhere; in the order of their numbers, so that nobody waits in a circle.
        let (mut to, mut from) = if thief < victim {
            let to = own.lock();
            (to, other.lock())
        } else {
            let from = other.lock();
            (own.lock(), from)
        };
        let half = from.tasks.len().div_ceil(2);
        to.tasks.extend(from.tasks.drain(..half));
        let taken = self.take_last(&mut to);
        own.note_len(&to);
        other.note_len(&from);
        taken
    }

    /// Whether others find something to steal from this thread.
    pub(super) fn holds_tasks(&self, thread: usize) -> bool {
        self.stores[thread].len.load(Ordering::Relaxed) > 0
    }

    /// Whether what was taken then is still wanted.
    pub(super) fn wants(&self, taken: &Taken<E>) -> bool {
        self.epoch.load(Ordering::Relaxed) == taken.epoch
    }

    /// Notes the least bound among what a thread is at work on.
    pub(super) fn note(&self, thread: usize, least: Option<E>) {
        self.stores[thread].lock().at_work = least;
    }

    /// Adds tasks that a thread has split off what it took, nearest to the root first.
    pub(super) fn add(&self, thread: usize, taken: &Taken<E>, tasks: Vec<Task<E>>) {
        let slot = &self.stores[thread];
        let mut store = slot.lock();
        // The epoch changes under all locks.
        if self.wants(taken) {
            store.tasks.extend(tasks);
            slot.note_len(&store);
        }
    }

    /// A thread is done with what it took, but for these tasks.
    pub(super) fn finish(&self, thread: usize, taken: &Taken<E>, rest: Vec<Task<E>>) {
        let slot = &self.stores[thread];
        let mut store = slot.lock();
        if self.wants(taken) {
            store.tasks.extend(rest);
            slot.note_len(&store);
        }
        store.at_work = None;
    }

    /// Throws everything away, also what threads are at work on, and begins with these tasks. Returns the new epoch.
    pub(super) fn restart(&self, thread: usize, tasks: Vec<Task<E>>) -> u64 {
        let mut stores = self.lock_all();
        let epoch = self.epoch.fetch_add(1, Ordering::Relaxed) + 1;
        for (slot, store) in self.stores.iter().zip(&mut stores) {
            store.tasks.clear();
            slot.note_len(store);
        }
        stores[thread].tasks.extend(tasks);
        self.stores[thread].note_len(&stores[thread]);
        epoch
    }

    /// Whether a thread is at work on a task.
    pub(super) fn is_at_work(&self) -> bool {
        self.stores.iter().any(|slot| slot.lock().at_work.is_some())
    }

    /// Whether nothing is open: no task waits, and nobody is at work on one.
    pub(super) fn is_exhausted(&self) -> bool {
        self.lock_all().iter().all(|store| store.tasks.is_empty() && store.at_work.is_none())
    }

    /// The least bound of all that is open, what threads are at work on included.
    pub(super) fn least_bound(&self) -> Option<E> {
        let stores = self.lock_all();
        let bounds =
            stores.iter().flat_map(|store| store.tasks.iter().map(|task| task.bound).chain(store.at_work));
        bounds.reduce(|x, y| if y < x { y } else { x })
    }

    /// Whether dives must pause, because all open tasks are being copied.
    pub(super) fn is_paused(&self) -> bool {
        self.is_paused.load(Ordering::Relaxed)
    }

    /// A copy of all open tasks, made when all dives have paused; `None` when one does not in time.
    pub(super) fn copy_all(&self, patience: Duration) -> Option<Vec<Task<E>>> {
        let begun = Instant::now();
        self.is_paused.store(true, Ordering::Relaxed);
        let copy = loop {
            let stores = self.lock_all();
            if stores.iter().all(|store| store.at_work.is_none()) {
                break Some(stores.iter().flat_map(|store| store.tasks.iter().cloned()).collect());
            }
            drop(stores);
            if begun.elapsed() > patience {
                break None;
            }
            thread::sleep(NAP);
        };
        self.is_paused.store(false, Ordering::Relaxed);
        copy
    }

    /// How many tasks wait.
    pub(super) fn len(&self) -> usize {
        self.stores.iter().map(|slot| slot.len.load(Ordering::Relaxed)).sum()
    }

    /// Takes out at most `count` tasks that wait, those nearest to the root, as evenly from all threads as there are.
    pub(super) fn take_out(&self, count: usize) -> Vec<Task<E>> {
        let mut stores = self.lock_all();
        let mut taken = Vec::new();
        while taken.len() < count {
            let depth = |store: &MutexGuard<'_, Store<E>>| store.tasks.front().map(Task::depth);
            let holding = stores.iter_mut().filter(|store| !store.tasks.is_empty());
            let Some(store) = holding.min_by_key(|store| depth(store)) else { break };
            taken.extend(store.tasks.pop_front());
        }
        for (slot, store) in self.stores.iter().zip(&stores) {
            slot.note_len(store);
        }
        taken
    }

    /// Puts tasks in, to be taken by whoever comes first; a thread's own stay sorted by depth.
    pub(super) fn put_in(&self, tasks: Vec<Task<E>>) {
        let mut stores = self.lock_all();
        let count = stores.len();
        for (index, task) in tasks.into_iter().enumerate() {
            stores[index % count].tasks.push_back(task);
        }
        for (slot, store) in self.stores.iter().zip(&mut stores) {
            store.tasks.make_contiguous().sort_by_key(Task::depth);
            slot.note_len(store);
        }
    }

    /// All stores at once, in the order of their numbers.
    fn lock_all(&self) -> Vec<MutexGuard<'_, Store<E>>> {
        self.stores.iter().map(Slot::lock).collect()
    }
}

impl<E> Slot<E> {
    fn lock(&self) -> MutexGuard<'_, Store<E>> {
        // A panic elsewhere leaves whole tasks: they move in single steps.
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note_len(&self, store: &Store<E>) {
        self.len.store(store.tasks.len(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
