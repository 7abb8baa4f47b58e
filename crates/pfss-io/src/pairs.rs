//! `n m`, then one row of `m` pairs `machine time` per job (Vallada, Ruiz and Framinan 2015), and where there are due dates
//! a block of them (Vallada, Ruiz and Minella 2008).

mod due_dates;

use std::fmt::Write;

use pfss_core::timing::Attributes;
use pfss_core::{Instance, Time};

use crate::error::{Problem, ReadError, excerpt};
use crate::matrix::Sizes;
use crate::scan::Scanner;
use crate::times::Times;
use crate::{AnyInstance, Entry, match_instance, matrix};

/// Reads the one instance of a text.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read(text: &str) -> Result<Vec<Entry>, ReadError> {
    let (mut scanner, sizes) = matrix::open(text)?;
    let instance = body(&mut scanner, sizes)?;
    scanner.skip_blank_lines();
    let attributes = match matrix::is_due_dates(&scanner.text[scanner.at..]) {
        true => due_dates::read(&mut scanner, sizes.num_jobs)?,
        false => Attributes::default(),
    };
    matrix::finish(&mut scanner, sizes.num_jobs)?;
    Ok(vec![Entry { attributes, ..instance.into() }])
}

/// Appends an instance to `out`. Names are not part of the format.
pub fn write(entry: &Entry, out: &mut String) {
    match_instance!(&entry.instance, instance => write_body(instance, out));
}

/// Reads the rows that follow the sizes.
pub(crate) fn body(scanner: &mut Scanner<'_>, sizes: Sizes) -> Result<AnyInstance, ReadError> {
    let Sizes { num_jobs, num_machines } = sizes;
    let room = num_jobs.saturating_mul(num_machines);
    let mut times = Times::with_room(room, (scanner.text.len() - scanner.at) / 2);
    let expected = num_machines.saturating_mul(2);
    for job in 0..num_jobs {
        matrix::start_row(scanner, job, num_jobs)?;
        for place in 0..num_machines {
            next_number(scanner, job, 2 * place, expected)?;
            machine(scanner, job, place, num_machines)?;
            next_number(scanner, job, 2 * place + 1, expected)?;
            scanner.time(&mut times)?;
        }
        matrix::end_row(scanner, job, expected, "numbers")?;
    }
    times.into_job_rows(scanner.text, num_machines)
}

/// Moves to the next number of a row, which must exist.
fn next_number(
    scanner: &mut Scanner<'_>,
    job: usize,
    found: usize,
    expected: usize,
) -> Result<(), ReadError> {
    scanner.skip_blanks();
    match scanner.at_line_end() {
        true => Err(scanner.error(Problem::RowLength { row: job + 1, found, expected, what: "numbers" })),
        false => Ok(()),
    }
}

/// Reads a machine's number. A row lists the machines in the order in which its job visits them, so any
/// other order than 0, 1, 2, ... is another problem and not only another notation.
fn machine(
    scanner: &mut Scanner<'_>,
    job: usize,
    place: usize,
    num_machines: usize,
) -> Result<(), ReadError> {
    let start = scanner.at;
    let token = scanner.token();
    let machine = std::str::from_utf8(token).ok().and_then(|digits| digits.parse::<usize>().ok());
    match machine {
        Some(machine) if machine == place => Ok(()),
        Some(found) if found < num_machines => {
            Err(scanner.error_at(start, Problem::NotAFlowShop { row: job + 1, found, place }))
        }
        _ => {
            let last = num_machines - 1;
            Err(scanner.error_at(start, Problem::MachineIndex { found: excerpt(token), row: job + 1, last }))
        }
    }
}

/// Writes sizes and rows.
pub(crate) fn write_body<T: Time>(instance: &Instance<T>, out: &mut String) {
    matrix::write_sizes(out, instance);
    for job in instance.times().chunks_exact(instance.num_machines()) {
        for (machine, &time) in job.iter().enumerate() {
            let separator = if machine > 0 { "  " } else { "" };
            let _ = write!(out, "{separator}{machine} ");
            matrix::write_time(out, time);
        }
        out.push('\n');
    }
}
