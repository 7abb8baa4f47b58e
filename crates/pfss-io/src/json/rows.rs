//! The array of arrays that holds the times.
//!
//! The JSON library has checked the syntax; reading the numbers again byte by byte keeps them exact (it would
//! turn long integers into reals), gives errors their place and needs no tree of values.

use crate::AnyInstance;
use crate::error::{Problem, ReadError, excerpt};
use crate::scan::{Ends, Scanner, ends};
use crate::times::Times;

static ENDS: Ends = ends(b",[]{}\"");

/// Reads the array that starts at `start` of `text`.
pub(super) fn read(text: &str, start: usize) -> Result<AnyInstance, ReadError> {
    let mut scanner = Scanner::new(text, &ENDS);
    scanner.at = start;
    let mut times = Times::with_room((text.len() - start) / 8, text.len() - start);
    let mut row_length = None;
    let mut row = 0;
    open(&mut scanner)?;
    while !close(&mut scanner) {
        let before = times.len();
        open(&mut scanner)?;
        while !close(&mut scanner) {
            number(&mut scanner, &mut times)?;
        }
        row += 1;
        let found = times.len() - before;
        let expected = *row_length.get_or_insert(found);
        if found != expected {
            return Err(scanner.error(Problem::RowLength { row, found, expected, what: "times" }));
        }
    }
    times.into_job_rows(scanner.text, row_length.unwrap_or(1))
}

/// Reads one row of times, the array that starts at `start` of `text`; returns how many there were.
pub(super) fn read_row(text: &str, start: usize, times: &mut Times) -> Result<usize, ReadError> {
    let mut scanner = Scanner::new(text, &ENDS);
    scanner.at = start;
    let before = times.len();
    open(&mut scanner)?;
    while !close(&mut scanner) {
        number(&mut scanner, times)?;
    }
    Ok(times.len() - before)
}

/// Moves past an opening bracket.
fn open(scanner: &mut Scanner<'_>) -> Result<(), ReadError> {
    scanner.skip_blank_lines();
    if scanner.peek() == Some(b'[') {
        scanner.at += 1;
        return Ok(());
    }
    let found = excerpt(scanner.rest_of_line());
    Err(scanner.error(Problem::NotANumber {
        found,
        expected: "an array of rows: [[1, 2], [3, 4]]",
        hint: "",
    }))
}

/// Moves past a comma, if any, and past a closing bracket; returns whether there was one.
fn close(scanner: &mut Scanner<'_>) -> bool {
    scanner.skip_blank_lines();
    match scanner.peek() {
        Some(b']') | None => {
            scanner.at += 1;
            true
        }
        Some(b',') => {
            scanner.at += 1;
            scanner.skip_blank_lines();
            false
        }
        Some(_) => false,
    }
}

fn number(scanner: &mut Scanner<'_>, times: &mut Times) -> Result<(), ReadError> {
    if let Some(b'"' | b'[' | b'{') = scanner.peek() {
        let found = excerpt(scanner.rest_of_line());
        return Err(scanner.error(Problem::NotANumber { found, expected: "a number", hint: "" }));
    }
    scanner.time(times)
}
