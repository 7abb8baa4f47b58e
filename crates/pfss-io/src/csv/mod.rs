//! Comma-separated values: one row per job, one column per machine, optionally with a header row of machine
//! names and a first column of job names. Semicolons and tabs separate as well.

mod cells;
mod layout;
mod number;
mod write;

pub use write::write;

use crate::Entry;
use crate::error::{Problem, ReadError};
use crate::times::Times;
use cells::Cells;
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
    read_with(text, CsvOptions::default())
}

/// Reads the one instance of a text.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read_with(text: &str, options: CsvOptions) -> Result<Vec<Entry>, ReadError> {
    let mut cells = Cells::new(text);
    let layout = Layout::sniff(&mut cells)?;
    let table = Table::read(&mut cells, &layout)?;
    Ok(vec![table.entry(layout.column_names, text.as_bytes(), options)?])
}

struct Table {
    times: Times,
    num_rows: usize,
    num_columns: usize,
    row_names: Option<Vec<String>>,
}

impl Table {
    fn read(cells: &mut Cells<'_>, layout: &Layout) -> Result<Self, ReadError> {
        let mut times = Times::with_room(cells.remaining() / 8, cells.remaining());
        let mut row_names = layout.has_row_names.then(Vec::new);
        let mut num_columns = layout.column_names.as_ref().map(Vec::len);
        let mut num_rows = 0;
        while cells.next_row() {
            let before = times.len();
            if let Some(names) = &mut row_names {
                names.push(cells.name()?);
            }
            // A row that holds only its name, and a single column of times, both end here.
            let mut more = row_names.is_none() || cells.separator()?;
            while more {
                cells.time(&mut times)?;
                more = cells.separator()?;
            }
            num_rows += 1;
            let found = times.len() - before;
            let expected = *num_columns.get_or_insert(found);
            if found != expected || found == 0 {
                let problem =
                    Problem::RowLength { row: num_rows, found, expected: expected.max(1), what: "times" };
                return Err(cells.error(problem));
            }
        }
        match num_columns {
            Some(num_columns) if num_rows > 0 => Ok(Self { times, num_rows, num_columns, row_names }),
            _ => Err(ReadError::new(Problem::Empty)),
        }
    }

    fn entry(
        self,
        column_names: Option<Vec<String>>,
        text: &[u8],
        options: CsvOptions,
    ) -> Result<Entry, ReadError> {
        let (instance, jobs, machines) = if options.transpose {
            (self.times.into_machine_rows(text, self.num_columns)?, column_names, self.row_names)
        } else {
            (self.times.into_job_rows(text, self.num_columns)?, self.row_names, column_names)
        };
        debug_assert_eq!(instance.num_jobs() * instance.num_machines(), self.num_rows * self.num_columns);
        let mut instance = instance;
        if let Some(names) = jobs.filter(|names| !is_numbered(names, job_number)) {
            instance = instance.with_job_names(names).map_err(ReadError::new)?;
        }
        if let Some(names) = machines.filter(|names| !is_numbered(names, machine_number)) {
            instance = instance.with_machine_names(names).map_err(ReadError::new)?;
        }
        Ok(instance.into())
    }
}

/// Whether the names are the labels that jobs or machines have anyway.
fn is_numbered(names: &[String], number: fn(usize) -> String) -> bool {
    names.iter().enumerate().all(|(index, name)| *name == number(index))
}
