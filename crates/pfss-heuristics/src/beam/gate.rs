//! Where threads wait for work and for each other.

use std::any::Any;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::yield_now;

use super::padded::Padded;

/// How often a thread looks for work before it sleeps: some tens of microseconds, longer than what one thread does alone
/// between two tasks of a wide level.
const LOOKS: u32 = 1 << 10;

/// Other programs may need the processor: it is offered to them after so many looks.
const LOOKS_PER_OFFER: u32 = 1 << 6;

/// The task of going home.
const CLOSED: u64 = 0xff;

/// A leader gives out tasks by their numbers, followers do them, and the leader waits for all.
#[derive(Default)]
pub(super) struct Gate {
    /// The number of the round, how many threads take part (the leader is number 0), and the task, from high to low bits.
    order: Padded<AtomicU64>,
    busy: Padded<AtomicUsize>,
    sleepers: AtomicUsize,
    lock: Mutex<()>,
    bell: Condvar,
    failure: Mutex<Option<Box<dyn Any + Send>>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Gate {
    /// The leader gives a task to all threads below `threads`.
    pub(super) fn open(&self, task: u8, threads: usize) {
        self.busy.0.store(threads - 1, Ordering::Relaxed);
        self.give((threads as u64) << 8 | u64::from(task));
    }

    /// The leader sends everybody home.
    pub(super) fn close(&self) {
        self.give(CLOSED);
    }

    fn give(&self, task: u64) {
        let round = (self.order.0.load(Ordering::Relaxed) >> 32) + 1;
        self.order.0.store(round << 32 | task, Ordering::SeqCst);
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            // Who counted itself holds the lock until it hears the bell.
            drop(locked(&self.lock));
            self.bell.notify_all();
        }
    }

    /// The leader waits until all have done their task; returns with what a thread's panic left.
    pub(super) fn wait(&self) -> Result<(), Box<dyn Any + Send>> {
        let mut looks = 0u32;
        while self.busy.0.load(Ordering::Acquire) > 0 {
            looks = looks.wrapping_add(1);
            if looks.is_multiple_of(LOOKS_PER_OFFER) { yield_now() } else { spin_loop() }
        }
        locked(&self.failure).take().map_or(Ok(()), Err)
    }

    /// Thread number `thread` waits for its next task; `None` when there will be none. `seen` starts at zero.
    pub(super) fn next(&self, thread: usize, seen: &mut u64) -> Option<u8> {
        loop {
            *seen = self.order_after(*seen);
            let task = *seen & 0xff;
            if task == CLOSED {
                return None;
            }
            if (thread as u64) < *seen >> 8 & 0xff_ffff {
                return Some(task as u8);
            }
        }
    }

    fn order_after(&self, seen: u64) -> u64 {
        for look in 1..=LOOKS {
            let order = self.order.0.load(Ordering::Acquire);
            if order != seen {
                return order;
            }
            if look.is_multiple_of(LOOKS_PER_OFFER) { yield_now() } else { spin_loop() }
        }
        let mut guard = locked(&self.lock);
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        let order = loop {
            let order = self.order.0.load(Ordering::SeqCst);
            if order != seen {
                break order;
            }
            guard = self.bell.wait(guard).unwrap_or_else(PoisonError::into_inner);
        };
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
        order
    }

    /// A thread has done its task, or a panic ended it.
    pub(super) fn done(&self, result: Result<(), Box<dyn Any + Send>>) {
        if let Err(payload) = result {
            locked(&self.failure).get_or_insert(payload);
        }
        self.busy.0.fetch_sub(1, Ordering::Release);
    }
}
