//! Why a file of rows cannot be used.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why the file of rows cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another bench writes to the file.
    #[error("{}: another bench is writing to this file; wait for it or choose another file", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The file is not a file of rows.
    #[error("{}: not a file of bench rows (its first line must name the columns {columns}); choose another file",
            path.display())]
    Columns {
        /// The file.
        path: PathBuf,
        /// The columns that it should have.
        columns: String,
    },
    /// A row cannot be read, or cannot be so.
    #[error("{}:{line}:{column}: {reason}; correct the line, or remove it to have its run repeated", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The character of the line, from 1.
        column: usize,
        /// What is wrong, and what would be accepted.
        reason: String,
    },
    /// Rows are of an instance of the same name that had other numbers.
    #[error(
        "{}: its rows of `{instance}` were made of other numbers than `{instance}` has now (instance_hash {then}, now {now}): \
         write to another file, or remove these rows, or give the changed instance another name",
        path.display()
    )]
    Changed {
        /// The file.
        path: PathBuf,
        /// The name of the instance.
        instance: String,
        /// Its fingerprint in the file.
        then: String,
        /// Its fingerprint now.
        now: String,
    },
}
