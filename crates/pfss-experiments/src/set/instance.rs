//! An instance and its best-known makespan.

use pfss_core::generate::taillard_benchmark;
use pfss_io::{AnyInstance, Entry};

use crate::{BestKnown, best_known};

/// An instance that takes part in a bench, with its best-known makespan.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchInstance {
    instance: AnyInstance,
    best_known: Option<f64>,
}

impl BenchInstance {
    /// An instance of a file, with the table's best-known makespan or else the one its file tells.
    pub fn new(entry: Entry) -> Self {
        let Entry { instance, metadata } = entry;
        let best_known = best_known(instance.name())
            .filter(|row| is_the_one(row, &instance))
            .map(|row| f64::from(row.upper_bound))
            .or(metadata.upper_bound);
        Self { instance, best_known }
    }

    /// The instance.
    pub fn instance(&self) -> &AnyInstance {
        &self.instance
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.instance.name()
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

    /// The makespan of the best known order, where there is one.
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
        assert_eq!(BenchInstance::new(original.into()).best_known(), Some(1278.0));
        let other = Instance::new("ta001", 5, vec![1u32; 100]).unwrap();
        assert_eq!(BenchInstance::new(other.into()).best_known(), None);
    }
}
