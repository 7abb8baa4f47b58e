//! Jobs as the store has them.

use serde_json::Value;

use crate::job::{Known, Point, State, Status, Summary, number};
use crate::problem::{Problem, internal};

use crate::solving::Plan;

/// A job that is to be kept.
pub(crate) struct NewJob<'a> {
    pub(crate) id: &'a str,
    pub(crate) name: &'a str,
    pub(crate) num_jobs: usize,
    pub(crate) num_machines: usize,
    pub(crate) created_at: i64,
    pub(crate) objective: &'a str,
    pub(crate) options: &'a str,
    pub(crate) time_limit_s: Option<f64>,
    pub(crate) instance: &'a str,
    pub(crate) start: Option<&'a str>,
}

/// What a running job found.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    pub(crate) number: i64,
    pub(crate) round: i64,
    pub(crate) known: Known,
    pub(crate) history: String,
    /// The record of the best order, where it is new.
    pub(crate) record: Option<String>,
}

/// How a round ended.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    pub(crate) progress: Progress,
    pub(crate) state: State,
    pub(crate) message: Option<String>,
}

/// A job without its large texts.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) number: i64,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) num_jobs: usize,
    pub(crate) num_machines: usize,
    pub(crate) created_at: i64,
    pub(crate) state: State,
    pub(crate) message: Option<String>,
    pub(crate) objective: String,
    pub(crate) options: String,
    pub(crate) time_limit_s: Option<f64>,
    pub(crate) round: i64,
    pub(crate) round_base_s: f64,
    pub(crate) known: Known,
    pub(crate) history: String,
}

impl Row {
    pub(super) const COLUMNS: &'static str = "number, id, name, num_jobs, num_machines, created_at, state, message, objective, options, \
         time_limit_s, round, round_base_s, value, makespan, bound, runtime_s, history, status";

    pub(super) fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        let state: String = row.get(6)?;
        let status: Option<String> = row.get(18)?;
        Ok(Self {
            number: row.get(0)?,
            id: row.get(1)?,
            name: row.get(2)?,
            num_jobs: row.get::<_, i64>(3)? as usize,
            num_machines: row.get::<_, i64>(4)? as usize,
            created_at: row.get(5)?,
            state: State::named(&state).unwrap_or(State::Failed),
            message: row.get(7)?,
            objective: row.get(8)?,
            options: row.get(9)?,
            time_limit_s: row.get(10)?,
            round: row.get(11)?,
            round_base_s: row.get(12)?,
            known: Known {
                value: row.get(13)?,
                makespan: row.get(14)?,
                bound: row.get(15)?,
                status: status.and_then(|name| Status::named(&name)),
                runtime_s: row.get(16)?,
            },
            history: row.get(17)?,
        })
    }

    /// What a list shows of it, at this many seconds of search.
    pub(crate) fn summary(&self, runtime_s: f64) -> Summary {
        Summary {
            id: self.id.clone(),
            url: format!("/api/v1/jobs/{}", self.id),
            name: self.name.clone(),
            num_jobs: self.num_jobs,
            num_machines: self.num_machines,
            created_at: self.created_at,
            state: self.state,
            objective: self.objective.clone(),
            value: self.known.value.and_then(number),
            makespan: self.known.makespan.and_then(number),
            bound: self.known.bound.and_then(number),
            gap: self.known.gap(),
            status: self.known.status,
            runtime_s,
            time_limit_s: self.time_limit_s,
            message: self.message.clone(),
        }
    }

    /// How value and bound came together.
    pub(crate) fn points(&self) -> Vec<Point> {
        serde_json::from_str(&self.history).unwrap_or_default()
    }

    /// How it is solved.
    pub(crate) fn plan(&self) -> Result<Plan, Problem> {
        serde_json::from_str(&self.options).map_err(|error| internal(&error))
    }

    /// The options, complete.
    pub(crate) fn options(&self) -> Value {
        serde_json::from_str(&self.options).unwrap_or_default()
    }
}
