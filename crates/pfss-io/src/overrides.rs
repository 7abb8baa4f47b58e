//! What a caller says about an instance, in the place of what its file says.

use pfss_core::timing::{MachineAttributes, Objective};

use crate::Entry;
use crate::attribute_tables::read_setups;
use crate::attributes::tidy;
use crate::error::{Problem, ReadError};
use crate::order::{OrderOptions, jobs_of};

/// Attributes that take the place of those in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// What is minimised, the most important first.
    pub objectives: Option<Vec<Objective>>,
    /// The text of a table of set-ups, and the file it comes from.
    pub setups: Option<(String, String)>,
    /// Jobs at the beginning, by name or 0-based number, separated by commas.
    pub first: Option<String>,
    /// Whether jobs go on without waiting between all machines.
    pub no_wait: bool,
    /// How many jobs fit between any two machines.
    pub buffer: Option<usize>,
}

impl Overrides {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Puts what is said in the place of what the entry has.
    ///
    /// # Errors
    /// [`ReadError`] says what is wrong and where.
    pub fn apply(&self, entry: &mut Entry) -> Result<(), ReadError> {
        if let Some(objectives) = &self.objectives {
            entry.attributes.objectives.clone_from(objectives);
        }
        if let Some((text, file)) = &self.setups {
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            read_setups(text, entry).map_err(|error| error.in_file(file))?;
        }
        if let Some(first) = &self.first {
            let jobs = jobs_of(first, &entry.instance, OrderOptions::default());
            entry.attributes.first = jobs.map_err(|error| error.in_file("--first"))?;
        }
        if self.no_wait || self.buffer.is_some() {
            self.apply_gaps(entry)?;
        }
        Ok(())
    }

    /// What is said of the gaps behind all machines but the last.
    fn apply_gaps(&self, entry: &mut Entry) -> Result<(), ReadError> {
        let num_machines = entry.instance.num_machines();
        if num_machines < 2 {
            let (option, reason) = (
                if self.no_wait { "--no-wait" } else { "--buffer" },
                "there is one machine only, and nothing behind it".to_string(),
            );
            return Err(ReadError::new(Problem::UnusedOption { option, reason }));
        }
        entry.attributes.machines.resize(num_machines, MachineAttributes::default());
        for machine in &mut entry.attributes.machines[..num_machines - 1] {
            machine.no_wait = self.no_wait;
            machine.buffer = self.buffer;
        }
        entry.attributes = tidy(std::mem::take(&mut entry.attributes));
        Ok(())
    }
}
