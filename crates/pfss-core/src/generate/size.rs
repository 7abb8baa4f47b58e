//! Room for the times of an instance, and why none is generated.

use thiserror::Error;

use crate::InstanceError;
use crate::instance::MAX_JOBS;

/// Why no instance can be generated.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum GenerateError {
    /// A parameter is out of range.
    #[error("`{name}` is {value}, but must be {accepted}")]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// Its value, as text.
        value: String,
        /// What is accepted.
        accepted: &'static str,
    },
    /// A parameter belongs to other distributions.
    #[error("`{name}` is a parameter of {owners}, not of {distribution}")]
    Foreign {
        /// The parameter.
        name: &'static str,
        /// The distributions that have it.
        owners: String,
        /// The one that was asked for.
        distribution: &'static str,
    },
    /// A text that names no way to draw times.
    #[error("`{text}` names no distribution: expected {expected}")]
    Unknown {
        /// The text.
        text: String,
        /// What is accepted.
        expected: String,
    },
    /// The matrix does not fit into memory.
    #[error("{num_jobs} jobs on {num_machines} machines do not fit into memory; ask for fewer")]
    TooLarge {
        /// The number of jobs.
        num_jobs: usize,
        /// The number of machines.
        num_machines: usize,
    },
    /// The times do not make an instance.
    #[error(transparent)]
    Instance(#[from] InstanceError),
}

/// Room for the matrix, or an error where there is none.
pub(super) fn reserve<T>(num_jobs: usize, num_machines: usize) -> Result<Vec<T>, GenerateError> {
    let too_large = GenerateError::TooLarge { num_jobs, num_machines };
    let Some(cells) = num_jobs.checked_mul(num_machines) else { return Err(too_large) };
    let mut times = Vec::new();
    times.try_reserve_exact(cells).map_err(|_| too_large)?;
    // Before anything is drawn: it would be thrown away.
    let limit = MAX_JOBS;
    if num_jobs > limit {
        return Err(InstanceError::TooManyJobs { found: num_jobs, limit }.into());
    }
    Ok(times)
}
