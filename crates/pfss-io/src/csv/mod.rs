//! Comma-separated values: one row per job, one column per machine, optionally with a header row of machine
//! names and a first column of job names. Semicolons and tabs separate as well; between semicolons a number
//! may have a decimal comma.
//!
//! Columns called `release`, `due`, `weight` and `family` (in any case) hold attributes of the jobs; an empty cell
//! there says nothing.

mod cells;
mod columns;
mod layout;
mod number;
mod records;
mod write;

pub(crate) use records::Records;
pub use write::write;

use std::collections::HashMap;

use crate::Entry;
use crate::clock::Clock;
use crate::error::{Position, Problem, ReadError};
use crate::times::Times;
use cells::Cells;
use columns::{Columns, is_attribute};
use layout::Layout;
use number::{job_number, machine_number};

/// How a CSV file is laid out, where it is not the usual way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CsvOptions {
    /// Rows are machines and columns are jobs.
    pub transpose: bool,
}

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
    let mut cells = Cells::new(text).in_units(clock.map(Clock::unit));
    let start = cells.offset();
    let layout = Layout::sniff(&mut cells)?;
    let names = layout.column_names.as_deref().unwrap_or_default();
    let columns = match options.transpose {
        true => None,
        false => Columns::of(names, clock).map_err(|problem| cells.error_at(start, problem))?,
    };
    let table = Table::read(&mut cells, &layout, columns)?;
    Ok(vec![table.entry(layout.column_names, text, start, options)?])
}

struct Table<'c> {
    times: Times,
    num_rows: usize,
    num_columns: usize,
    row_names: Option<RowNames>,
    columns: Option<Columns<'c>>,
}

/// The names of rows, and where they stand.
#[derive(Default)]
struct RowNames {
    names: Vec<String>,
    offsets: Vec<usize>,
}

impl<'c> Table<'c> {
    fn read(
        cells: &mut Cells<'_>,
        layout: &Layout,
        mut columns: Option<Columns<'c>>,
    ) -> Result<Self, ReadError> {
        let mut times = Times::with_room(cells.remaining() / 8, cells.remaining());
        let mut row_names = layout.has_row_names.then(RowNames::default);
        let mut num_columns = layout.column_names.as_ref().map(Vec::len);
        let mut num_rows = 0;
        let mut num_times = 0;
        while cells.next_row() {
            if let Some(rows) = &mut row_names {
                rows.offsets.push(cells.place());
                rows.names.push(cells.name()?);
            }
            // A row that holds only its name, and a single column of times, both end here.
            let more = row_names.is_none() || cells.separator()?;
            let before = times.len();
            let found = if more { row(cells, &mut times, columns.as_mut())? } else { 0 };
            num_rows += 1;
            num_times = times.len() - before;
            let expected = *num_columns.get_or_insert(found);
            if found != expected || num_times == 0 {
                let what = if columns.is_some() { "cells" } else { "times" };
                let problem = Problem::RowLength { row: num_rows, found, expected: expected.max(1), what };
                return Err(cells.error(problem));
            }
        }
        if num_rows == 0 || num_columns.is_none() {
            return Err(ReadError::new(Problem::Empty));
        }
        Ok(Self { times, num_rows, num_columns: num_times, row_names, columns })
    }

    fn entry(
        self,
        column_names: Option<Vec<String>>,
        text: &str,
        header: usize,
        options: CsvOptions,
    ) -> Result<Entry, ReadError> {
        let bytes = text.as_bytes();
        let column_names = match (&self.columns, column_names) {
            (Some(columns), Some(names)) => Some(columns.machine_names(names)),
            (_, names) => names,
        };
        let rows = self.row_names.unwrap_or_default();
        if options.transpose {
            refuse_attribute_rows(bytes, &rows)?;
            refuse_same_names(bytes, column_names.as_deref().unwrap_or_default(), |_| header)?;
        } else {
            refuse_same_names(bytes, &rows.names, |row| rows.offsets[row])?;
        }
        let row_names = Some(rows.names).filter(|names| !names.is_empty());
        let (instance, jobs, machines) = if options.transpose {
            (self.times.into_machine_rows(bytes, self.num_columns)?, column_names, row_names)
        } else {
            (self.times.into_job_rows(bytes, self.num_columns)?, row_names, column_names)
        };
        debug_assert_eq!(instance.num_jobs() * instance.num_machines(), self.num_rows * self.num_columns);
        let mut instance = instance;
        if let Some(names) = jobs.filter(|names| !is_numbered(names, job_number)) {
            instance = instance.with_job_names(names).map_err(ReadError::new)?;
        }
        if let Some(names) = machines.filter(|names| !is_numbered(names, machine_number)) {
            instance = instance.with_machine_names(names).map_err(ReadError::new)?;
        }
        let attributes = self.columns.map(Columns::attributes).unwrap_or_default();
        Ok(Entry { attributes, ..instance.into() })
    }
}

/// Reads the cells of a row, and counts them.
fn row(
    cells: &mut Cells<'_>,
    times: &mut Times,
    mut columns: Option<&mut Columns<'_>>,
) -> Result<usize, ReadError> {
    if let Some(columns) = &mut columns {
        columns.next_job();
    }
    let mut found = 0;
    loop {
        let is_attribute = match &mut columns {
            Some(columns) if found < columns.len() => columns.read(found, cells)?,
            _ => false,
        };
        if !is_attribute {
            cells.time(times)?;
        }
        found += 1;
        if !cells.separator()? {
            return Ok(found);
        }
    }
}

/// Attributes stand in columns; a row of them would be taken for a machine.
fn refuse_attribute_rows(text: &[u8], rows: &RowNames) -> Result<(), ReadError> {
    match rows.names.iter().position(|name| is_attribute(name)) {
        Some(row) => {
            let message = format!(
                "the row `{}` holds attributes of jobs, which a transposed file cannot; write jobs as rows",
                rows.names[row]
            );
            Err(ReadError::at(text, rows.offsets[row], Problem::Attribute { message }))
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
