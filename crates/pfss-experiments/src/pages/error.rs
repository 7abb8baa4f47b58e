//! Why a page cannot be filled.

use std::io;
use std::path::PathBuf;

use pfss_io::atomic::WriteFileError;
use pfss_render::RenderError;
use thiserror::Error;

/// Why a page cannot be filled.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PageError {
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A page cannot be written.
    #[error(transparent)]
    Write(#[from] WriteFileError),
    /// A file is not what it should be.
    #[error("{}: {reason}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A block has no rows.
    #[error(
        "experiments/measured/{file}.csv has no rows of the table `{table}`; run `scripts/measure {file}`"
    )]
    NoRows {
        /// The file's name without its ending.
        file: String,
        /// The table.
        table: String,
    },
    /// There is no such block.
    #[error("there is no block `measured: {0}`")]
    UnknownBlock(String),
    /// A block does not end.
    #[error("{page}: the block `{block}` has no <!-- end -->")]
    Unclosed {
        /// The page.
        page: String,
        /// The block.
        block: String,
    },
    /// A table cannot be written.
    #[error(transparent)]
    Render(#[from] RenderError),
}
