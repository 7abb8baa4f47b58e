//! Others that solve instances for this process.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use thiserror::Error;

use crate::piece::{Made, Piece};

/// A piece was not made elsewhere.
#[derive(Clone, Debug, Error)]
#[error("{0}")]
pub struct HandError(pub String);

/// Others that solve instances for this process, each one at a time.
pub trait Hands: Sync {
    /// How many there are.
    fn count(&self) -> usize;

    /// Has number `hand` make a piece, and waits for it.
    ///
    /// # Errors
    /// [`HandError`] says why it was not made.
    fn make(&self, hand: usize, piece: &Piece) -> Result<Made, HandError>;
}

/// Does things number `0..count`, one after the other as somebody is free: `here` on so many threads of this process, `there` by the
/// hands. Gives what came of them in their order.
pub fn spread<R: Send>(
    count: usize,
    threads: usize,
    hands: &dyn Hands,
    here: &(dyn Fn(usize) -> R + Sync),
    there: &(dyn Fn(usize, usize) -> R + Sync),
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(count));
    let (next, done) = (&next, &done);
    let work = move |make: &dyn Fn(usize) -> R| {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            let made = make(number);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((number, made));
        }
    };
    thread::scope(|scope| {
        for hand in 0..hands.count() {
            scope.spawn(move || work(&|number| there(hand, number)));
        }
        for _ in 0..threads {
            scope.spawn(move || work(here));
        }
    });
    let mut done = std::mem::take(&mut *done.lock().unwrap_or_else(PoisonError::into_inner));
    done.sort_unstable_by_key(|made| made.0);
    done.into_iter().map(|made| made.1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Two;

    impl Hands for Two {
        fn count(&self) -> usize {
            2
        }

        fn make(&self, _: usize, _: &Piece) -> Result<Made, HandError> {
            Err(HandError("idle".to_string()))
        }
    }

    #[test]
    fn everything_is_done_once_and_in_order() {
        let there = |hand: usize, number: usize| {
            assert!(hand < 2);
            number * number
        };
        let squares = spread(100, 1, &Two, &|number| number * number, &there);
        assert_eq!(squares, (0..100).map(|number| number * number).collect::<Vec<_>>());
        assert!(spread(0, 1, &Two, &|number| number, &there).is_empty());
    }
}
