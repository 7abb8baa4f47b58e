//! Why something cannot be kept or found.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use thiserror::Error;

/// Why something cannot be kept or found.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The folder cannot be used.
    #[error("{}: cannot keep jobs here: {reason}; name another folder with `--store DIR`", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        reason: String,
    },
    /// Another process uses the folder.
    #[error("{}: another `pfss serve` uses this store; stop it, or name another folder with `--store DIR`", folder.display())]
    Locked {
        /// The folder.
        folder: PathBuf,
    },
    /// The file was made by a newer program.
    #[error("{}: this store was made by a newer version of pfss; use that version, or another `--store DIR`", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
    },
    /// There is no room.
    #[error("the disk of the store is full; make room, and send the request again")]
    Full,
    /// SQLite cannot do it.
    #[error("the store cannot be used: {0}")]
    Sqlite(rusqlite::Error),
}

impl StoreError {
    pub(super) fn folder(folder: &Path, reason: &std::io::Error) -> Self {
        Self::Folder { folder: folder.to_path_buf(), reason: reason.to_string() }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        // The write-ahead log and its index fail with errors of their own when a disk is full.
        let is_full =
            matches!(error.sqlite_error_code(), Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure));
        if is_full { Self::Full } else { Self::Sqlite(error) }
    }
}
