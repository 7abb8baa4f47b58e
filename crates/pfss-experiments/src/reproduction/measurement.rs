//! One run as one row of a CSV file.

use serde::{Deserialize, Serialize};

use super::machine::Machine;
use crate::{JournalRow, Mistake, unknown_hash};

/// The share of a cost that rounding takes or adds.
const ROUNDED: f64 = 1e-6;

/// The result of one run of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The group of the plan.
    pub group: String,
    /// The instance, by what makes it again.
    pub instance: String,
    /// The method of the plan.
    pub method: String,
    /// Every parameter of the method, as compact JSON.
    pub config: String,
    /// The limit of the run.
    pub limit: String,
    /// The seed.
    pub seed: u64,
    /// The makespan or tour length, recomputed from the order.
    pub cost: f64,
    /// The proven lower bound; 0 where the method proves none.
    pub bound: f64,
    /// Whether the order was proven optimal.
    pub proven: bool,
    /// Wall-clock time in seconds.
    pub runtime_s: f64,
    /// How many evaluations were made.
    pub evaluations: u64,
    /// The version of the program.
    pub version: String,
    /// The commit it was built from.
    pub commit: String,
    /// The processor.
    pub cpu: String,
    /// How many runs went on at the same time.
    pub workers: usize,
    /// The fingerprint of the instance: rows are not taken for those of a changed instance.
    #[serde(default = "unknown_hash")]
    pub instance_hash: String,
}

impl JournalRow for Measurement {
    type Key = MeasurementKey;

    const COLUMNS: &'static [&'static str] = &[
        "group",
        "instance",
        "method",
        "config",
        "limit",
        "seed",
        "cost",
        "bound",
        "proven",
        "runtime_s",
        "evaluations",
        "version",
        "commit",
        "cpu",
        "workers",
        "instance_hash",
    ];

    fn key(&self) -> MeasurementKey {
        MeasurementKey {
            instance: self.instance.clone(),
            method: self.method.clone(),
            config: self.config.clone(),
            limit: self.limit.clone(),
            seed: self.seed,
        }
    }

    fn instance(&self) -> &str {
        &self.instance
    }

    fn instance_hash(&self) -> &str {
        &self.instance_hash
    }

    fn mistake(&self) -> Option<Mistake> {
        // The cost is rounded, and the bound is not.
        let is_bound = self.bound <= self.cost + ROUNDED * self.cost.abs();
        Mistake::unless_finite("cost", self.cost)
            .or_else(|| Mistake::unless_finite("bound", self.bound))
            .or_else(|| Mistake::unless(is_bound, "bound", || format!("at most {}, the cost", self.cost)))
            .or_else(|| Mistake::unless_seconds("runtime_s", self.runtime_s))
    }
}

/// What makes a run the same run: it is not repeated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MeasurementKey {
    /// The instance, by what makes it again.
    pub instance: String,
    /// The method of the plan.
    pub method: String,
    /// Every parameter of the method, as compact JSON.
    pub config: String,
    /// The limit of the run.
    pub limit: String,
    /// The seed.
    pub seed: u64,
}

impl Measurement {
    /// What its time was measured on.
    pub(super) fn machine(&self) -> Machine {
        Machine { cpu: self.cpu.clone(), workers: self.workers }
    }
}
