//! The file of rows: one line per finished run, written at once, so that a bench can be killed and resumed.

mod error;
mod parse;
mod row;

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use pfss_io::{atomic, excerpt};

pub use error::JournalError;
use parse::{parse, torn};
pub use row::JournalRow;

use crate::Row;
use crate::fingerprint::is_known;

/// The rows of a bench, in a file or in memory only.
#[derive(Debug)]
pub struct Journal<R = Row> {
    file: Option<JournalFile>,
    rows: Vec<R>,
    torn: Option<String>,
}

/// The file that rows are appended to.
#[derive(Debug)]
struct JournalFile {
    path: PathBuf,
    file: File,
    /// Whether it is of an earlier version, without a column for fingerprints.
    lacks_hash: bool,
}

impl<R: JournalRow> Journal<R> {
    /// Rows that are kept in memory only.
    pub fn in_memory() -> Self {
        Self { file: None, rows: Vec::new(), torn: None }
    }

    /// Opens or makes a file of rows and reads those that are there.
    ///
    /// A last line that was being written when a bench was killed is cut off ([`Journal::torn`] tells it); one that only lacks
    /// its end gets it. The file stays locked against other benches as long as the journal lives.
    ///
    /// # Errors
    /// [`JournalError`] when the file cannot be used; it is left as it was.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let io = |source| JournalError::Io { path: path.to_path_buf(), source };
        let mut file = locked(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let header = header::<R>();
        if header.as_bytes().starts_with(&bytes) {
            // New, or killed while the first line was written.
            file.set_len(0).map_err(io)?;
            file.write_all(header.as_bytes()).map_err(io)?;
            let file = JournalFile { path: path.to_path_buf(), file, lacks_hash: false };
            return Ok(Self { file: Some(file), ..Self::in_memory() });
        }
        let torn = torn::<R>(&bytes);
        let whole = &bytes[..bytes.len() - torn.len()];
        let parsed = parse(path, whole)?;
        if !torn.is_empty() {
            file.set_len(whole.len() as u64).map_err(io)?;
        } else if !whole.ends_with(b"\n") {
            file.write_all(b"\n").map_err(io)?;
        }
        let file = JournalFile { path: path.to_path_buf(), file, lacks_hash: parsed.lacks_hash };
        let torn = (!torn.is_empty()).then(|| excerpt(torn));
        Ok(Self { file: Some(file), rows: parsed.rows, torn })
    }

    /// How a last line began that was not whole and is no longer in the file.
    pub fn torn(&self) -> Option<&str> {
        self.torn.as_deref()
    }

    /// Refuses instances, each a name and a fingerprint, that are no longer what rows of that name were made of.
    pub(crate) fn check_instances<'a>(
        &self,
        instances: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<(), JournalError> {
        let now: HashMap<&str, &str> = instances.into_iter().collect();
        let changed = self.rows.iter().filter(|row| is_known(row.instance_hash())).find_map(|row| {
            let now = now.get(row.instance()).filter(|now| **now != row.instance_hash())?;
            Some((row, *now))
        });
        let Some((row, now)) = changed else { return Ok(()) };
        Err(JournalError::Changed {
            path: self.file.as_ref().map_or_else(|| "rows in memory".into(), |file| file.path.clone()),
            instance: row.instance().to_string(),
            then: row.instance_hash().to_string(),
            now: now.to_string(),
        })
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
        if let Some(file) = &mut self.file {
            if file.lacks_hash {
                file.add_hashes(&self.rows)?;
            }
            file.append(&row)?;
        }
        self.rows.push(row);
        Ok(&self.rows[self.rows.len() - 1])
    }
}

impl JournalFile {
    fn append<R: JournalRow>(&mut self, row: &R) -> Result<(), JournalError> {
        let io = |source| JournalError::Io { path: self.path.clone(), source };
        let line = to_line(row).map_err(io)?;
        self.file.write_all(&line).map_err(io)?;
        self.file.flush().map_err(io)
    }

    /// Gives a file of an earlier version the column for fingerprints, which its rows do not know.
    fn add_hashes<R: JournalRow>(&mut self, rows: &[R]) -> Result<(), JournalError> {
        let io = |source| JournalError::Io { path: self.path.clone(), source };
        let mut text = header::<R>().into_bytes();
        for row in rows {
            text.extend(to_line(row).map_err(io)?);
        }
        atomic::write(&self.path, &text).map_err(|error| io(error.source))?;
        self.file = locked(&self.path)?;
        self.lacks_hash = false;
        Ok(())
    }
}

/// Opens a file to be appended to, and keeps other benches from it.
fn locked(path: &Path) -> Result<File, JournalError> {
    let io = |source| JournalError::Io { path: path.to_path_buf(), source };
    let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io)?;
    match file.try_lock() {
        Err(std::fs::TryLockError::WouldBlock) => Err(JournalError::Busy { path: path.to_path_buf() }),
        // Some file systems know no locks: the bench goes on without.
        Ok(()) | Err(std::fs::TryLockError::Error(_)) => Ok(file),
    }
}

fn header<R: JournalRow>() -> String {
    R::COLUMNS.join(",") + "\n"
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
    Ok(parse(path, &bytes)?.rows)
}

#[cfg(test)]
pub(crate) mod tests;
