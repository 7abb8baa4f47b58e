//! What of this machine a run may use where it is not told: threads and memory.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// The most that is taken unasked.
const MOST: u64 = 4 << 30;

/// What a run holds that must come out the same on any machine: the width of a beam depends on it.
pub(crate) const REPRODUCIBLE: usize = 1 << 30;

/// How many threads run at the same time: those of this machine, or the part of this process where several share it.
pub(crate) fn cores() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    #[cfg(feature = "mpi")]
    let cores = crate::job::share(cores);
    cores
}

/// A quarter of the memory that this process may use, at most 4 GiB.
pub(crate) fn default_budget() -> usize {
    let kind = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(kind);
    // A container may be allowed less than the machine has.
    let limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory);
    let total = match system.total_memory().min(limit) {
        0 => MOST,
        total => total,
    };
    let budget = usize::try_from((total / 4).min(MOST)).unwrap_or(REPRODUCIBLE);
    #[cfg(feature = "mpi")]
    let budget = crate::job::share(budget);
    budget
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_at_most_four_gibibytes() {
        let budget = default_budget() as u64;
        assert!((16 << 20..=MOST).contains(&budget), "{budget}");
    }
}
