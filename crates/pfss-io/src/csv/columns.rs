//! What the columns of a table hold, and what was read of them so far.

use pfss_core::timing::{Attributes, JobAttributes};

use super::cells::Cells;
use super::role::{ColumnSetting, Role, squeezed};
use crate::attributes::{Families, due, release, tidy, weight};
use crate::clock::Clock;
use crate::error::{Problem, ReadError};
use crate::times::Times;

/// The roles of the columns under these headings (empty ones where there is no header): those that the caller says, the
/// first column where it names the jobs, and all others by their headings.
pub(super) fn roles(
    headings: &[String],
    names_jobs: bool,
    settings: &[ColumnSetting],
) -> Result<Vec<Role>, Problem> {
    let said = said(headings, settings)?;
    let role = |(column, heading): (usize, &String)| match said[column] {
        Some(role) => Ok(role),
        None if column == 0 && names_jobs => Ok(Role::Job),
        None => by_heading(heading),
    };
    let roles: Vec<Role> = headings.iter().enumerate().map(role).collect::<Result<_, _>>()?;
    for (column, role) in roles.iter().enumerate() {
        let is_alone = matches!(role, Role::Machine | Role::Ignore);
        let other = roles[..column].iter().position(|other| other == role).filter(|_| !is_alone);
        if let Some(other) = other {
            let (first, second) = (shown(headings, other), shown(headings, column));
            return Err(wrong(format!(
                "the columns {first} and {second} both hold {}; keep one, or say what the other holds, such as {}",
                meaning(*role),
                hint(headings, column, Role::Ignore)
            )));
        }
    }
    Ok(roles)
}

/// For each column what the caller says, where it says anything.
fn said(headings: &[String], settings: &[ColumnSetting]) -> Result<Vec<Option<Role>>, Problem> {
    let mut said = vec![None; headings.len()];
    for setting in settings {
        let column = place(headings, &setting.column)?;
        if said[column].replace(setting.role).is_some() {
            return Err(wrong(format!("--column says twice what {} holds", shown(headings, column))));
        }
    }
    Ok(said)
}

/// The place of a column that the caller means by its heading or else by its number.
fn place(headings: &[String], column: &str) -> Result<usize, Problem> {
    let places = |is_same: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..headings.len()).filter(|&place| is_same(headings[place].trim())).collect()
    };
    let mut found = places(&|heading| heading == column);
    if found.is_empty() && !squeezed(column).is_empty() {
        found = places(&|heading| squeezed(heading) == squeezed(column));
    }
    let number = column.parse::<usize>().ok().filter(|number| (1..=headings.len()).contains(number));
    match (found.as_slice(), number) {
        ([place], _) => Ok(*place),
        ([], Some(number)) => Ok(number - 1),
        ([], None) => Err(wrong(format!("--column: there is no column `{column}`; {}", known(headings)))),
        (several, _) => Err(wrong(format!(
            "--column: {} columns are called `{column}`; say which by its number, from 1",
            several.len()
        ))),
    }
}

/// What columns there are.
fn known(headings: &[String]) -> String {
    let count = headings.len();
    match headings.iter().all(String::is_empty) {
        true => format!("there is no header, so columns are numbered 1 to {count}"),
        false => {
            let names: Vec<String> = headings.iter().map(|heading| format!("`{}`", heading.trim())).collect();
            format!("there are {}, also numbered 1 to {count}", names.join(", "))
        }
    }
}

fn by_heading(heading: &str) -> Result<Role, Problem> {
    match (Role::of(heading), Role::hinted_at(heading)) {
        (Role::Machine, Some(role)) => Err(wrong(format!(
            "the heading `{heading}` may be that of {} or of a machine; say which: --column \"{heading}={role}\", --column \"{heading}=machine\", or --column \"{heading}=ignore\"",
            meaning(role)
        ))),
        (role, _) => Ok(role),
    }
}

/// Why a machine of this name would be read as something else, where it would.
pub(super) fn misread(machine: &str) -> Option<Role> {
    let role = Role::of(machine);
    if role == Role::Machine { Role::hinted_at(machine) } else { Some(role) }
}

/// What a column of this role holds, in words.
pub(super) fn meaning(role: Role) -> &'static str {
    match role {
        Role::Job => "the names of the jobs",
        Role::Machine => "times",
        Role::Release => "release dates",
        Role::Due => "due dates",
        Role::Weight => "weights",
        Role::Family => "families",
        Role::Ignore => "nothing",
    }
}

/// A column in a message: its heading, or its number where it has none.
fn shown(headings: &[String], column: usize) -> String {
    match headings[column].trim() {
        "" => format!("{}", column + 1),
        heading => format!("`{heading}`"),
    }
}

fn hint(headings: &[String], column: usize, role: Role) -> String {
    match headings[column].trim() {
        "" => format!("--column {}={role}", column + 1),
        heading => format!("--column \"{heading}={role}\""),
    }
}

fn wrong(message: String) -> Problem {
    Problem::Attribute { message }
}

/// The columns of a table that is being read.
pub(super) struct Columns<'c> {
    roles: Vec<Role>,
    clock: Option<&'c Clock>,
    /// The jobs' names, and where they stand.
    pub(super) names: Vec<String>,
    pub(super) offsets: Vec<usize>,
    jobs: Vec<JobAttributes>,
    families: Families,
}

impl<'c> Columns<'c> {
    pub(super) fn new(roles: Vec<Role>, clock: Option<&'c Clock>) -> Self {
        let (names, offsets) = (Vec::new(), Vec::new());
        Self { roles, clock, names, offsets, jobs: Vec::new(), families: Families::default() }
    }

    /// Whether there are only names and times.
    pub(super) fn are_plain(&self) -> bool {
        self.roles.iter().all(|role| matches!(role, Role::Job | Role::Machine))
    }

    /// Reads a row; returns how many cells it has beside the job's name.
    pub(super) fn row(&mut self, cells: &mut Cells<'_>, times: &mut Times) -> Result<usize, ReadError> {
        if !self.are_plain() {
            self.jobs.push(JobAttributes::default());
        }
        let (mut column, mut names) = (0, 0);
        loop {
            match self.roles.get(column).copied().unwrap_or(Role::Machine) {
                Role::Machine => cells.time(times)?,
                Role::Job => {
                    self.offsets.push(cells.place());
                    self.names.push(cells.name()?);
                    names += 1;
                }
                Role::Ignore => drop(cells.cell()?),
                role => self.attribute(role, cells)?,
            }
            column += 1;
            if !cells.separator()? {
                return Ok(column - names);
            }
        }
    }

    /// Reads a cell that holds an attribute of the job.
    fn attribute(&mut self, role: Role, cells: &mut Cells<'_>) -> Result<(), ReadError> {
        let Some(job) = self.jobs.last_mut() else { return Ok(()) };
        let place = cells.place();
        let text = if role == Role::Family { cells.name()? } else { cells.number_text()?.trim().to_string() };
        let text = text.as_str();
        if text.is_empty() {
            return Ok(());
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
        read.map_err(|problem| cells.error_at(place, problem))
    }

    /// The headings of the columns that hold times.
    pub(super) fn machine_names(&self, headings: Vec<String>) -> Vec<String> {
        let machines = headings.into_iter().zip(&self.roles).filter(|(_, role)| **role == Role::Machine);
        machines.map(|(heading, _)| heading).collect()
    }

    /// The attributes that were read.
    pub(super) fn attributes(self) -> Attributes {
        tidy(Attributes { jobs: self.jobs, families: self.families.into_names(), ..Attributes::default() })
    }
}
