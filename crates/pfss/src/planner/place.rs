//! Which of all islands a thread is.

use pfss_core::timing::Score;
use pfss_core::{Run, Team};

/// One thread of several, which other processes may have too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Its number among the threads of all processes: decides what it does first. Number 0 proves.
    pub(super) worker: usize,
    /// How many threads share the memory of this process.
    pub(super) threads: usize,
}

impl Place {
    /// The first thread of this process. What threads tell each other depends on their speed: a run that must come out the same
    /// keeps to one.
    pub(super) fn of(run: &Run<'_, Score>) -> Self {
        Self::among(run.team().map_or(0, Team::rank), run.islands())
    }

    fn among(rank: usize, threads: usize) -> Self {
        Self { worker: rank * threads, threads }
    }

    /// The thread that comes so many places later.
    pub(super) fn nth(self, distance: usize) -> Self {
        Self { worker: self.worker + distance, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn islands_are_numbered_over_all_processes() {
        let of = |rank| [0, 1].map(|thread| Place::among(rank, 2).nth(thread).worker);
        assert_eq!([of(0), of(1), of(2)], [[0, 1], [2, 3], [4, 5]]);
    }
}
