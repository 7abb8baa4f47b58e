//! Why something cannot be drawn.

use thiserror::Error;

/// Why a chart or table cannot be made, with what to do instead.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenderError {
    /// The schedule was built from another instance.
    #[error("the schedule does not belong to this instance ({reason}): build it from the same instance")]
    Mismatch {
        /// What does not fit.
        reason: String,
    },
    /// More rows than anybody can read.
    #[error("{found} machines are more rows than a Gantt chart shows (at most {limit}): draw fewer machines")]
    TooManyMachines {
        /// The instance's machines.
        found: usize,
        /// The most that are drawn.
        limit: usize,
    },
    /// More operations than one page holds.
    #[error(
        "{found} operations are more than one HTML page holds (at most {limit}): write an SVG, which merges \
         them into pixels, or draw a part of the order"
    )]
    TooManyOperations {
        /// The schedule's operations.
        found: usize,
        /// The most that are embedded.
        limit: usize,
    },
    /// There is no value at all.
    #[error("there is nothing to draw: give at least one series with at least one value")]
    NoData,
    /// A value is infinite or not a number.
    #[error("value {index} of \"{series}\" is infinite or not a number: leave it out")]
    NotFinite {
        /// The series or sample.
        series: String,
        /// The place of the value in it, 0-based.
        index: usize,
    },
    /// A row of a table has too few or too many cells.
    #[error("the row has {found} cells, but the table has {expected} columns")]
    RowLength {
        /// The row's cells.
        found: usize,
        /// The table's columns.
        expected: usize,
    },
}
