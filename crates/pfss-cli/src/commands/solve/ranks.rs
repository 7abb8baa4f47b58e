//! An instance that all processes of an MPI job solve together.

use std::path::Path;

use pfss::{CheckpointError, Keeper, Solvable};
use pfss_core::Run;
use pfss_mpi::{Answer, Leader, Task};

use crate::console::Console;
use crate::ranks::silence;

/// Solves it together with all others; where some of them were lost, tells how to go on. `result` is where the result is written.
pub(super) fn solve<P: Solvable>(
    leader: &Leader<'_>,
    task: Task<'_, P>,
    run: Run<'_, P::Cost>,
    result: Option<&Path>,
    console: Console,
) -> Result<Answer<P::Cost>, CheckpointError> {
    let keeper = task.keeper;
    let answer = leader.solve(task, run);
    if !answer.lost.is_empty() {
        let how = match (keeper, result) {
            (Some(keeper), _) => {
                format!("the same command goes on from {}", keeper.file().path().display())
            }
            (None, Some(file)) => {
                format!(
                    "with `--start {}` the same command goes on from the best order so far",
                    file.display()
                )
            }
            (None, None) => {
                "with -o FILE, and later --start FILE, a command can go on from its best order".to_string()
            }
        };
        console.warn(&format!("{}: {how}", silence(&answer.lost)));
    }
    keeper.map_or(Ok(()), Keeper::written)?;
    Ok(answer)
}
