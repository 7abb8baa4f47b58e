//! Whether a CSV text has a header row and a column of names.
//!
//! The first row is a header when one of its cells after the first is no number, when its first cell is one
//! of a few words for jobs and numbers, or when its first cell is empty and the others count the columns. The first column holds
//! names when the header says so by its first cell, when the header has one cell less than the next row, or
//! when the first cell below the header is no number.

use std::borrow::Cow;

use super::cells::Cells;
use super::columns::roles;
use super::options::CsvOptions;
use super::role::{Role, is_corner, squeezed};
use crate::clock::duration_seconds;
use crate::error::{Problem, ReadError};
use crate::times::is_decimal_comma;

/// What the columns are.
pub(super) struct Layout {
    /// What stands above the columns, where there is a header.
    pub(super) headings: Option<Vec<String>>,
    /// What the columns hold.
    pub(super) roles: Vec<Role>,
}

impl Layout {
    /// Looks at the first two rows and leaves the cells at the first row of times.
    pub(super) fn sniff(cells: &mut Cells<'_>, options: &CsvOptions) -> Result<Self, ReadError> {
        let start = cells.offset();
        let Some(first) = row(cells)? else {
            return Err(ReadError::new(Problem::Empty));
        };
        let below = cells.offset();
        let second = row(cells)?;
        let is_named = |cell: &Cow<'_, str>| {
            let is_same = |column: &str| !is_number(cell) && squeezed(column) == squeezed(cell);
            options.columns.iter().any(|setting| is_same(&setting.column))
        };
        let is_header = is_header(&first, second.as_deref()) || first.iter().any(is_named);
        if !is_header && is_word(&first[0]) && first.len() > 2 && counts(&first[1..]) {
            return Err(cells.error_at(start, Problem::HeaderOrTimes));
        }
        cells.back_to(if is_header { below } else { start });
        let (headings, names_jobs) = match is_header {
            true => headings(first, second.as_deref()),
            false => {
                let names_jobs = first.len() > 1 && !first[0].is_empty() && !is_number(&first[0]);
                (vec![String::new(); first.len()], names_jobs)
            }
        };
        let roles = match options.transpose {
            true => transposed(headings.len(), names_jobs),
            false => roles(&headings, names_jobs, &options.columns)
                .map_err(|problem| cells.error_at(start, problem))?,
        };
        Ok(Self { headings: is_header.then_some(headings), roles })
    }
}

/// The columns of a transposed file are jobs; the first one may name the machines.
fn transposed(count: usize, has_names: bool) -> Vec<Role> {
    (0..count).map(|column| if column == 0 && has_names { Role::Job } else { Role::Machine }).collect()
}

/// Whether the first row is a header.
fn is_header(first: &[Cow<'_, str>], second: Option<&[Cow<'_, str>]>) -> bool {
    if first.len() == 1 {
        return !is_number(&first[0]) && second.is_none_or(|row| row.len() <= 2);
    }
    let rest_is_text = first[1..].iter().any(|cell| !cell.is_empty() && !is_number(cell));
    rest_is_text || is_corner(&first[0]) || (first[0].is_empty() && counts(&first[1..]))
}

/// The headings of all columns, and whether the first column names the jobs.
fn headings(first: Vec<Cow<'_, str>>, second: Option<&[Cow<'_, str>]>) -> (Vec<String>, bool) {
    let shorter = second.is_some_and(|row| row.len() == first.len() + 1);
    let names_below = second.is_some_and(|row| {
        row.len() > 1 && row.len() == first.len() && !row[0].is_empty() && !is_number(&row[0])
    });
    // A column of attributes may hold words, too.
    let is_attribute = Role::of(&first[0]).is_attribute() || Role::hinted_at(&first[0]).is_some();
    let above_names = first.len() > 1 && (is_corner(&first[0]) || first[0].is_empty());
    let names_jobs = shorter || (names_below && !is_attribute) || above_names;
    // Without a heading of its own, the column of names moves the others on.
    let own = shorter.then(String::new);
    (own.into_iter().chain(first.into_iter().map(Cow::into_owned)).collect(), names_jobs)
}

fn row<'a>(cells: &mut Cells<'a>) -> Result<Option<Vec<Cow<'a, str>>>, ReadError> {
    let start = cells.offset();
    if !cells.next_row() {
        // A row of empty cells and nothing else is no row; what comes before it stays where it was.
        cells.back_to(start);
        return Ok(None);
    }
    let mut row = vec![cells.cell()?];
    while cells.separator()? {
        row.push(cells.cell()?);
    }
    Ok(Some(row))
}

/// Whether a cell is meant as a number, even one that no time may have.
fn is_number(cell: &str) -> bool {
    cell.trim().parse::<f64>().is_ok()
        || is_decimal_comma(cell.as_bytes())
        || duration_seconds(cell.trim()).is_some()
}

/// Whether a cell may head a column: labels of a series (`A`, `J1`) do not.
pub(super) fn is_word(cell: &str) -> bool {
    cell.chars().count() > 1 && !cell.contains(|c: char| c.is_ascii_digit())
}

/// Whether the cells count 0, 1, 2, ... or 1, 2, 3, ...
fn counts(cells: &[Cow<'_, str>]) -> bool {
    let counts_from = |first: usize| {
        cells
            .iter()
            .enumerate()
            .all(|(index, cell)| cell.parse().is_ok_and(|value: usize| value == first + index))
    };
    !cells.is_empty() && (counts_from(0) || counts_from(1))
}
