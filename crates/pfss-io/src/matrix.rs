//! The `n m` line and the rows of numbers that the plain formats share.

use std::fmt::Write;

use pfss_core::{Instance, InstanceError, Time};

use crate::error::{Problem, ReadError, excerpt};
use crate::scan::{BLANKS, Scanner, words};
use crate::times::Times;

const SIZES: &str = "a line `n m`: the number of jobs and the number of machines";

/// The sizes of an instance, as the `n m` line gives them.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) num_jobs: usize,
    pub(crate) num_machines: usize,
}

impl Sizes {
    /// Sizes that are not zero.
    pub(crate) fn new(num_jobs: usize, num_machines: usize) -> Result<Self, InstanceError> {
        match (num_jobs, num_machines) {
            (0, _) => Err(InstanceError::NoJobs),
            (_, 0) => Err(InstanceError::NoMachines),
            _ => Ok(Self { num_jobs, num_machines }),
        }
    }
}

/// Starts to read a plain file: the line `n m`.
pub(crate) fn open(text: &str) -> Result<(Scanner<'_>, Sizes), ReadError> {
    let mut scanner = Scanner::new(text, &BLANKS);
    scanner.skip_blank_lines();
    if scanner.peek().is_none() {
        return Err(ReadError::new(Problem::Empty));
    }
    let sizes = sizes(&mut scanner)?;
    Ok((scanner, sizes))
}

/// Reads the line `n m`.
pub(crate) fn sizes(scanner: &mut Scanner<'_>) -> Result<Sizes, ReadError> {
    let start = scanner.at;
    let line = scanner.rest_of_line();
    if words(line).count() != 2 {
        return Err(scanner.error(Problem::Header { found: excerpt(line), expected: SIZES }));
    }
    let num_jobs = scanner.count(SIZES)?;
    scanner.skip_blanks();
    let num_machines = scanner.count(SIZES)?;
    Sizes::new(num_jobs, num_machines).map_err(|error| scanner.error_at(start, error.into()))
}

/// Reads `rows` lines of `columns` times each.
pub(crate) fn rows(scanner: &mut Scanner<'_>, rows: usize, columns: usize) -> Result<Times, ReadError> {
    let mut times = Times::with_room(rows.saturating_mul(columns), scanner.text.len() - scanner.at);
    for row in 0..rows {
        start_row(scanner, row, rows)?;
        for column in 0..columns {
            scanner.skip_blanks();
            if scanner.at_line_end() {
                let problem =
                    Problem::RowLength { row: row + 1, found: column, expected: columns, what: "times" };
                return Err(scanner.error(problem));
            }
            scanner.time(&mut times)?;
        }
        end_row(scanner, row, columns, "times")?;
    }
    Ok(times)
}

/// Moves to the next row, which must exist.
pub(crate) fn start_row(scanner: &mut Scanner<'_>, row: usize, rows: usize) -> Result<(), ReadError> {
    scanner.skip_blank_lines();
    refuse_due_dates(scanner)?;
    match scanner.peek() {
        None => Err(scanner.error(Problem::MissingRows { found: row, expected: rows })),
        Some(_) => Ok(()),
    }
}

/// Checks that a row of `expected` entries ends here.
pub(crate) fn end_row(
    scanner: &mut Scanner<'_>,
    row: usize,
    expected: usize,
    what: &'static str,
) -> Result<(), ReadError> {
    scanner.skip_blanks();
    if scanner.at_line_end() {
        return Ok(());
    }
    let found = expected + words(scanner.rest_of_line()).count();
    Err(scanner.error(Problem::RowLength { row: row + 1, found, expected, what }))
}

/// Checks that nothing follows the last row.
pub(crate) fn finish(scanner: &mut Scanner<'_>, rows: usize) -> Result<(), ReadError> {
    scanner.skip_blank_lines();
    refuse_due_dates(scanner)?;
    match scanner.peek() {
        None => Ok(()),
        Some(_) => Err(scanner.error(Problem::Surplus { found: excerpt(scanner.rest_of_line()), rows })),
    }
}

/// Release and due dates (Vallada, Ruiz and Minella 2008) follow the times under the word `Reldue`.
/// Reading past them would solve another problem than the file states.
pub(crate) fn refuse_due_dates(scanner: &Scanner<'_>) -> Result<(), ReadError> {
    match is_due_dates(&scanner.text[scanner.at..]) {
        true => Err(scanner.error(Problem::DueDates)),
        false => Ok(()),
    }
}

/// Whether a block of due dates starts here.
pub(crate) fn is_due_dates(text: &[u8]) -> bool {
    text.get(..6).is_some_and(|word| word.eq_ignore_ascii_case(b"reldue"))
}

/// Writes a time such that it is read back as the same value of the same kind.
pub(crate) fn write_time<T: Time>(out: &mut String, time: T) {
    // Debug keeps the point of whole reals (`3.0`); writing to a string cannot fail.
    let _ = write!(out, "{time:?}");
}

/// Writes `values` as one line with single blanks.
pub(crate) fn write_row<T: Time>(out: &mut String, values: impl Iterator<Item = T>) {
    for (index, value) in values.enumerate() {
        if index > 0 {
            out.push(' ');
        }
        write_time(out, value);
    }
    out.push('\n');
}

/// Writes the line `n m`.
pub(crate) fn write_sizes<T: Time>(out: &mut String, instance: &Instance<T>) {
    let _ = writeln!(out, "{} {}", instance.num_jobs(), instance.num_machines());
}

/// Writes one row per machine.
pub(crate) fn write_machine_rows<T: Time>(out: &mut String, instance: &Instance<T>) {
    for machine in 0..instance.num_machines() {
        let jobs = instance.times().chunks_exact(instance.num_machines());
        write_row(out, jobs.map(|job| job[machine]));
    }
}
