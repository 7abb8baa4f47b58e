//! Hands the newest improvement to a thread that writes files, so that no search waits for a disk.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use pfss_core::{Improvement, Outcome, Permutation, Status, StopReason, Time};

/// A place for one improvement; a newer one replaces one that was not fetched in time.
pub(super) struct Latest<T> {
    slot: Mutex<Slot<T>>,
    changed: Condvar,
}

struct Slot<T> {
    newest: Option<Outcome<T>>,
    is_closed: bool,
}

impl<T> Default for Latest<T> {
    fn default() -> Self {
        Self { slot: Mutex::new(Slot { newest: None, is_closed: false }), changed: Condvar::new() }
    }
}

impl<T> Latest<T> {
    /// Ends [`Latest::each`].
    fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_one();
    }

    /// Ends [`Latest::each`] when the guard is dropped, also by a panic, so that nobody waits for ever.
    pub(super) fn closing(&self) -> Closing<'_, T> {
        Closing(self)
    }

    fn lock(&self) -> MutexGuard<'_, Slot<T>> {
        // The slot is replaced in one assignment: a panic elsewhere cannot leave it half written.
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// See [`Latest::closing`].
pub(super) struct Closing<'a, T>(&'a Latest<T>);

impl<T> Drop for Closing<'_, T> {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl<T: Time> Latest<T> {
    /// Leaves an improvement to be fetched.
    pub(super) fn put(&self, improvement: &Improvement<'_, T>) {
        let order = improvement.order;
        let Ok(order) = Permutation::new(order.to_vec(), order.len()) else { return };
        self.lock().newest = Some(Outcome {
            order,
            cost: improvement.cost,
            bound: improvement.bound.minimum(improvement.cost),
            status: Status::of(improvement.is_optimal, StopReason::Finished),
            evaluations: improvement.evaluations,
            runtime: improvement.runtime,
        });
        self.changed.notify_one();
    }

    /// Calls `take` with the newest improvement, again and again until closed.
    pub(super) fn each(&self, mut take: impl FnMut(&Outcome<T>)) {
        loop {
            let mut slot = self.lock();
            while slot.newest.is_none() && !slot.is_closed {
                slot = self.changed.wait(slot).unwrap_or_else(PoisonError::into_inner);
            }
            // What is left at the end is written as the final result.
            if slot.is_closed {
                return;
            }
            let newest = slot.newest.take();
            drop(slot);
            if let Some(newest) = newest {
                take(&newest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_newest_is_handed_over_until_closed() {
        let latest = Latest::<u32>::default();
        // What the bound is does not decide it: the run says whether it is a proof.
        let put = |cost, is_optimal| {
            let runtime = Duration::ZERO;
            latest.put(&Improvement { order: &[1, 0], cost, bound: 7, is_optimal, runtime, evaluations: 1 });
        };
        put(9, false);
        put(7, false);
        let mut seen = Vec::new();
        latest.each(|outcome| {
            seen.push((outcome.cost, outcome.status));
            if seen.len() == 1 { put(5, true) } else { latest.close() }
        });
        assert_eq!(seen, [(7, Status::Feasible(StopReason::Finished)), (5, Status::Optimal)]);
    }
}
