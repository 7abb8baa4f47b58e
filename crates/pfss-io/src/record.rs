//! The result of a run as one JSON object, schema `pfss.result/1`.

use pfss_core::{Instance, JobId, Outcome, Status, Time};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::TimeValue;

/// The schema that is read and written.
pub const SCHEMA: &str = "pfss.result/1";

/// The result of a run. The fields appear in this order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultRecord {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// The name of the instance.
    pub instance: String,
    /// The number of jobs.
    pub num_jobs: usize,
    /// The number of machines.
    pub num_machines: usize,
    /// The name of the algorithm.
    pub algorithm: String,
    /// Every parameter of the algorithm with its value.
    pub config: Value,
    /// The seed.
    pub seed: u64,
    /// How many threads were used.
    pub threads: usize,
    /// The makespan of `order`; an integer when the times are.
    pub makespan: TimeValue,
    /// The best proven lower bound; an integer when the times are.
    pub bound: TimeValue,
    /// `(makespan - bound) / bound`; null when the bound is zero and the makespan is not.
    pub gap: Option<f64>,
    /// `optimal` or `feasible`.
    pub status: String,
    /// Why the run ended; `optimal` when the order was proven to be.
    pub stop_reason: String,
    /// The jobs in order, 0-based.
    pub order: Vec<JobId>,
    /// The names of the jobs in the order in which they are processed, where they have names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job_names: Option<Vec<String>>,
    /// Wall-clock time in seconds.
    pub runtime_s: f64,
    /// How many evaluations were made.
    pub evaluations: u64,
    /// The version of the program.
    pub version: String,
    /// The fingerprint of the instance ([`crate::instance_hash`]), where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance_hash: Option<String>,
}

/// How a result was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// The name of the algorithm.
    pub algorithm: String,
    /// Every parameter of the algorithm with its value.
    pub config: Value,
    /// The seed.
    pub seed: u64,
    /// How many threads were used.
    pub threads: usize,
}

impl ResultRecord {
    /// The record of a run's answer.
    pub fn new<T: Time>(instance: &Instance<T>, outcome: &Outcome<T>, origin: Origin) -> Self {
        let gap = outcome.gap();
        let (status, stop_reason) = match outcome.status {
            Status::Optimal => ("optimal", "optimal"),
            Status::Feasible(reason) => ("feasible", reason.as_str()),
        };
        let order = outcome.order.as_slice().to_vec();
        let job_names = instance
            .job_names()
            .map(|names| order.iter().filter_map(|&job| names.get(job as usize).cloned()).collect());
        Self {
            schema: SCHEMA.to_string(),
            instance: instance.name().to_string(),
            num_jobs: instance.num_jobs(),
            num_machines: instance.num_machines(),
            algorithm: origin.algorithm,
            config: origin.config,
            seed: origin.seed,
            threads: origin.threads,
            makespan: TimeValue::new(outcome.cost),
            bound: TimeValue::new(outcome.bound),
            gap: gap.is_finite().then_some(gap),
            status: status.to_string(),
            stop_reason: stop_reason.to_string(),
            order,
            job_names,
            runtime_s: outcome.runtime.as_secs_f64(),
            evaluations: outcome.evaluations,
            version: env!("CARGO_PKG_VERSION").to_string(),
            instance_hash: None,
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use pfss_core::{Permutation, StopReason};

    fn record<T: Time>(instance: &Instance<T>, cost: T, bound: T) -> ResultRecord {
        let outcome = Outcome {
            order: Permutation::new(vec![1, 0], 2).unwrap(),
            cost,
            bound,
            status: Status::Feasible(StopReason::TimeLimit),
            evaluations: 12,
            runtime: Duration::from_millis(1500),
        };
        let config = serde_json::json!({"d": 4});
        let origin = Origin { algorithm: "iterated-greedy".into(), config, seed: 7, threads: 2 };
        ResultRecord::new(instance, &outcome, origin)
    }

    #[test]
    fn the_record_has_the_promised_fields_in_order() {
        let instance = Instance::from_job_rows("x", &[[1u32, 2], [3, 4]]).unwrap();
        let instance = instance.with_job_names(vec!["A".into(), "B".into()]).unwrap();
        let record = record(&instance, 10, 8);
        let version = env!("CARGO_PKG_VERSION");
        let json = record.to_json().unwrap();
        assert_eq!(
            json,
            format!(
                "{{\"schema\":\"pfss.result/1\",\"instance\":\"x\",\"num_jobs\":2,\"num_machines\":2,\
             \"algorithm\":\"iterated-greedy\",\"config\":{{\"d\":4}},\"seed\":7,\"threads\":2,\"makespan\":10,\
             \"bound\":8,\"gap\":0.25,\"status\":\"feasible\",\"stop_reason\":\"time-limit\",\"order\":[1,0],\
             \"job_names\":[\"B\",\"A\"],\"runtime_s\":1.5,\"evaluations\":12,\"version\":\"{version}\"}}"
            )
        );
        assert_eq!(serde_json::from_str::<ResultRecord>(&json).unwrap(), record);
    }

    #[test]
    fn reals_stay_reals_and_infinite_gaps_are_null() {
        let instance = Instance::from_job_rows("x", &[[1.0, 2.0], [3.0, 4.0]]).unwrap();
        let json = record(&instance, 10.0, 0.0).to_json().unwrap();
        assert!(json.contains("\"makespan\":10.0,\"bound\":0.0,\"gap\":null"), "{json}");
        assert!(!json.contains("job_names"), "{json}");
    }
}
