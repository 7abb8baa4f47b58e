//! Comma-separated values: one row per job, one column per machine, optionally with a header row of machine
//! names and a first column of job names. Semicolons and tabs separate as well; between semicolons a number
//! may have a decimal comma.
//!
//! Columns called `release`, `due`, `weight` and `family`, or by another word for these, hold attributes of the jobs; an
//! empty cell there says nothing. The caller may say what a column holds.

mod cells;
mod columns;
mod layout;
mod number;
mod options;
mod records;
mod role;
mod write;

pub use options::CsvOptions;
pub(crate) use records::Records;
pub use role::{ColumnError, ColumnSetting, Role};
pub use write::{check_names, write};

use std::collections::{HashMap, HashSet};

use pfss_core::Time;

use crate::clock::Clock;
use crate::error::{Position, Problem, ReadError};
use crate::times::Times;
use crate::{AnyInstance, Entry, Note, match_instance};
use cells::Cells;
use columns::Columns;
use layout::{Layout, is_word};
use number::{job_number, machine_number};
use role::squeezed;

/// Reads the one instance of a text with job rows.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read(text: &str) -> Result<Vec<Entry>, ReadError> {
    read_with(text, CsvOptions::default(), None)
}

/// Reads the one instance of a text; with a clock, releases and due dates may be dates and times of day.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read_with(text: &str, options: CsvOptions, clock: Option<&Clock>) -> Result<Vec<Entry>, ReadError> {
    if options.transpose && !options.columns.is_empty() {
        let reason = "the columns of a transposed file are jobs".to_string();
        return Err(ReadError::new(Problem::UnusedOption { option: "--column", reason }));
    }
    let mut cells = Cells::new(text).in_units(clock.map(Clock::unit));
    let start = cells.offset();
    let layout = Layout::sniff(&mut cells, &options)?;
    let table = Table::read(&mut cells, &layout, clock)?;
    let first = may_number_jobs(&layout, &options).map(str::to_string);
    let mut entry = table.entry(layout.headings, text, start, options.transpose)?;
    if let Some(heading) = first.filter(|_| numbers_rows(&entry.instance)) {
        entry.reading.notes.push(Note::NumbersAsTimes { heading });
    }
    Ok(vec![entry])
}

/// The heading of a first column of times, where it may as well stand above the numbers of the jobs.
fn may_number_jobs<'l>(layout: &'l Layout, options: &CsvOptions) -> Option<&'l str> {
    let heading = layout.headings.as_ref()?.first()?;
    let is_said =
        |setting: &ColumnSetting| setting.column == "1" || squeezed(&setting.column) == squeezed(heading);
    let may_be = !options.transpose
        && layout.roles.first() == Some(&Role::Machine)
        && is_word(heading)
        && !options.columns.iter().any(is_said);
    may_be.then_some(heading)
}

/// Whether the times on the first machine are whole numbers, each another.
fn numbers_rows(instance: &AnyInstance) -> bool {
    let mut seen = HashSet::new();
    match_instance!(instance, instance => instance.times().iter().step_by(instance.num_machines()).all(|time| {
        let time = time.to_f64();
        time.fract() == 0.0 && seen.insert(time.to_bits())
    })) && seen.len() > 1
}

struct Table<'c> {
    times: Times,
    num_rows: usize,
    /// How many of them hold times.
    num_columns: usize,
    columns: Columns<'c>,
}

impl<'c> Table<'c> {
    fn read(cells: &mut Cells<'_>, layout: &Layout, clock: Option<&'c Clock>) -> Result<Self, ReadError> {
        let mut times = Times::with_room(cells.remaining() / 8, cells.remaining());
        let mut columns = Columns::new(layout.roles.clone(), clock);
        let names = layout.roles.iter().filter(|role| **role == Role::Job).count();
        let mut expected = layout.headings.as_ref().map(|headings| headings.len() - names);
        let (mut num_rows, mut num_times) = (0, 0);
        while cells.next_row() {
            let before = times.len();
            let found = columns.row(cells, &mut times)?;
            num_rows += 1;
            num_times = times.len() - before;
            let expected = *expected.get_or_insert(found);
            if found != expected || num_times == 0 {
                let what = if columns.are_plain() { "times" } else { "cells" };
                let problem = Problem::RowLength { row: num_rows, found, expected: expected.max(1), what };
                return Err(cells.error(problem));
            }
        }
        if num_rows == 0 {
            return Err(ReadError::new(Problem::Empty));
        }
        Ok(Self { times, num_rows, num_columns: num_times, columns })
    }

    fn entry(
        self,
        headings: Option<Vec<String>>,
        text: &str,
        header: usize,
        transpose: bool,
    ) -> Result<Entry, ReadError> {
        let bytes = text.as_bytes();
        let Self { times, num_rows, num_columns, mut columns } = self;
        let (names, offsets) = (std::mem::take(&mut columns.names), std::mem::take(&mut columns.offsets));
        let above = headings.map(|headings| columns.machine_names(headings));
        if transpose {
            refuse_attribute_rows(bytes, &names, &offsets)?;
            refuse_same_names(bytes, above.as_deref().unwrap_or_default(), |_| header)?;
        } else {
            refuse_same_names(bytes, &names, |row| offsets[row])?;
        }
        let names = Some(names).filter(|names| !names.is_empty());
        let (mut instance, jobs, machines) = if transpose {
            (times.into_machine_rows(bytes, num_columns)?, above, names)
        } else {
            (times.into_job_rows(bytes, num_columns)?, names, above)
        };
        debug_assert_eq!(instance.num_jobs() * instance.num_machines(), num_rows * num_columns);
        if let Some(names) = jobs.filter(|names| !is_numbered(names, job_number)) {
            instance = instance.with_job_names(names).map_err(ReadError::new)?;
        }
        if let Some(names) = machines.filter(|names| !is_numbered(names, machine_number)) {
            instance = instance.with_machine_names(names).map_err(ReadError::new)?;
        }
        Ok(Entry { attributes: columns.attributes(), ..instance.into() })
    }
}

/// Attributes stand in columns; a row of them would be taken for a machine.
fn refuse_attribute_rows(text: &[u8], names: &[String], offsets: &[usize]) -> Result<(), ReadError> {
    match names.iter().position(|name| Role::of(name).is_attribute()) {
        Some(row) => {
            let message = format!(
                "the row `{}` holds attributes of jobs, which a transposed file cannot; write jobs as rows",
                names[row]
            );
            Err(ReadError::at(text, offsets[row], Problem::Attribute { message }))
        }
        None => Ok(()),
    }
}

/// Two jobs of one name could not be told apart.
fn refuse_same_names(
    text: &[u8],
    names: &[String],
    offset: impl Fn(usize) -> usize,
) -> Result<(), ReadError> {
    let mut seen = HashMap::with_capacity(names.len());
    for (job, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        if let Some(first) = seen.insert(name.as_str(), job) {
            let line = |job| Position::of(text, offset(job)).line;
            let (first, second) = (line(first), line(job));
            return Err(ReadError::at(
                text,
                offset(job),
                Problem::SameName { name: name.clone(), first, second },
            ));
        }
    }
    Ok(())
}

/// Whether the names are the labels that jobs or machines have anyway.
fn is_numbered(names: &[String], number: fn(usize) -> String) -> bool {
    names.iter().enumerate().all(|(index, name)| *name == number(index))
}
