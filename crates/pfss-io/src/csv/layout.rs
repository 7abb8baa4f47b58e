//! Whether a CSV text has a header row and a column of names.
//!
//! The first row is a header when one of its cells after the first is no number, when its first cell is one
//! of [`CORNERS`], or when its first cell is empty and the others count the columns. The first column holds
//! names when the header says so by its first cell, when the header has one cell less than the next row, or
//! when the first cell below the header is no number.

use std::borrow::Cow;

use super::cells::Cells;
use super::columns::is_attribute;
use crate::clock::duration_seconds;
use crate::error::{Problem, ReadError};
use crate::times::is_decimal_comma;

/// What the first cell of a header is called above a column of names. Data frames leave it empty.
const CORNERS: [&str; 17] = [
    "job", "jobs", "job_id", "job id", "jobid", "job_name", "job name", "name", "names", "id", "index",
    "machine", "machines", "no", "no.", "nr", "#",
];

pub(super) struct Layout {
    pub(super) column_names: Option<Vec<String>>,
    pub(super) has_row_names: bool,
}

impl Layout {
    /// Looks at the first two rows and leaves the cells at the first row of times.
    pub(super) fn sniff(cells: &mut Cells<'_>) -> Result<Self, ReadError> {
        let start = cells.offset();
        let Some(first) = row(cells)? else {
            return Err(ReadError::new(Problem::Empty));
        };
        let below = cells.offset();
        let second = row(cells)?;
        let corner = CORNERS.contains(&first[0].to_lowercase().as_str());
        let rest_is_text = first[1..].iter().any(|cell| !cell.is_empty() && !is_number(cell));
        let rest_counts = counts(&first[1..]);
        let is_header = if first.len() == 1 {
            !is_number(&first[0]) && second.as_ref().is_none_or(|row| row.len() <= 2)
        } else {
            rest_is_text || corner || (first[0].is_empty() && rest_counts)
        };
        if !is_header {
            if is_word(&first[0]) && first.len() > 2 && rest_counts {
                return Err(cells.error_at(start, Problem::HeaderOrTimes));
            }
            cells.back_to(start);
            let has_row_names = first.len() > 1 && !first[0].is_empty() && !is_number(&first[0]);
            return Ok(Self { column_names: None, has_row_names });
        }
        cells.back_to(below);
        let shorter = second.as_ref().is_some_and(|row| row.len() == first.len() + 1);
        let names_below = second.as_ref().is_some_and(|row| {
            row.len() > 1 && row.len() == first.len() && !row[0].is_empty() && !is_number(&row[0])
        });
        // A column of attributes may hold words, too.
        let names_below = names_below && !is_attribute(&first[0]);
        let has_row_names = shorter || names_below || (first.len() > 1 && (corner || first[0].is_empty()));
        let skipped = usize::from(has_row_names && !shorter);
        let names = first.into_iter().skip(skipped).map(Cow::into_owned).collect();
        Ok(Self { column_names: Some(names), has_row_names })
    }
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
fn is_word(cell: &str) -> bool {
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
