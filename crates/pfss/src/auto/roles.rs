//! Which threads improve orders one by one, and which of them make the passes of one wide beam together.

use super::place::Place;

/// No thread searches by one part alone while it could use both.
const LEAST_SHARE: f64 = 0.02;

/// A share of all threads that is not made smaller.
const LEAST_THREADS: f64 = 0.05;

/// The threads of one process, by what they do. Threads that each made beams of their own would make the same ones; together they make
/// a beam as wide as one thread in so many times the time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Roles {
    /// The first so many threads make beams: the first of them leads, and also improves orders where `greedy_share` says so.
    pub(super) crew: usize,
    /// The share of iterated greedy on the thread that leads the crew.
    pub(super) greedy_share: f64,
    /// How many threads of all processes have an iterated greedy, that one included.
    pub(super) islands: usize,
}

impl Roles {
    /// For `threads` threads of this process, the first of which has the place `first` among those of all; `greedy` is what iterated
    /// greedy shall get of all time.
    pub(super) fn new(first: Place, threads: usize, greedy: f64) -> Self {
        let wanted = (1.0 - greedy) * first.workers as f64;
        let beamers = (wanted.round() as usize).clamp(1, first.workers);
        // Threads with low numbers make beams; those of this process begin with `first`.
        let crew = beamers.saturating_sub(first.worker).min(threads);
        let greedy_share = (1.0 - wanted / beamers as f64).max(LEAST_SHARE);
        let islands = first.workers + 1 - beamers;
        Self { crew, greedy_share: if crew == 0 { 1.0 } else { greedy_share }, islands }
    }

    /// A thread alone, which gives iterated greedy this share.
    pub(crate) fn alone(greedy_share: f64) -> Self {
        Self { crew: 1, greedy_share, islands: 1 }
    }

    /// The role of a thread that makes no beams.
    pub(super) fn of_island(self) -> Self {
        Self { crew: 0, greedy_share: 1.0, ..self }
    }
}

/// The share of so many threads that improve orders, where one thread would give that a share of `greedy` and has no time for several
/// rounds of cooling. The more threads, the less: then many searches side by side are not worth a longer one, but a beam of many threads
/// is. On eight threads 200 x 40 was 0.2 % better so, on two there was no difference (docs/notes/tried.md).
pub(super) fn greedy_threads(threads: usize, greedy: f64) -> f64 {
    let halvings = (threads as f64).log2().max(1.0);
    greedy.powf(halvings).max(greedy.min(LEAST_THREADS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roles(rank: usize, ranks: usize, threads: usize, greedy: f64) -> (usize, f64) {
        let first = Place { worker: 0, workers: threads, memory: 0 }.among(rank, ranks);
        let Roles { crew, greedy_share, islands } = Roles::new(first, threads, greedy);
        assert!(islands >= 1 && islands <= threads * ranks);
        (crew, (1000.0 * greedy_share).round() / 1000.0)
    }

    #[test]
    fn one_thread_does_both() {
        for greedy in [0.02, 0.3, 0.95] {
            assert_eq!(roles(0, 1, 1, greedy), (1, greedy));
        }
    }

    #[test]
    fn threads_are_divided_by_the_shares() {
        assert_eq!(roles(0, 1, 2, 0.05), (2, 0.05));
        assert_eq!(roles(0, 1, 2, 0.5), (1, LEAST_SHARE));
        assert_eq!(roles(0, 1, 2, 0.7), (1, 0.4));
        assert_eq!(roles(0, 1, 16, 0.95), (1, 0.2));
        assert_eq!(roles(0, 1, 16, 0.3), (11, LEAST_SHARE));
    }

    #[test]
    fn many_threads_make_wider_beams_rather_than_more_searches() {
        let beamers = |threads, greedy| roles(0, 1, threads, greedy_threads(threads, greedy)).0;
        // On sixteen 0.95 is 0.81, 0.7 is 0.24.
        assert_eq!([0.02, 0.05, 0.3, 0.7, 0.95].map(|greedy| beamers(16, greedy)), [16, 15, 15, 12, 3]);
        for greedy in [0.02, 0.3, 0.95] {
            assert_eq!([1, 2].map(|threads| greedy_threads(threads, greedy)), [greedy; 2]);
        }
    }

    #[test]
    fn processes_divide_them_as_threads_do() {
        // Rank 0 has the last threads.
        assert_eq!([0, 1].map(|rank| roles(rank, 2, 8, 0.3).0), [3, 8]);
        assert_eq!(roles(0, 2, 1, 0.7), (0, 1.0));
        assert_eq!(roles(1, 2, 1, 0.7), (1, 0.4));
    }
}
