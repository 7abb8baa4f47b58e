//! What is known about a job, as clients see it.

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use utoipa::ToSchema;

use crate::options::SolveOptions;
use crate::schemas::ResultRecord;

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    /// It waits for a worker.
    Queued,
    /// It is being solved.
    Running,
    /// It ended by itself: its time is over, or the order is proven optimal.
    Done,
    /// Somebody ended it.
    Stopped,
    /// It could not be solved; `message` says why.
    Failed,
}

impl State {
    /// The word in JSON and in the store.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
        }
    }

    /// The state of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        [Self::Queued, Self::Running, Self::Done, Self::Stopped, Self::Failed]
            .into_iter()
            .find(|state| state.name() == name)
    }

    /// Whether it waits or runs.
    pub(crate) fn is_open(self) -> bool {
        matches!(self, Self::Queued | Self::Running)
    }
}

/// What is known about the best order, as the record says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// No order is better, in any of the objectives.
    Optimal,
    /// A valid order.
    Feasible,
}

impl Status {
    /// The word in JSON and in the store.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Feasible => "feasible",
        }
    }

    /// The status of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        [Self::Optimal, Self::Feasible].into_iter().find(|status| status.name() == name)
    }
}

/// A number as JSON has it: whole where it is.
pub(crate) fn number(value: f64) -> Option<Number> {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        return Some(Number::from(value as i64));
    }
    Number::from_f64(value)
}

/// What is known of the best order so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Known {
    /// The number that is minimised.
    pub(crate) value: Option<f64>,
    /// The makespan of the best order.
    pub(crate) makespan: Option<f64>,
    /// What no order undercuts.
    pub(crate) bound: Option<f64>,
    /// Whether the best order is proven optimal, where there is one. No bound says that: there may be further objectives.
    pub(crate) status: Option<Status>,
    /// Seconds of search, all rounds together.
    pub(crate) runtime_s: f64,
}

impl Known {
    /// Whether the search has proven that no order is better.
    pub(crate) fn is_optimal(&self) -> bool {
        self.status == Some(Status::Optimal)
    }

    /// `(value - bound) / bound`; none without both, or where the bound is zero and the value is not.
    pub(crate) fn gap(&self) -> Option<f64> {
        match (self.value, self.bound) {
            (Some(value), Some(bound)) if value == bound => Some(0.0),
            (Some(value), Some(bound)) if bound != 0.0 => Some((value - bound) / bound.abs()),
            _ => None,
        }
    }
}

/// One job in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Summary {
    /// Its name in paths.
    pub(crate) id: String,
    /// Its path.
    pub(crate) url: String,
    /// The name of the instance.
    pub(crate) name: String,
    /// How many jobs the instance has.
    pub(crate) num_jobs: usize,
    /// How many machines.
    pub(crate) num_machines: usize,
    /// When it was accepted: milliseconds since 1970.
    pub(crate) created_at: i64,
    /// Where it stands.
    pub(crate) state: State,
    /// What is minimised.
    pub(crate) objective: String,
    /// The number that is minimised, of the best order so far.
    #[schema(value_type = Option<f64>)]
    pub(crate) value: Option<Number>,
    /// The makespan of the best order so far.
    #[schema(value_type = Option<f64>)]
    pub(crate) makespan: Option<Number>,
    /// No order has a smaller value.
    #[schema(value_type = Option<f64>)]
    pub(crate) bound: Option<Number>,
    /// `(value - bound) / bound`, of the first objective.
    pub(crate) gap: Option<f64>,
    /// `optimal` when the best order so far is proven to be, else `feasible`; null without an order. A gap of 0 is no proof
    /// where there are several objectives.
    pub(crate) status: Option<Status>,
    /// Seconds of search, all rounds together.
    pub(crate) runtime_s: f64,
    /// The time limit of the present round in seconds, where there is one.
    pub(crate) time_limit_s: Option<f64>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
}

/// A moment of the search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Point {
    /// The number of the event.
    pub(crate) id: u64,
    /// Seconds of search.
    pub(crate) runtime_s: f64,
    /// The best value, where there is one.
    pub(crate) value: Option<f64>,
    /// The best bound, where there is one.
    pub(crate) bound: Option<f64>,
    /// Whether the best order was proven optimal then, where there was one.
    #[serde(default)]
    pub(crate) status: Option<Status>,
}

/// Everything about one job.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Detail {
    #[serde(flatten)]
    pub(crate) summary: Summary,
    /// How it is solved: the options, complete.
    #[schema(value_type = SolveOptions)]
    pub(crate) options: Value,
    /// The command line that gives the same result from `instance.json`; none with pinned jobs.
    pub(crate) command: Option<String>,
    /// How value and bound came together, at most ten moments a second.
    pub(crate) progress: Vec<Point>,
    /// The record `pfss.result/1` of the command line: the best order so far.
    #[schema(value_type = Option<ResultRecord>)]
    pub(crate) result: Option<Value>,
}
