//! Columns that hold attributes of jobs instead of times.

use pfss_core::timing::{Attributes, JobAttributes};

use super::cells::Cells;
use crate::attributes::{Families, due, release, tidy, weight};
use crate::clock::Clock;
use crate::error::{Problem, ReadError};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Time,
    Release,
    Due,
    Weight,
    Family,
}

impl Role {
    fn of(name: &str) -> Self {
        match name.trim().to_lowercase().as_str() {
            "release" => Self::Release,
            "due" => Self::Due,
            "weight" => Self::Weight,
            "family" => Self::Family,
            _ => Self::Time,
        }
    }
}

/// Whether a column, or a row of a transposed file, is called like an attribute.
pub(super) fn is_attribute(name: &str) -> bool {
    Role::of(name) != Role::Time
}

/// What the columns of a table hold, and the attributes read so far.
pub(super) struct Columns<'c> {
    roles: Vec<Role>,
    clock: Option<&'c Clock>,
    jobs: Vec<JobAttributes>,
    families: Families,
}

impl<'c> Columns<'c> {
    /// The columns of these names, or `None` where all of them hold times. An attribute that stands twice is named.
    pub(super) fn of(names: &[String], clock: Option<&'c Clock>) -> Result<Option<Self>, Problem> {
        let roles: Vec<Role> = names.iter().map(|name| Role::of(name)).collect();
        for (index, role) in roles.iter().enumerate() {
            if *role != Role::Time && roles[..index].contains(role) {
                let message = format!("there are two columns `{}`; keep one", names[index]);
                return Err(Problem::Attribute { message });
            }
        }
        let is_plain = roles.iter().all(|role| *role == Role::Time);
        Ok((!is_plain).then(|| Self { roles, clock, jobs: Vec::new(), families: Families::default() }))
    }

    /// How many columns there are.
    pub(super) fn len(&self) -> usize {
        self.roles.len()
    }

    /// Begins the row of the next job.
    pub(super) fn next_job(&mut self) {
        self.jobs.push(JobAttributes::default());
    }

    /// Reads a cell of this column, where it holds an attribute; returns whether it does.
    pub(super) fn read(&mut self, column: usize, cells: &mut Cells<'_>) -> Result<bool, ReadError> {
        let Some(job) = self.jobs.last_mut() else { return Ok(false) };
        let role = self.roles.get(column).copied().unwrap_or(Role::Time);
        if role == Role::Time {
            return Ok(false);
        }
        let place = cells.place();
        let text = if role == Role::Family { cells.name()? } else { cells.number_text()?.trim().to_string() };
        let text = text.as_str();
        if text.is_empty() {
            return Ok(true);
        }
        let read = match role {
            Role::Release => release(text, self.clock).map(|value| job.release = value),
            Role::Due => due(text, self.clock).map(|value| job.due = Some(value)),
            Role::Weight => weight(text).map(|value| job.weight = value),
            _ => {
                job.family = Some(self.families.number(text));
                Ok(())
            }
        };
        read.map(|()| true).map_err(|problem| cells.error_at(place, problem))
    }

    /// The names of the columns that hold times.
    pub(super) fn machine_names(&self, names: Vec<String>) -> Vec<String> {
        names
            .into_iter()
            .zip(&self.roles)
            .filter(|(_, role)| **role == Role::Time)
            .map(|(name, _)| name)
            .collect()
    }

    /// The attributes that were read.
    pub(super) fn attributes(self) -> Attributes {
        tidy(Attributes { jobs: self.jobs, families: self.families.into_names(), ..Attributes::default() })
    }
}
