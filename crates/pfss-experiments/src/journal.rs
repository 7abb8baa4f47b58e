//! The file of rows: one line per finished run, written at once, so that a bench can be killed and resumed.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::hash::Hash;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::{Row, RowKey};

/// A row that a journal keeps: one line of a CSV file with these columns.
pub trait JournalRow: Serialize + DeserializeOwned {
    /// What makes a run the same run: it is not repeated.
    type Key: Eq + Hash;

    /// The names of the columns, in the order of the fields.
    const COLUMNS: &'static [&'static str];

    /// What makes this run the same run.
    fn key(&self) -> Self::Key;
}

impl JournalRow for Row {
    type Key = RowKey;

    const COLUMNS: &'static [&'static str] = &Row::COLUMNS;

    fn key(&self) -> RowKey {
        Row::key(self)
    }
}

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
    /// A row cannot be read.
    #[error("{}: {reason}; remove the line to have its run repeated", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// Which line, and what is wrong.
        reason: String,
    },
}

/// The rows of a bench, in a file or in memory only.
#[derive(Debug)]
pub struct Journal<R = Row> {
    file: Option<(PathBuf, File)>,
    rows: Vec<R>,
}

impl<R: JournalRow> Journal<R> {
    /// Rows that are kept in memory only.
    pub fn in_memory() -> Self {
        Self { file: None, rows: Vec::new() }
    }

    /// Opens or makes a file of rows and reads those that are there.
    ///
    /// A last line without its end was being written when a bench was killed: it is cut off. The file stays
    /// locked against other benches as long as the journal lives.
    ///
    /// # Errors
    /// [`JournalError`] when the file cannot be used; it is left as it was.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let io = |source| JournalError::Io { path: path.to_path_buf(), source };
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => {
                return Err(JournalError::Busy { path: path.to_path_buf() });
            }
            // Some file systems know no locks: the bench goes on without.
            Err(std::fs::TryLockError::Error(_)) => {}
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let header = header::<R>();
        if complete == 0 {
            if !header.as_bytes().starts_with(&bytes) {
                return Err(not_rows::<R>(path));
            }
            file.set_len(0).map_err(io)?;
            file.write_all(header.as_bytes()).map_err(io)?;
            return Ok(Self { file: Some((path.to_path_buf(), file)), rows: Vec::new() });
        }
        let rows = parse_rows(path, &bytes[..complete])?;
        if complete < bytes.len() {
            file.set_len(complete as u64).map_err(io)?;
        }
        Ok(Self { file: Some((path.to_path_buf(), file)), rows })
    }

    /// All rows: those that were there, then the appended ones.
    pub fn rows(&self) -> &[R] {
        &self.rows
    }

    /// The rows of planned runs, in the order of the plan, and the runs that have none yet.
    pub(crate) fn split<'p, I>(&self, plan: &'p [I], key: impl Fn(&I) -> R::Key) -> (Vec<&R>, Vec<&'p I>) {
        let by_key: HashMap<R::Key, &R> = self.rows.iter().map(|row| (row.key(), row)).collect();
        let (mut rows, mut open) = (Vec::new(), Vec::new());
        for planned in plan {
            match by_key.get(&key(planned)) {
                Some(&row) => rows.push(row),
                None => open.push(planned),
            }
        }
        (rows, open)
    }

    /// Appends a row; it is in the file when this returns.
    ///
    /// # Errors
    /// [`JournalError::Io`] when it cannot be written.
    pub fn append(&mut self, row: R) -> Result<&R, JournalError> {
        if let Some((path, file)) = &mut self.file {
            let io = |source| JournalError::Io { path: path.clone(), source };
            let line = to_line(&row).map_err(io)?;
            file.write_all(&line).map_err(io)?;
            file.flush().map_err(io)?;
        }
        self.rows.push(row);
        Ok(&self.rows[self.rows.len() - 1])
    }
}

fn header<R: JournalRow>() -> String {
    R::COLUMNS.join(",") + "\n"
}

fn not_rows<R: JournalRow>(path: &Path) -> JournalError {
    JournalError::Columns { path: path.to_path_buf(), columns: R::COLUMNS.join(",") }
}

/// The row as one line; written in one call, so that only a kill in the middle of it can tear it.
fn to_line<R: JournalRow>(row: &R) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.serialize(row).map_err(io::Error::other)?;
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// The rows of a file that nobody is writing to.
///
/// # Errors
/// [`JournalError`] when it cannot be read or is no file of rows.
pub fn read_rows<R: JournalRow>(path: &Path) -> Result<Vec<R>, JournalError> {
    let bytes =
        std::fs::read(path).map_err(|source| JournalError::Io { path: path.to_path_buf(), source })?;
    parse_rows(path, &bytes)
}

fn parse_rows<R: JournalRow>(path: &Path, bytes: &[u8]) -> Result<Vec<R>, JournalError> {
    let mut reader = csv::ReaderBuilder::new().from_reader(bytes);
    match reader.headers() {
        Ok(columns) if columns.iter().eq(R::COLUMNS.iter().copied()) => {}
        _ => return Err(not_rows::<R>(path)),
    }
    let rows: Result<Vec<R>, csv::Error> = reader.deserialize().collect();
    rows.map_err(|error| JournalError::Row { path: path.to_path_buf(), reason: error.to_string() })
}

#[cfg(test)]
pub(crate) mod tests;
