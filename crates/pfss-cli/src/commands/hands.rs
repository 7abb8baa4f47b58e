//! Other processes that solve instances for this one, where `mpirun` started several.

use pfss::Hands;
use pfss_core::CancelFlag;

/// Runs `program` with the hands of all other processes, so many threads of each; none where this one is alone.
#[cfg(feature = "mpi")]
pub(super) fn with_hands<R>(
    threads: Option<u16>,
    cancel: &CancelFlag,
    program: impl FnOnce(Option<&dyn Hands>) -> R,
) -> R {
    match crate::job::leader() {
        Some(leader) => leader.farm(threads.map(usize::from), cancel, |hands| program(Some(hands))),
        None => program(None),
    }
}

/// Runs `program`: this process is alone.
#[cfg(not(feature = "mpi"))]
pub(super) fn with_hands<R>(
    _: Option<u16>,
    _: &CancelFlag,
    program: impl FnOnce(Option<&dyn Hands>) -> R,
) -> R {
    program(None)
}
