//! What can be wrong with an instance or an order.

use thiserror::Error;

/// Why a matrix of processing times is not an instance. Jobs and machines are 0-based.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum InstanceError {
    /// There is no job.
    #[error("the instance has no jobs; at least one job is needed")]
    NoJobs,
    /// There is no machine.
    #[error("the instance has no machines; at least one machine is needed")]
    NoMachines,
    /// A row has another length than the first one.
    #[error("row {row} has {found} times but {expected} were expected; all rows must have the same length")]
    Ragged {
        /// The 0-based row.
        row: usize,
        /// How many times the row has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A time is negative, infinite or not a number.
    #[error(
        "job {job} on machine {machine} (counted from 0) takes {value}; a processing time must be a finite number that is not negative"
    )]
    InvalidTime {
        /// The 0-based job.
        job: usize,
        /// The 0-based machine.
        machine: usize,
        /// The value as text.
        value: String,
    },
    /// A schedule could be longer than the type can hold.
    #[error(
        "the processing times are so large that a schedule may exceed {limit}; use a coarser unit of time"
    )]
    Overflow {
        /// The largest length that can be represented, as text.
        limit: String,
    },
    /// There are more jobs than can be numbered.
    #[error("{found} jobs are more than the {limit} that can be numbered")]
    TooManyJobs {
        /// The number of jobs.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// The number of names differs from what they name.
    #[error("{found} {what} names were given for {expected}")]
    NameCount {
        /// "job" or "machine".
        what: &'static str,
        /// How many names there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
}

/// Why a list of jobs is not an order of all jobs. Jobs and positions are 0-based.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PermutationError {
    /// The list is too short or too long.
    #[error("the order has {found} jobs but the instance has {expected}")]
    WrongLength {
        /// The length of the list.
        found: usize,
        /// The number of jobs.
        expected: usize,
    },
    /// A job does not exist.
    #[error("position {position} holds job {job}, but jobs are numbered 0 to {last}")]
    OutOfRange {
        /// The 0-based position.
        position: usize,
        /// What stands there.
        job: u64,
        /// The last job's number.
        last: u64,
    },
    /// A job stands twice in the list.
    #[error("job {job} stands at positions {first} and {second}; each job must stand exactly once")]
    Duplicate {
        /// The job.
        job: u64,
        /// Its first position.
        first: usize,
        /// Its second position.
        second: usize,
    },
}
