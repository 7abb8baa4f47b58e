//! The block `Reldue`: one row `release due deadline weight` per job, -1 for none.

use pfss_core::timing::{Attributes, JobAttributes};

use crate::attributes::tidy;
use crate::error::{Problem, ReadError, excerpt};
use crate::matrix;
use crate::scan::Scanner;

/// How many numbers a row has.
const COLUMNS: usize = 4;

/// Reads the block, whose title stands here.
pub(super) fn read(scanner: &mut Scanner<'_>, num_jobs: usize) -> Result<Attributes, ReadError> {
    scanner.next_line();
    let mut jobs = Vec::with_capacity(num_jobs.min(scanner.text.len()));
    for job in 0..num_jobs {
        matrix::start_row(scanner, job, num_jobs)?;
        let mut row = [None; COLUMNS];
        for (column, value) in row.iter_mut().enumerate() {
            scanner.skip_blanks();
            if scanner.at_line_end() {
                let problem =
                    Problem::RowLength { row: job + 1, found: column, expected: COLUMNS, what: "numbers" };
                return Err(scanner.error(problem));
            }
            let start = scanner.at;
            *value = number(scanner)?;
            if column == 2 && value.is_some() {
                let found = excerpt(&scanner.text[start..scanner.at]);
                let expected = "-1: deadlines are not supported";
                return Err(scanner.error_at(start, Problem::Header { found, expected }));
            }
        }
        matrix::end_row(scanner, job, COLUMNS, "numbers")?;
        let [release, due, _, weight] = row;
        jobs.push(JobAttributes {
            release: release.unwrap_or(0.0),
            due,
            weight: weight.unwrap_or(1.0),
            family: None,
        });
    }
    Ok(tidy(Attributes { jobs, ..Attributes::default() }))
}

/// A number that is not negative, or -1 for none.
fn number(scanner: &mut Scanner<'_>) -> Result<Option<f64>, ReadError> {
    let start = scanner.at;
    let token = scanner.token();
    match std::str::from_utf8(token).ok().and_then(|text| text.parse::<f64>().ok()) {
        Some(-1.0) => Ok(None),
        Some(value) if value.is_finite() && value >= 0.0 => Ok(Some(value)),
        _ => {
            let (found, expected) = (excerpt(token), "a number, or -1 for none");
            Err(scanner.error_at(start, Problem::Header { found, expected }))
        }
    }
}
