//! Which part of the threads and of the memory a portfolio has.

use pfss_core::{Instance, Run, Time};

/// One thread of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Its number.
    pub(super) worker: usize,
    /// How many there are.
    pub(super) workers: usize,
    /// How many bytes its beams may hold.
    pub(super) memory: usize,
}

/// What a process has besides searches: the program, the instance, files.
const RESERVE: usize = 64 << 20;

/// Bytes that a thread holds for each time of the instance: the tables of the tree, of its columns and of insertion, some of
/// which are filled up to whole registers.
const BYTES_PER_TIME: usize = 64;

/// The least number of machines that tables have room for.
const LEAST_ROW: usize = 8;

impl Place {
    /// The only thread, with all of the memory.
    pub(crate) fn alone<T: Time>(instance: &Instance<T>, run: &Run<'_, T>) -> Self {
        Self::of_threads(instance, 1, run.memory())
    }

    /// Thread number 0 of at most `threads`: fewer where the tables of all would take more than half of the memory.
    pub(super) fn of_threads<T: Time>(instance: &Instance<T>, threads: usize, memory: usize) -> Self {
        let memory = memory.saturating_sub(RESERVE);
        let tables = instance.num_jobs() * instance.num_machines().max(LEAST_ROW) * BYTES_PER_TIME;
        let workers = (memory / 2 / tables).clamp(1, threads.max(1));
        Self { worker: 0, workers, memory: (memory / workers).saturating_sub(tables) }
    }

    /// With half of the memory: the other half is for open nodes of a tree.
    pub(crate) fn halved(self) -> Self {
        Self { memory: self.memory / 2, ..self }
    }

    /// With the memory of so many threads, at least of one.
    pub(super) fn with_memory_of(self, threads: usize) -> Self {
        Self { memory: self.memory * threads.max(1), ..self }
    }

    /// The same among the threads of all processes. Those of rank 0 come last, so that the last of all, which leads, is one of them.
    pub(super) fn among(self, rank: usize, ranks: usize) -> Self {
        let before = (rank + ranks - 1) % ranks;
        Self { worker: before * self.workers, workers: ranks * self.workers, ..self }
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
    fn threads_are_numbered_over_all_processes() {
        let one = Place { worker: 0, workers: 2, memory: 9 };
        assert_eq!(one.among(0, 1), one);
        let of = |rank| [0, 1].map(|thread| one.among(rank, 3).nth(thread).worker);
        assert_eq!([of(0), of(1), of(2)], [[4, 5], [0, 1], [2, 3]]);
        assert_eq!(one.among(2, 3), Place { worker: 2, workers: 6, memory: 9 });
    }

    #[test]
    fn threads_share_one_budget() {
        let instance = Instance::new("", 60, vec![1u32; 800 * 60]).unwrap();
        let place = Place::of_threads(&instance, 64, 4 << 30);
        assert_eq!(place.workers, 64);
        assert!(place.memory > 32 << 20 && place.memory * 64 < 4 << 30);
        // A narrow budget is for fewer threads; one is always there.
        assert!(Place::of_threads(&instance, 64, 128 << 20).workers < 16);
        assert_eq!(Place::of_threads(&instance, 64, 0), Place { worker: 0, workers: 1, memory: 0 });
        let large = Instance::new("", 5, vec![1u32; 5_000_000]).unwrap();
        assert_eq!(Place::of_threads(&large, 64, 2 << 30).workers, 2);
    }
}
