//! The result of a run on the travelling salesman as one JSON object, schema `pfss.tour/1`.

use pfss_core::{JobId, Outcome, Status};
use pfss_io::record::Origin;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::TspInstance;

/// The schema that is read and written.
pub const SCHEMA: &str = "pfss.tour/1";

/// The result of a run. The fields appear in this order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TourRecord {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// Always `tsp`.
    pub problem: String,
    /// The name of the instance.
    pub instance: String,
    /// The number of cities.
    pub num_cities: usize,
    /// The name of the algorithm.
    pub algorithm: String,
    /// Every parameter of the algorithm with its value.
    pub config: Value,
    /// The seed.
    pub seed: u64,
    /// How many threads were allowed.
    pub threads: usize,
    /// The length of the closed tour.
    pub length: f64,
    /// The best proven lower bound.
    pub bound: f64,
    /// `(length - bound) / bound`; null when the bound is zero and the length is not.
    pub gap: Option<f64>,
    /// `optimal` or `feasible`.
    pub status: String,
    /// Why the run ended; `optimal` when the tour was proven to be.
    pub stop_reason: String,
    /// The cities in order, 0-based.
    pub order: Vec<JobId>,
    /// Wall-clock time in seconds.
    pub runtime_s: f64,
    /// How many evaluations were made.
    pub evaluations: u64,
    /// The version of the program.
    pub version: String,
}

impl TourRecord {
    /// The record of a run's answer.
    pub fn new(instance: &TspInstance, outcome: &Outcome<f64>, origin: Origin) -> Self {
        let gap = outcome.gap();
        let (status, stop_reason) = match outcome.status {
            Status::Optimal => ("optimal", "optimal"),
            Status::Feasible(reason) => ("feasible", reason.as_str()),
        };
        Self {
            schema: SCHEMA.to_string(),
            problem: "tsp".to_string(),
            instance: instance.name().to_string(),
            num_cities: instance.num_cities(),
            algorithm: origin.algorithm,
            config: origin.config,
            seed: origin.seed,
            threads: origin.threads,
            length: outcome.cost,
            bound: outcome.bound,
            gap: gap.is_finite().then_some(gap),
            status: status.to_string(),
            stop_reason: stop_reason.to_string(),
            order: outcome.order.as_slice().to_vec(),
            runtime_s: outcome.runtime.as_secs_f64(),
            evaluations: outcome.evaluations,
            version: env!("CARGO_PKG_VERSION").to_string(),
        }
    }

    /// The record as one line of JSON, without a line end.
    ///
    /// # Errors
    /// When a value has no JSON form.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }
}
