//! The formats by name.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

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
