//! Taillard's benchmark files (Taillard 1993): per instance a line of text, a line `n m seed ub lb`, a line
//! of text, and one row of `n` times per machine; several instances per file. The lines of text may be
//! missing; after a line of text, the line `n m` alone is accepted as well.

use std::fmt::Write;

use crate::error::{Problem, ReadError, excerpt};
use crate::matrix::Sizes;
use crate::scan::{BLANKS, Scanner, words};
use crate::times::number;
use crate::{AnyInstance, Entry, Metadata, match_instance, matrix};

const PARAMETERS: &str = "a line `n m seed upper-bound lower-bound`";

/// Reads all instances of a text.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read(text: &str) -> Result<Vec<Entry>, ReadError> {
    let mut scanner = Scanner::new(text, &BLANKS);
    let mut entries = Vec::new();
    loop {
        let titled = skip_text_lines(&mut scanner)?;
        if scanner.peek().is_none() && (!titled || entries.is_empty()) {
            break;
        }
        entries.push(instance(&mut scanner, titled)?);
    }
    match entries.is_empty() {
        true => Err(ReadError::new(Problem::Empty)),
        false => Ok(entries),
    }
}

/// Appends an instance to `out`; unknown seeds and bounds are written as 0. Names are not part of the format.
pub fn write(entry: &Entry, out: &mut String) {
    let metadata = &entry.metadata;
    out.push_str("number of jobs, number of machines, initial seed, upper bound and lower bound :\n");
    let (num_jobs, num_machines) = (entry.instance.num_jobs(), entry.instance.num_machines());
    let _ = write!(out, "{num_jobs:12} {num_machines:11} {:11}", metadata.seed.unwrap_or(0));
    for bound in [metadata.upper_bound, metadata.lower_bound] {
        let _ = write!(out, " {:11}", bound.unwrap_or(0.0));
    }
    out.push_str("\nprocessing times :\n");
    match_instance!(&entry.instance, instance => matrix::write_machine_rows(out, instance));
}

/// Skips blank lines and lines of text; returns whether there was any text.
fn skip_text_lines(scanner: &mut Scanner<'_>) -> Result<bool, ReadError> {
    let mut titled = false;
    loop {
        scanner.skip_blank_lines();
        matrix::refuse_due_dates(scanner)?;
        match scanner.peek() {
            None | Some(b'0'..=b'9' | b'+' | b'-' | b'.') => return Ok(titled),
            Some(_) => {
                titled = true;
                scanner.next_line();
            }
        }
    }
}

fn instance(scanner: &mut Scanner<'_>, titled: bool) -> Result<Entry, ReadError> {
    let (sizes, metadata) = parameters(scanner, titled)?;
    scanner.next_line();
    skip_text_lines(scanner)?;
    let times = matrix::rows(scanner, sizes.num_machines, sizes.num_jobs)?;
    let instance: AnyInstance = times.into_machine_rows(scanner.text, sizes.num_jobs)?;
    Ok(Entry { metadata, ..instance.into() })
}

/// Reads the line `n m seed ub lb` and stays on it.
fn parameters(scanner: &mut Scanner<'_>, titled: bool) -> Result<(Sizes, Metadata), ReadError> {
    let line = scanner.rest_of_line();
    let fields: Vec<&[u8]> = words(line).take(6).collect();
    if titled && fields.len() == 2 {
        return Ok((matrix::sizes(scanner)?, Metadata::default()));
    }
    let error = |found: &[u8]| scanner.error(Problem::Header { found: excerpt(found), expected: PARAMETERS });
    let &[jobs, machines, seed, upper, lower] = fields.as_slice() else {
        return Err(error(line));
    };
    let whole = |field: &[u8]| std::str::from_utf8(field).ok().and_then(|digits| digits.parse::<u64>().ok());
    let count = |field| whole(field).and_then(|value| usize::try_from(value).ok()).ok_or_else(|| error(line));
    let sizes =
        Sizes::new(count(jobs)?, count(machines)?).map_err(|problem| scanner.error(problem.into()))?;
    let seed = whole(seed).ok_or_else(|| error(line))?;
    let bound = |field| number(field).map(known).map_err(|_| error(line));
    let metadata = Metadata {
        upper_bound: bound(upper)?,
        lower_bound: bound(lower)?,
        seed: (seed > 0).then_some(seed),
        ..Metadata::default()
    };
    Ok((sizes, metadata))
}

/// A bound, where 0 stands for "not known".
fn known(bound: f64) -> Option<f64> {
    (bound > 0.0).then_some(bound)
}
