//! From texts of a format to instances, and back.

use thiserror::Error;

use crate::csv::CsvOptions;
use crate::error::ReadError;
use crate::{Entry, Format, csv, job_rows, json, machine_rows, or_library, pairs, taillard};

/// Why instances cannot be written.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteError {
    /// There is no instance.
    #[error("there is no instance to write")]
    Nothing,
    /// The format holds one instance per file.
    #[error(
        "a {format} file holds one instance, not {found}; write them one by one, or use taillard, or-library or json"
    )]
    OneOnly {
        /// The format.
        format: Format,
        /// How many instances there are.
        found: usize,
    },
}

impl Format {
    /// Reads all instances of a text in this format.
    ///
    /// # Errors
    /// [`ReadError`] says what is wrong and where.
    pub fn read(self, text: &str, csv_options: CsvOptions) -> Result<Vec<Entry>, ReadError> {
        match self {
            Self::Taillard => taillard::read(text),
            Self::MachineRows => machine_rows::read(text),
            Self::JobRows => job_rows::read(text),
            Self::Pairs => pairs::read(text),
            Self::OrLibrary => or_library::read(text),
            Self::Csv => csv::read_with(text, csv_options),
            Self::Json => json::read(text),
        }
    }

    /// The text of a file that holds these instances.
    ///
    /// # Errors
    /// [`WriteError`] when there is none, or several and the format holds one.
    pub fn write(self, entries: &[Entry]) -> Result<String, WriteError> {
        let found = entries.len();
        if found == 0 {
            return Err(WriteError::Nothing);
        }
        if found > 1 && !self.holds_several() {
            return Err(WriteError::OneOnly { format: self, found });
        }
        let mut out = String::new();
        for entry in entries {
            match self {
                Self::Taillard => taillard::write(entry, &mut out),
                Self::MachineRows => machine_rows::write(entry, &mut out),
                Self::JobRows => job_rows::write(entry, &mut out),
                Self::Pairs => pairs::write(entry, &mut out),
                Self::OrLibrary => or_library::write(entry, &mut out),
                Self::Csv => csv::write(entry, &mut out),
                Self::Json => json::write(entry, &mut out),
            }
        }
        Ok(out)
    }
}
