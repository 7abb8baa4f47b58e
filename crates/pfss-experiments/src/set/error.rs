//! Why a set cannot be used.

use std::path::PathBuf;

use pfss_core::timing::AttributeError;
use pfss_io::ReadError;
use thiserror::Error;

/// Why a set cannot be loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SetError {
    /// A size cannot be read.
    #[error("`{0}` is no size; write jobs x machines, as in 50x20")]
    Group(String),
    /// An instance cannot be read.
    #[error("{set}: {source}")]
    Read {
        /// What was asked for.
        set: String,
        /// Why not.
        source: ReadError,
    },
    /// It is neither a set nor an instance.
    #[error(
        "there is no set `{set}`; known are taillard, vrf-small and vrf-large, a folder, or instances ({source})"
    )]
    Unknown {
        /// What was asked for.
        set: String,
        /// Why it is no instance either.
        source: ReadError,
    },
    /// A folder cannot be listed.
    #[error("{}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// Two different instances have the same name.
    #[error("two different instances are called `{0}`; rename one, since rows are told apart by name")]
    SameName(String),
    /// What an instance carries does not fit it, or is not supported together.
    #[error("{name}: {source}")]
    Attributes {
        /// The instance.
        name: String,
        /// What does not fit.
        source: Box<AttributeError>,
    },
    /// Nothing is left.
    #[error("no instance of {sets} has the chosen size and name")]
    Empty {
        /// What was asked for.
        sets: String,
    },
}
