//! A choice among the instances of a set.

use super::SetError;
use crate::matches_pattern;

/// Which instances of a set take part; an empty list means all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Sizes: number of jobs and of machines.
    pub groups: Vec<(usize, usize)>,
    /// Names, or patterns with `*` and `?`.
    pub instances: Vec<String>,
}

impl Selection {
    /// A selection from texts such as `50x20` and `*_1`.
    ///
    /// # Errors
    /// [`SetError::Group`] when a size is not of the form `50x20`.
    pub fn parse<S: AsRef<str>>(groups: &[S], instances: &[S]) -> Result<Self, SetError> {
        let group = |text: &S| {
            let text = text.as_ref();
            let size = text.split_once(['x', 'X']).and_then(|(jobs, machines)| {
                Some((jobs.trim().parse().ok()?, machines.trim().parse().ok()?))
            });
            size.ok_or_else(|| SetError::Group(text.to_string()))
        };
        Ok(Self {
            groups: groups.iter().map(group).collect::<Result<_, _>>()?,
            instances: instances.iter().map(|text| text.as_ref().to_string()).collect(),
        })
    }

    /// Whether an instance takes part.
    pub fn selects(&self, name: &str, num_jobs: usize, num_machines: usize) -> bool {
        (self.groups.is_empty() || self.groups.contains(&(num_jobs, num_machines)))
            && (self.instances.is_empty() || self.instances.iter().any(|p| matches_pattern(p, name)))
    }
}
