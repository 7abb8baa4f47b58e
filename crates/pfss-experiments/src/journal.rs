//! The file of rows: one line per finished run, written at once, so that a bench can be killed and resumed.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::Row;

/// A row that a journal keeps: one line of a CSV file with these columns.
pub trait JournalRow: Serialize + DeserializeOwned {
    /// The names of the columns, in the order of the fields.
    const COLUMNS: &'static [&'static str];
}

impl JournalRow for Row {
    const COLUMNS: &'static [&'static str] = &Row::COLUMNS;
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
        let rows = read_rows(path, &bytes[..complete])?;
        if complete < bytes.len() {
            file.set_len(complete as u64).map_err(io)?;
        }
        Ok(Self { file: Some((path.to_path_buf(), file)), rows })
    }

    /// All rows: those that were there, then the appended ones.
    pub fn rows(&self) -> &[R] {
        &self.rows
    }

    /// Appends a row; it is in the file when this returns.
    ///
    /// # Errors
    /// [`JournalError::Io`] when it cannot be written.
    pub fn append(&mut self, row: R) -> Result<(), JournalError> {
        if let Some((path, file)) = &mut self.file {
            let io = |source| JournalError::Io { path: path.clone(), source };
            let line = to_line(&row).map_err(io)?;
            file.write_all(&line).map_err(io)?;
            file.flush().map_err(io)?;
        }
        self.rows.push(row);
        Ok(())
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

fn read_rows<R: JournalRow>(path: &Path, bytes: &[u8]) -> Result<Vec<R>, JournalError> {
    let mut reader = csv::ReaderBuilder::new().from_reader(bytes);
    match reader.headers() {
        Ok(columns) if columns.iter().eq(R::COLUMNS.iter().copied()) => {}
        _ => return Err(not_rows::<R>(path)),
    }
    let rows: Result<Vec<R>, csv::Error> = reader.deserialize().collect();
    rows.map_err(|error| JournalError::Row { path: path.to_path_buf(), reason: error.to_string() })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    type Journal = super::Journal<Row>;

    pub(crate) fn row(instance: &str, group: &str, seed: u64, makespan: f64) -> Row {
        let (num_jobs, num_machines) = group.split_once('x').unwrap();
        Row {
            instance: instance.into(),
            group: group.into(),
            num_jobs: num_jobs.parse().unwrap(),
            num_machines: num_machines.parse().unwrap(),
            algorithm: "a".into(),
            config: r#"{"x":1,"y":"z"}"#.into(),
            seed,
            limit: "evaluations=10".into(),
            makespan,
            best_known: Some(100.0),
            rpd: Some(makespan - 100.0),
            bound: 90.0,
            status: "feasible".into(),
            stop_reason: "evaluation-limit".into(),
            runtime_s: 0.5,
            evaluations: 10,
            primal_integral: Some(7.25),
            version: "0".into(),
            commit: String::new(),
            cpu: "a, b".into(),
            order: String::new(),
        }
    }

    #[test]
    fn rows_come_back_and_a_torn_line_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.csv");
        let mut journal = Journal::open(&path).unwrap();
        assert!(matches!(Journal::open(&path), Err(JournalError::Busy { .. })));
        let mut real = row("b", "20x5", 1, 100.5);
        real.best_known = None;
        real.rpd = None;
        let rows = [row("a", "20x5", 1, 101.0), real];
        for row in &rows {
            journal.append(row.clone()).unwrap();
        }
        drop(journal);
        let whole = std::fs::read_to_string(&path).unwrap();
        assert!(whole.contains(",101,100,1.0,90,"), "{whole}");
        for torn in 1..whole.len() {
            std::fs::write(&path, &whole[..torn]).unwrap();
            let journal = Journal::open(&path).unwrap();
            let complete = whole[..torn].matches('\n').count().saturating_sub(1);
            assert_eq!(journal.rows(), &rows[..complete], "cut at {torn}");
            drop(journal);
            let after = std::fs::read_to_string(&path).unwrap();
            assert!(whole.starts_with(&after) && after.ends_with('\n'), "cut at {torn}");
        }
    }

    #[test]
    fn other_files_are_refused_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.csv");
        for content in ["my notes", "my notes\nmore", "instance,group\n"] {
            std::fs::write(&path, content).unwrap();
            assert!(matches!(Journal::open(&path), Err(JournalError::Columns { .. })));
            assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
        }
        let content = header::<Row>() + "a,20x5,x\n";
        std::fs::write(&path, &content).unwrap();
        assert!(Journal::open(&path).unwrap_err().to_string().contains("line"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
        assert!(matches!(Journal::open(folder.path()), Err(JournalError::Io { .. })));
    }
}
