//! What can be wrong with a file or an argument, and what would be accepted.

use std::io;

use pfss_core::{InstanceError, PermutationError};
use thiserror::Error;

use crate::format::Format;

/// What is wrong with a file or an argument.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// There is nothing to read.
    #[error("there is nothing here; expected an instance (see `--format` for the layouts)")]
    Empty,
    /// The bytes are not UTF-8.
    #[error("this is not UTF-8 text{hint}; save the file as UTF-8")]
    NotUtf8 {
        /// What the bytes may be instead, or nothing.
        hint: &'static str,
    },
    /// The bytes are those of a file of another kind.
    #[error("this is {what}; {advice}")]
    OtherFile {
        /// Its kind.
        what: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// An option was given that says nothing about this input.
    #[error("{option} is not used here: {reason}")]
    UnusedOption {
        /// The option, as on the command line.
        option: &'static str,
        /// What it is for.
        reason: String,
    },
    /// A word stands where a number should.
    #[error("found `{found}`, expected {expected}{hint}")]
    NotANumber {
        /// The word.
        found: String,
        /// What would be accepted.
        expected: &'static str,
        /// How to repair it, or nothing.
        hint: &'static str,
    },
    /// A number is missing.
    #[error("a number is missing here; every job needs a time on every machine (0 when it skips one)")]
    MissingNumber,
    /// A number is negative.
    #[error("found `{found}`, but a processing time cannot be negative")]
    Negative {
        /// The number as written.
        found: String,
    },
    /// A number is infinite or not a number.
    #[error("found `{found}`, but a processing time must be a finite number")]
    NotFinite {
        /// The number as written.
        found: String,
    },
    /// A number is too large for its type.
    #[error("`{found}` is too large; the largest {what} is {limit}{hint}")]
    TooLarge {
        /// The number as written.
        found: String,
        /// What the number is.
        what: &'static str,
        /// The largest accepted value.
        limit: String,
        /// What to do, or nothing.
        hint: &'static str,
    },
    /// The line with the sizes is malformed.
    #[error("found `{found}`, expected {expected}")]
    Header {
        /// The line as written.
        found: String,
        /// What would be accepted.
        expected: &'static str,
    },
    /// A row is too short or too long.
    #[error("row {row} has {found} {what}, expected {expected}")]
    RowLength {
        /// The row, counted from 1.
        row: usize,
        /// How many entries it has.
        found: usize,
        /// How many it should have.
        expected: usize,
        /// What is counted.
        what: &'static str,
    },
    /// The file ends too early.
    #[error("the file ends after {found} of {expected} rows")]
    MissingRows {
        /// How many rows there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// Something follows the last row.
    #[error("found `{found}` after the last of {rows} rows, expected the end of the file")]
    Surplus {
        /// What follows.
        found: String,
        /// How many rows were expected.
        rows: usize,
    },
    /// A machine's number is not one.
    #[error("found machine `{found}` in row {row}; machines are numbered 0 to {last}")]
    MachineIndex {
        /// The number as written.
        found: String,
        /// The row, counted from 1.
        row: usize,
        /// The last machine.
        last: usize,
    },
    /// A job visits the machines in another order than 0, 1, 2, ...
    #[error(
        "row {row} visits machine {found} as number {place} (counted from 0); in a permutation flow shop every job visits the machines in the order 0, 1, 2, ..."
    )]
    NotAFlowShop {
        /// The row, counted from 1.
        row: usize,
        /// The machine.
        found: usize,
        /// Its place in the row, counted from 0.
        place: usize,
    },
    /// What a job, a machine or the order carries is wrong.
    #[error("{message}")]
    Attribute {
        /// What is wrong and what would be accepted.
        message: String,
    },
    /// Two jobs have the same name.
    #[error("two jobs are named `{name}`, in lines {first} and {second}; give each job a name of its own")]
    SameName {
        /// The name.
        name: String,
        /// The line of the first.
        first: usize,
        /// The line of the second.
        second: usize,
    },
    /// Some numbers of a file have a decimal comma, others a point.
    #[error("some numbers here have a decimal comma, others a point; write all of them the same way")]
    MixedDecimals,
    /// A workbook cannot be read.
    #[error("this workbook cannot be read: {message}")]
    Workbook {
        /// Why.
        message: String,
    },
    /// A cell of a workbook holds what is no value.
    #[error("{message}")]
    Cell {
        /// What it holds, and what to do.
        message: String,
    },
    /// The file has release and due dates in a format that has no place for them.
    #[error(
        "the `Reldue` block of release and due dates can be read behind rows of `machine time` pairs only; delete the block to solve the instance without them"
    )]
    DueDates,
    /// Two formats fit.
    #[error("this can be read as `{}` ({}) or as `{}` ({}); say which with `--format {}` or `--format {}`",
        .readings[0], .readings[0].summary(), .readings[1], .readings[1].summary(), .readings[0], .readings[1])]
    Ambiguous {
        /// The formats that fit.
        readings: [Format; 2],
    },
    /// No format fits.
    #[error("no known format fits: {reason}; accepted are {} (see `--format`)", Format::list())]
    UnknownFormat {
        /// What was found.
        reason: String,
    },
    /// A quoted cell does not end.
    #[error("this quoted cell has no closing quote")]
    UnclosedQuote,
    /// Something stands between the closing quote of a cell and the separator.
    #[error("found `{found}` after a quoted cell, expected the separator or the end of the line")]
    AfterQuote {
        /// What stands there.
        found: String,
    },
    /// The first row of a CSV file could be a header or a row of times.
    #[error(
        "the first row may be a header (names 0, 1, 2, ...) or hold times; if it is a header, call its first cell `job`; if not, add a header row that starts with `job`"
    )]
    HeaderOrTimes,
    /// The JSON is malformed or has other fields than expected.
    #[error("{message}")]
    Json {
        /// What is wrong.
        message: String,
    },
    /// The JSON has another schema.
    #[error("found schema `{found}`, expected `{expected}`")]
    Schema {
        /// The schema of the file.
        found: String,
        /// The accepted one.
        expected: &'static str,
    },
    /// What a format that is not of this crate finds wrong.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
    /// The numbers do not form an instance.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// The list is not an order of all jobs.
    #[error(transparent)]
    Order(#[from] PermutationError),
    /// The order names a job that does not exist.
    #[error("there is no job `{found}`; {accepted}")]
    UnknownJob {
        /// The name as written.
        found: String,
        /// What would be accepted.
        accepted: String,
    },
    /// Two jobs have the name that an order uses.
    #[error("two jobs are named `{name}`; give the order by numbers")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// An order that counts from 1 holds 0, or a result that counts from 0 was called one-based.
    #[error("{message}")]
    Base {
        /// What is wrong and what to do.
        message: &'static str,
    },
    /// An order can be read as numbers and as names.
    #[error(
        "the order can be read as job numbers or as job names; write it as a JSON array: numbers `[2, 0, 1]` are job numbers (from 0), strings `[\"2\", \"0\", \"1\"]` are names"
    )]
    AmbiguousOrder,
    /// There is no order in the file.
    #[error("{message}")]
    NoOrder {
        /// What is missing and what would be accepted.
        message: String,
    },
    /// The file cannot be read.
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// The argument is neither a file nor a known instance.
    #[error("there is no file and no known instance of this name; {accepted}")]
    NotFound {
        /// What would be accepted, and where it was looked for.
        accepted: String,
    },
    /// The file has no instance of this name or number.
    #[error("there is no instance `{wanted}` here; {available}")]
    NoSuchInstance {
        /// What was asked for.
        wanted: String,
        /// What there is.
        available: String,
    },
}
