//! Families by name.

use std::collections::HashMap;

use pfss_core::timing::Attributes;

use crate::error::Problem;

/// Families, numbered in the order of their first appearance.
#[derive(Clone, Debug, Default)]
pub struct Families {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Families {
    /// The families up to the last one that a job is of, with their numbers. Those that only set-ups name come after them.
    pub(crate) fn of_jobs(attributes: &Attributes) -> Self {
        let count = attributes.jobs.iter().filter_map(|job| job.family).max().map_or(0, |last| last + 1);
        let mut families = Self::default();
        for name in attributes.families.iter().take(count) {
            families.number(name);
        }
        families
    }

    /// The number of a family, a new one where it is seen for the first time.
    pub fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len();
        self.names.push(name.to_string());
        self.numbers.insert(name.to_string(), number);
        number
    }

    /// The number of a set-up's family. A table of set-ups is that of the plant: today's jobs need not be of all its families.
    ///
    /// # Errors
    /// [`Problem::Attribute`] where the name is empty.
    pub fn of_setup(&mut self, name: &str) -> Result<usize, Problem> {
        if name.is_empty() {
            let message = "the name of a family is missing here".to_string();
            return Err(Problem::Attribute { message });
        }
        Ok(self.number(name))
    }

    /// The names, in the order of the numbers.
    pub fn into_names(self) -> Vec<String> {
        self.names
    }
}
