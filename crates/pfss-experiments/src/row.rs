//! One run of a bench as one row of a CSV file.

mod consistency;

use serde::{Deserialize, Serialize, Serializer};

use crate::fingerprint::unknown_hash;

/// The result of one run. The columns appear in this order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The name of the instance.
    pub instance: String,
    /// Its size, as `50x20`.
    pub group: String,
    /// Its number of jobs.
    pub num_jobs: usize,
    /// Its number of machines.
    pub num_machines: usize,
    /// The name of the algorithm.
    pub algorithm: String,
    /// Every parameter of the algorithm, as compact JSON.
    pub config: String,
    /// The seed.
    pub seed: u64,
    /// The limit of the run, as [`RunLimit`](crate::RunLimit) writes it.
    pub limit: String,
    /// The makespan, or the value that was minimised instead, recomputed from the order.
    #[serde(serialize_with = "plain")]
    pub makespan: f64,
    /// The best-known makespan or value, where there is one.
    #[serde(serialize_with = "plain_or_empty")]
    pub best_known: Option<f64>,
    /// The deviation from the best-known makespan in percent.
    pub rpd: Option<f64>,
    /// The proven lower bound.
    #[serde(serialize_with = "plain")]
    pub bound: f64,
    /// `optimal` or `feasible`.
    pub status: String,
    /// Why the run ended.
    pub stop_reason: String,
    /// Wall-clock time in seconds.
    pub runtime_s: f64,
    /// How many evaluations were made.
    pub evaluations: u64,
    /// The mean deviation over the whole limit in percent, see [`primal_integral`](crate::primal_integral()).
    pub primal_integral: Option<f64>,
    /// The version of the program.
    pub version: String,
    /// The commit it was built from.
    pub commit: String,
    /// The processor.
    pub cpu: String,
    /// The jobs in order, 0-based, separated by blanks; only when the makespan is below the best known.
    pub order: String,
    /// The fingerprint of the instance (`pfss_io::entry_hash`): rows are not taken for those of a changed instance.
    #[serde(default = "unknown_hash")]
    pub instance_hash: String,
}

/// What makes a run the same run: a bench does not repeat it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RowKey {
    /// The name of the instance.
    pub instance: String,
    /// The name of the algorithm.
    pub algorithm: String,
    /// Every parameter of the algorithm, as compact JSON.
    pub config: String,
    /// The seed.
    pub seed: u64,
    /// The limit of the run.
    pub limit: String,
}

impl Row {
    /// The names of the columns.
    pub const COLUMNS: [&'static str; 22] = [
        "instance",
        "group",
        "num_jobs",
        "num_machines",
        "algorithm",
        "config",
        "seed",
        "limit",
        "makespan",
        "best_known",
        "rpd",
        "bound",
        "status",
        "stop_reason",
        "runtime_s",
        "evaluations",
        "primal_integral",
        "version",
        "commit",
        "cpu",
        "order",
        "instance_hash",
    ];

    /// What makes this run the same run.
    pub fn key(&self) -> RowKey {
        RowKey {
            instance: self.instance.clone(),
            algorithm: self.algorithm.clone(),
            config: self.config.clone(),
            seed: self.seed,
            limit: self.limit.clone(),
        }
    }

    /// The deviation that follows from makespan and best-known value, where that is above 0.
    pub(crate) fn expected_rpd(&self) -> Option<f64> {
        let best = self.best_known.filter(|&best| best > 0.0)?;
        Some((self.makespan - best) / best * 100.0)
    }

    /// How far the makespan can be above the optimum: (makespan - bound) / |bound|, in percent.
    pub fn gap(&self) -> f64 {
        if self.makespan <= self.bound {
            0.0
        } else {
            100.0 * (self.makespan - self.bound) / self.bound.abs()
        }
    }

    /// Whether the order was proven optimal.
    pub fn is_optimal(&self) -> bool {
        self.status == "optimal"
    }

    /// Whether the makespan is at or below the best known.
    pub fn reaches_best_known(&self) -> bool {
        self.best_known.is_some_and(|best| self.makespan <= best)
    }

    /// Whether the makespan is below the best known.
    pub fn improves_best_known(&self) -> bool {
        self.best_known.is_some_and(|best| self.makespan < best)
    }
}

/// Integers without a point, so that integer makespans look like integers.
fn plain<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

fn plain_or_empty<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}
