//! What times were measured on.

use serde::{Deserialize, Serialize};

/// A processor and how busy it was: times of two machines do not stand in one column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor.
    pub cpu: String,
    /// How many runs went on at the same time, with one thread each.
    pub workers: usize,
}
