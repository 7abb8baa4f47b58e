//! The MPI job that this process belongs to, where `mpirun` started it.

use std::sync::OnceLock;

use pfss_mpi::{Exchange, Leader, MpiExchange};

static JOB: OnceLock<Job> = OnceLock::new();

struct Job {
    neighbours: usize,
    /// Rank 0's.
    leader: Option<Leader<'static>>,
}

/// Notes that this process belongs to a job.
pub(crate) fn join(exchange: &'static MpiExchange) {
    let leader = (exchange.rank() == 0).then(|| Leader::new(exchange));
    JOB.get_or_init(|| Job { neighbours: exchange.neighbours(), leader });
}

/// Whether `mpirun` started this process.
pub(crate) fn is_rank() -> bool {
    JOB.get().is_some()
}

/// All processes, where there are several and this is rank 0.
pub(crate) fn leader() -> Option<&'static Leader<'static>> {
    let leader = JOB.get()?.leader.as_ref()?;
    (leader.exchange().ranks() > 1).then_some(leader)
}

/// The part of this process of what the machine has.
pub(crate) fn share(whole: usize) -> usize {
    let neighbours = JOB.get().map_or(1, |job| job.neighbours);
    (whole / neighbours).max(1)
}
