//! The formats by name, and which of them a text has. Detection counts numbers per row and never guesses.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::csv::CsvOptions;
use crate::error::ReadError;
use crate::{Entry, csv, detect, job_rows, json, machine_rows, or_library, pairs, taillard};

/// A file format of instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Taillard's benchmark files.
    Taillard,
    /// `n m`, then one row per machine.
    MachineRows,
    /// `n m`, then one row per job.
    JobRows,
    /// `n m`, then one row of `machine time` pairs per job.
    Pairs,
    /// OR-Library's titled instances.
    OrLibrary,
    /// Comma-separated values.
    Csv,
    /// The schema `pfss.instance/1`.
    Json,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 7] = [
        Self::Taillard,
        Self::MachineRows,
        Self::JobRows,
        Self::Pairs,
        Self::OrLibrary,
        Self::Csv,
        Self::Json,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Taillard => "taillard",
            Self::MachineRows => "machine-rows",
            Self::JobRows => "job-rows",
            Self::Pairs => "pairs",
            Self::OrLibrary => "or-library",
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }

    /// What the format looks like, in a few words.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Taillard => "`n m seed ub lb`, then one row per machine",
            Self::MachineRows => "`n m`, then one row per machine",
            Self::JobRows => "`n m`, then one row per job",
            Self::Pairs => "`n m`, then one row of `machine time` pairs per job",
            Self::OrLibrary => "titles between lines of `+`, then `n m` and pairs",
            Self::Csv => "one line per job, cells separated by commas, semicolons or tabs",
            Self::Json => "schema pfss.instance/1",
        }
    }

    /// The names of all formats, separated by commas.
    pub fn list() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// Whether a file of this format may hold several instances.
    pub fn holds_several(self) -> bool {
        matches!(self, Self::Taillard | Self::OrLibrary | Self::Json)
    }

    /// Detects the format of a text; `file_name` helps by its ending (`.csv`, `.tsv`, `.json`).
    ///
    /// # Errors
    /// [`crate::Problem::Ambiguous`] when two readings fit, [`crate::Problem::UnknownFormat`] when none does.
    pub fn detect(text: &str, file_name: Option<&str>) -> Result<Self, ReadError> {
        detect::detect(text, file_name)
    }

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

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// There is no format of this name.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("there is no format `{name}`; known are {}", Format::list())]
pub struct UnknownFormatName {
    /// The name that was given.
    pub name: String,
}

impl FromStr for Format {
    type Err = UnknownFormatName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|format| format.name() == name)
            .ok_or_else(|| UnknownFormatName { name: name.to_string() })
    }
}

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
