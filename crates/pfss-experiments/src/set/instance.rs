//! An instance and its best-known value.

use std::path::{Path, PathBuf};

use pfss::PortableProblem;
use pfss_core::generate::taillard_benchmark;
use pfss_core::timing::{AttributeError, Attributes, Line};
use pfss_io::{AnyInstance, Entry, entry_hash, match_instance};

use crate::{BestKnown, BestKnownTable};

/// An instance that takes part in a bench, with its best-known value.
#[derive(Clone, Debug)]
pub struct BenchInstance {
    name: String,
    instance: AnyInstance,
    attributes: Attributes,
    line: Option<Line>,
    best_known: Option<f64>,
    file: Option<PathBuf>,
}

impl PartialEq for BenchInstance {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.instance, &self.attributes, self.best_known)
            == (&other.name, &other.instance, &other.attributes, other.best_known)
    }
}

impl BenchInstance {
    /// An instance of a file, with the table's best-known value or else the one its file tells. `variant` tells what was put
    /// in the place of what the file says, and becomes part of the name.
    ///
    /// # Errors
    /// [`AttributeError`] says what jobs, machines or the order cannot carry.
    pub fn new(entry: Entry, variant: &str) -> Result<Self, AttributeError> {
        // A bench tells of makespans only: what changes nothing in them makes no other problem.
        let line = entry.line()?.filter(|line| line.plain_shop().is_none());
        let Entry { instance, metadata, attributes, reading } = entry;
        let best_known = BestKnownTable::of(&attributes)
            .and_then(|table| table.row(instance.name()))
            .filter(|row| is_the_one(row, &instance))
            .map(|row| f64::from(row.upper_bound))
            .or(metadata.upper_bound.filter(|_| line.is_none()));
        let name = format!("{}{variant}", instance.name());
        Ok(Self { name, instance, attributes, line, best_known, file: reading.file })
    }

    /// The same instance as a line, even where it carries times only.
    ///
    /// # Errors
    /// [`AttributeError`] where its numbers cannot be calculated with.
    pub(super) fn into_line(mut self) -> Result<Self, AttributeError> {
        if self.line.is_none() {
            let line = match_instance!(&self.instance, instance => Line::new(instance, &self.attributes));
            self.line = Some(line?);
        }
        Ok(self)
    }

    /// The instance with all that it carries, where some instance of the bench carries more than times.
    pub fn line(&self) -> Option<&Line> {
        self.line.as_ref()
    }

    /// The instance.
    pub fn instance(&self) -> &AnyInstance {
        &self.instance
    }

    /// The instance with all that it carries, for other processes.
    pub(crate) fn portable(&self) -> PortableProblem {
        match self.line {
            Some(_) => PortableProblem::line(&self.instance, &self.attributes),
            None => PortableProblem::Shop((&self.instance).into()),
        }
    }

    /// The file that it was read from.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The fingerprint of the instance with all that it carries.
    pub fn instance_hash(&self) -> String {
        let attributes = self.attributes.clone();
        entry_hash(&Entry { attributes, ..Entry::from(self.instance.clone()) })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its number of jobs.
    pub fn num_jobs(&self) -> usize {
        self.instance.num_jobs()
    }

    /// Its number of machines.
    pub fn num_machines(&self) -> usize {
        self.instance.num_machines()
    }

    /// Its size, as `50x20`.
    pub fn group(&self) -> String {
        format!("{}x{}", self.num_jobs(), self.num_machines())
    }

    /// The value of the best known order, where there is one.
    pub fn best_known(&self) -> Option<f64> {
        self.best_known
    }
}

/// Whether an instance is the one of the table and does not only have its name.
fn is_the_one(row: &BestKnown, instance: &AnyInstance) -> bool {
    let same_size = (row.num_jobs, row.num_machines) == (instance.num_jobs(), instance.num_machines());
    let AnyInstance::Integer(integer) = instance else {
        return false;
    };
    let number = row.name.strip_prefix("ta").and_then(|digits| digits.parse().ok());
    same_size
        && match number.and_then(taillard_benchmark) {
            Some(original) => original.times() == integer.times(),
            None => pfss_core::one_machine_bound(integer) <= row.upper_bound,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::Instance;

    #[test]
    fn only_the_original_has_a_best_known_value() {
        let original = taillard_benchmark(1).unwrap();
        assert_eq!(BenchInstance::new(original.into(), "").unwrap().best_known(), Some(1278.0));
        let other = Instance::new("ta001", 5, vec![1u32; 100]).unwrap();
        assert_eq!(BenchInstance::new(other.into(), "").unwrap().best_known(), None);
    }
}
