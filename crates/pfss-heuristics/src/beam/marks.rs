//! What the threads of a level tell each other, so that none keeps children that cannot be among the best.

use std::sync::atomic::{AtomicU32, Ordering};

use super::padded::Padded;

/// No limit is known.
const UNKNOWN: u32 = u32::MAX;

/// The best `width` children of a level are sought by `n` threads. Each marks a score that `width / n` of its own children
/// reach. So the worst mark is reached by `width` children, and nothing beyond it matters.
///
/// Scores are stored as their bits, which order as they do. A mark only falls, so an old one is still true.
#[derive(Default)]
pub(super) struct Marks {
    of_threads: Vec<Padded<AtomicU32>>,
    worst: Padded<AtomicU32>,
}

impl Marks {
    /// Starts a level on `threads` threads.
    pub(super) fn clear(&mut self, threads: usize) {
        self.of_threads.resize_with(threads, Padded::default);
        for mark in self.of_threads.iter_mut().chain([&mut self.worst]) {
            *mark.0.get_mut() = UNKNOWN;
        }
    }

    /// Thread number `thread` has its share of children with at most this score.
    pub(super) fn set(&self, thread: usize, score: u32) {
        self.of_threads[thread].0.store(score, Ordering::Relaxed);
        let worst = self.of_threads.iter().map(|mark| mark.0.load(Ordering::Relaxed)).max();
        self.worst.0.fetch_min(worst.unwrap_or(UNKNOWN), Ordering::Relaxed);
    }

    /// Children with a larger score are not among the best. Equal ones may be: their numbers decide.
    #[inline]
    pub(super) fn worst(&self) -> u32 {
        self.worst.0.load(Ordering::Relaxed)
    }
}
