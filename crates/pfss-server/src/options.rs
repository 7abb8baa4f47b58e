//! The options of a job: those of `pfss solve`, with the same names.

use std::borrow::Cow;

use pfss_core::timing::{Objective, UnknownObjective};
use pfss_io::{Clock, Entry, Overrides};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::input::{Assignment, assignments, digits, of_pairs, truth};
use crate::problem::Problem;
use crate::schemas::{AlgorithmName, Assignments, Order, TimeLimit, UnitName};

/// How a job is to be solved.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SolveOptions {
    /// The algorithm; `auto` when absent.
    #[schema(value_type = Option<AlgorithmName>)]
    pub(crate) algorithm: Option<String>,
    /// Seconds, or a text such as `500ms`, `10s`, `2m`; 10 s without other limits.
    #[schema(value_type = Option<TimeLimit>, example = "10s")]
    pub(crate) time_limit: Option<Value>,
    /// A limit of evaluations: with the same seed the same result.
    pub(crate) evaluations: Option<u64>,
    /// Evaluations without an improvement.
    pub(crate) stall: Option<u64>,
    /// Stop at this value.
    pub(crate) target: Option<f64>,
    /// The seed; drawn when absent.
    pub(crate) seed: Option<u64>,
    /// How many threads may search.
    pub(crate) threads: Option<usize>,
    /// A time limit of jobs x (machines / 2) x this many milliseconds, in the place of `time_limit`.
    pub(crate) time_factor: Option<f64>,
    /// What is minimised: makespan, total-completion, total-tardiness, max-lateness or late-jobs; several, separated by commas, the
    /// most important first.
    pub(crate) objective: Option<String>,
    /// Set-up times: the text of a CSV table with the columns machine, from, to, time.
    pub(crate) setup: Option<String>,
    /// Jobs that come first, in this order.
    #[schema(value_type = Option<Order>)]
    pub(crate) first: Option<Value>,
    /// A job goes on from machine to machine at once.
    pub(crate) no_wait: bool,
    /// How many jobs fit between two machines; 0: a job stays on its machine until the next one is free.
    pub(crate) buffer: Option<usize>,
    /// When time 0 is, as in 2026-11-16T06:00: releases, due dates and breaks may then be dates or times of day.
    pub(crate) start_at: Option<String>,
    /// How long a unit of time is.
    #[schema(value_type = Option<UnitName>)]
    pub(crate) unit: Option<String>,
    /// Parameters of the algorithm: an object, or a list of `key=value`.
    #[serde(deserialize_with = "assignments")]
    #[schema(value_type = Option<Assignments>)]
    pub(crate) set: Vec<Assignment>,
    /// An order to begin with.
    #[schema(value_type = Option<Order>)]
    pub(crate) start: Option<Value>,
    /// Job numbers (from 0) whose place in `start` is kept.
    pub(crate) pinned: Vec<u32>,
}

impl SolveOptions {
    /// Puts what the options say about the instance in the place of what it says itself.
    pub(crate) fn apply(&self, entry: &mut Entry) -> Result<(), Problem> {
        if self.no_wait && self.buffer.is_some() {
            return Err(Problem::malformed("no_wait and buffer contradict each other; give one of them"));
        }
        let overrides = Overrides {
            objectives: self.objective.as_deref().map(objectives).transpose()?,
            setups: self.setup.clone().map(|text| (text, "setup".to_string())),
            first: self.first.as_ref().map(given).transpose()?,
            no_wait: self.no_wait,
            buffer: self.buffer,
        };
        overrides.apply(entry).map_err(|error| Problem::of_reading(&error))
    }

    /// When time zero is, where that is said.
    pub(crate) fn clock(&self) -> Result<Option<Clock>, Problem> {
        clock(self.start_at.as_deref(), self.unit.as_deref())
    }

    /// The options in the query of a request; `set` may stand there several times.
    pub(crate) fn from_pairs<'a>(
        pairs: impl Iterator<Item = (Cow<'a, str>, Cow<'a, str>)>,
    ) -> Result<Self, Problem> {
        let mut map = Map::new();
        for (key, text) in pairs {
            // As on the command line, too: `--time-limit`.
            let key = key.replace('-', "_");
            let value = match key.as_str() {
                "evaluations" | "stall" | "seed" | "threads" | "buffer" => digits(&key, &text)?.into(),
                "target" | "time_factor" => {
                    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
                    let wrong = || format!("{key}: found `{text}`, expected a number");
                    number.ok_or_else(|| Problem::malformed(wrong()))?.into()
                }
                "no_wait" => truth(&key, &text)?.into(),
                _ => Value::from(text.as_ref()),
            };
            match (map.get_mut(&key), key.as_str()) {
                (Some(Value::Array(all)), "set") => all.push(value),
                (Some(_), _) => {
                    return Err(Problem::malformed(format!("`{key}` stands in the query twice")));
                }
                (None, "set") => drop(map.insert(key, Value::from(vec![value]))),
                (None, _) => drop(map.insert(key, value)),
            }
        }
        of_pairs(map)
    }
}

/// When time zero is and how long a unit takes, where both are said.
pub(crate) fn clock(start_at: Option<&str>, unit: Option<&str>) -> Result<Option<Clock>, Problem> {
    let (start, unit) = match (start_at, unit) {
        (None, None) => return Ok(None),
        (Some(start), Some(unit)) => (start, unit),
        (Some(_), None) => return Err(Problem::malformed("start_at needs unit: s, min, h or d")),
        (None, Some(_)) => return Err(Problem::malformed("unit needs start_at, such as 2026-11-16T06:00")),
    };
    let refused = |error: pfss_io::ClockError| Problem::malformed(error.to_string());
    let unit = unit.parse().map_err(refused)?;
    Clock::new(start, unit).map(Some).map_err(refused)
}

/// Jobs as they were given: a list, in which numbers are numbers and texts are names, or a text with either, as on the command
/// line.
fn given(jobs: &Value) -> Result<String, Problem> {
    match jobs {
        Value::Array(_) => Ok(jobs.to_string()),
        Value::String(text) => Ok(text.clone()),
        _ => Err(Problem::malformed("first: expected a list of job numbers (from 0) or names")),
    }
}

/// The objectives by name.
fn objectives(text: &str) -> Result<Vec<Objective>, Problem> {
    text.split(',')
        .map(|word| {
            word.trim().parse().map_err(|error: UnknownObjective| Problem::malformed(error.to_string()))
        })
        .collect()
}
