//! Families by name.

use std::collections::HashMap;

/// Families, numbered in the order of their first appearance.
#[derive(Default)]
pub(crate) struct Families {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Families {
    /// The families of these names.
    pub(crate) fn known(names: &[String]) -> Self {
        let mut families = Self::default();
        for name in names {
            families.number(name);
        }
        families
    }

    /// The number of a job's family.
    pub(crate) fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len();
        self.names.push(name.to_string());
        self.numbers.insert(name.to_string(), number);
        number
    }

    /// The number of a set-up's family, or what to say where no job is of it.
    pub(crate) fn of_setup(&self, name: &str) -> Result<usize, String> {
        self.numbers.get(name).copied().ok_or_else(|| {
            let known = match self.names.as_slice() {
                [] => "no job has a family".to_string(),
                names => format!("the families of the jobs are {}", names.join(", ")),
            };
            format!("no job is of family `{name}`; {known}")
        })
    }

    pub(crate) fn into_names(self) -> Vec<String> {
        self.names
    }
}
