//! From texts of a format to instances, and back.

use pfss_core::timing::{JobAttributes, MachineAttributes, Objective};

use crate::clock::Clock;
use crate::csv::CsvOptions;
use crate::error::ReadError;
use crate::{Entry, Format, WriteError, csv, job_rows, json, machine_rows, or_library, pairs, taillard};

impl Format {
    /// Reads all instances of a text in this format.
    ///
    /// # Errors
    /// [`ReadError`] says what is wrong and where.
    pub fn read(self, text: &str, csv_options: CsvOptions) -> Result<Vec<Entry>, ReadError> {
        self.read_at(text, csv_options, None)
    }

    /// [`Format::read`]; with a clock, releases, due dates and breaks may be dates and times of day.
    ///
    /// # Errors
    /// [`ReadError`] says what is wrong and where.
    pub fn read_at(
        self,
        text: &str,
        csv_options: CsvOptions,
        clock: Option<&Clock>,
    ) -> Result<Vec<Entry>, ReadError> {
        match self {
            Self::Taillard => taillard::read(text),
            Self::MachineRows => machine_rows::read(text),
            Self::JobRows => job_rows::read(text),
            Self::Pairs => pairs::read(text),
            Self::OrLibrary => or_library::read(text),
            Self::Csv => csv::read_with(text, csv_options, clock),
            Self::Json => json::read_at(text, clock),
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
            if let Some(what) = self.loses(entry) {
                let instance = entry.instance.name().to_string();
                return Err(WriteError::Attributes { format: self, what, instance });
            }
            if self == Self::Csv {
                csv::check_names(entry)?;
            }
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

    /// What the format has no place for, where the entry carries it.
    fn loses(self, entry: &Entry) -> Option<&'static str> {
        let attributes = &entry.attributes;
        let has_jobs = attributes.jobs.iter().any(|job| *job != JobAttributes::default());
        let has_machines = attributes.machines.iter().any(|machine| *machine != MachineAttributes::default());
        match self {
            Self::Json => None,
            _ if has_machines => Some("set-ups, breaks, buffers and other attributes of machines"),
            _ if !attributes.first.is_empty() => Some("the jobs that come first"),
            _ if !attributes.precedence.is_empty() => Some("the precedence of jobs"),
            _ if attributes.objectives.iter().any(|one| *one != Objective::Makespan) => Some("the objective"),
            Self::Csv => None,
            _ if has_jobs => Some("release dates, due dates, weights and families"),
            _ => None,
        }
    }
}
