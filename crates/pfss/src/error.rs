//! Why there is no solution.

use pfss_core::{CheckError, InstanceError, PermutationError, SolveError};
use pfss_io::ReadError;
use pfss_render::RenderError;
use thiserror::Error;

use crate::algorithm::BuildError;

/// Why something that was asked of the library cannot be given.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such file or name, or it holds no instance.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file holds several instances where one is wanted.
    #[error("{file}: holds {count} instances, one is wanted; name one as in `{file}#1`")]
    Several {
        /// The file.
        file: String,
        /// How many.
        count: usize,
    },
    /// A file holds more than times.
    #[error(
        "{file}: jobs or machines carry more than times (due dates, set-ups, breaks, an objective, ...); `pfss::io::read_file` reads all of it, and `pfss::planner` solves it"
    )]
    Planned {
        /// The file.
        file: String,
    },
    /// The numbers are no instance.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// There is no such algorithm, or its settings do not fit.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The order to start from is no order of the instance's jobs.
    #[error("the order to start from: {0}")]
    Start(PermutationError),
    /// The algorithm cannot treat the instance.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The algorithm's answer is wrong: a defect worth reporting.
    #[error("the answer is wrong: {0}; please report this")]
    Wrong(#[from] CheckError),
    /// The schedule cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
}
