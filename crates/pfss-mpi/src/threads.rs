//! Messages among threads of one process, which may be delayed: how the protocol is tested without MPI.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pfss_core::{Rng, Seed};
use rand::RngExt;

use crate::exchange::{Exchange, partners};

/// One of several threads that exchange messages.
pub struct ThreadExchange {
    rank: usize,
    boxes: Arc<[Mailbox]>,
    delays: Mutex<Delays>,
}

/// What a thread was sent.
#[derive(Default)]
struct Mailbox {
    letters: Mutex<BinaryHeap<Reverse<Letter>>>,
    arrived: Condvar,
    has_died: AtomicBool,
}

/// A message on its way: earliest first, and in the order of sending.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Letter {
    due: Instant,
    number: u64,
    from: usize,
    message: Vec<u8>,
}

/// How long messages take.
struct Delays {
    rng: Rng,
    longest: Duration,
    /// Between two ranks nothing is overtaken.
    last: Vec<Instant>,
    sent: u64,
}

impl ThreadExchange {
    /// So many ranks, whose messages take up to `longest`, drawn from `seed`.
    pub fn ranks_of(ranks: usize, longest: Duration, seed: Seed) -> Vec<Self> {
        let boxes: Arc<[Mailbox]> = std::iter::repeat_with(Mailbox::default).take(ranks).collect();
        let one = |rank: usize| {
            let delays = Delays {
                rng: seed.nth(rank as u64).rng(),
                longest,
                last: vec![Instant::now(); ranks],
                sent: 0,
            };
            Self { rank, boxes: boxes.clone(), delays: Mutex::new(delays) }
        };
        (0..ranks).map(one).collect()
    }
}

impl Exchange for ThreadExchange {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.boxes.len()
    }

    fn neighbours(&self) -> usize {
        self.boxes.len()
    }

    fn lost(&self) -> Vec<usize> {
        let has_died = |&rank: &usize| self.boxes[rank].has_died.load(Ordering::Relaxed);
        partners(self.rank, self.boxes.len()).filter(has_died).collect()
    }

    fn send(&self, to: usize, message: Vec<u8>) {
        let Some(mailbox) = self.boxes.get(to) else { return };
        let mut delays = self.delays.lock().unwrap_or_else(PoisonError::into_inner);
        let delay = delays.longest.mul_f64(delays.rng.random::<f64>());
        let due = (Instant::now() + delay).max(delays.last[to]);
        delays.last[to] = due;
        delays.sent += 1;
        let letter = Letter { due, number: delays.sent, from: self.rank, message };
        mailbox.letters.lock().unwrap_or_else(PoisonError::into_inner).push(Reverse(letter));
        mailbox.arrived.notify_one();
    }

    fn receive(&self, patience: Duration) -> Option<(usize, Vec<u8>)> {
        let mailbox = &self.boxes[self.rank];
        let until = Instant::now() + patience;
        let mut letters = mailbox.letters.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let now = Instant::now();
            let due = letters.peek().map(|letter| letter.0.due);
            if due.is_some_and(|due| due <= now) {
                return letters.pop().map(|Reverse(letter)| (letter.from, letter.message));
            }
            if now >= until {
                return None;
            }
            let wait = due.map_or(until, |due| due.min(until)) - now;
            let waited = mailbox.arrived.wait_timeout(letters, wait);
            letters = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// A thread that drops its exchange has died.
impl Drop for ThreadExchange {
    fn drop(&mut self) {
        self.boxes[self.rank].has_died.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_between_two_arrive_in_order_and_late() {
        let ranks = ThreadExchange::ranks_of(3, Duration::from_millis(5), Seed::new(1));
        for number in 0..20u8 {
            ranks[1].send(0, vec![1, number]);
            ranks[2].send(0, vec![2, number]);
        }
        assert_eq!(ranks[1].receive(Duration::ZERO), None);
        let mut next = [0u8; 3];
        for _ in 0..40 {
            let (from, message) = ranks[0].receive(Duration::from_secs(1)).unwrap();
            assert_eq!(message, [from as u8, next[from]]);
            next[from] += 1;
        }
        assert_eq!(ranks[0].receive(Duration::from_millis(10)), None);
        ranks[0].send(9, vec![]);
    }
}
