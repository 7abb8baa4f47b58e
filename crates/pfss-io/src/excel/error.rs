//! What is wrong with a workbook, and where.

use super::place::Place;
use crate::error::{Problem, ReadError};

/// A workbook that is damaged, or too large.
pub(super) fn unreadable(reason: impl ToString) -> ReadError {
    ReadError::new(Problem::Workbook { message: reason.to_string() })
}

/// What is wrong with one cell.
pub(super) fn at_cell(sheet: &str, place: Place, message: String) -> ReadError {
    ReadError { place: Some(format!("cell {sheet}!{place}")), ..ReadError::new(Problem::Cell { message }) }
}
