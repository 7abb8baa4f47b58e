//! How the time of a method grows with the jobs.

use serde::{Deserialize, Serialize};

use crate::stats::PowerLaw;

/// How the time of a method grows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// The method.
    pub method: String,
    /// Time per instance against jobs.
    pub law: PowerLaw,
    /// The exponent between the two largest sizes, where what every run costs anyway weighs least.
    pub last_exponent: Option<f64>,
}
