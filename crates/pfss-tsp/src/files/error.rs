//! What is wrong with files of cities and tours, as a [`Problem`] of all files.

use pfss_io::Problem;
use thiserror::Error;

use crate::TspError;

/// A TSPLIB file is not as expected.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct TsplibError {
    /// What is wrong and what would be accepted.
    pub message: String,
}

impl From<TsplibError> for Problem {
    fn from(error: TsplibError) -> Self {
        Self::Other(Box::new(error))
    }
}

/// The points do not form an instance.
impl From<TspError> for Problem {
    fn from(error: TspError) -> Self {
        Self::Other(Box::new(error))
    }
}
