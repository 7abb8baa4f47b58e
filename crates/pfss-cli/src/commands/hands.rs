//! Other processes that solve instances for this one, where `mpirun` started several.

use pfss::Hands;
use pfss_core::CancelFlag;

use crate::console::Console;

/// Runs `program` with the hands of all other processes, so many threads of each; none where this one is alone. Where one of
/// them dies, that is told, and `cancel` ends the program with what is done.
#[cfg(feature = "mpi")]
pub(super) fn with_hands<R>(
    threads: Option<u16>,
    cancel: &CancelFlag,
    console: Console,
    program: impl FnOnce(Option<&dyn Hands>) -> R,
) -> R {
    let Some(leader) = crate::job::leader() else { return program(None) };
    let result = leader.farm(threads.map(usize::from), cancel, |hands| program(Some(hands)));
    if !leader.lost().is_empty() {
        console.warn(&crate::ranks::silence(&leader.lost()));
    }
    result
}

/// Runs `program`: this process is alone.
#[cfg(not(feature = "mpi"))]
pub(super) fn with_hands<R>(
    _: Option<u16>,
    _: &CancelFlag,
    _: Console,
    program: impl FnOnce(Option<&dyn Hands>) -> R,
) -> R {
    program(None)
}
