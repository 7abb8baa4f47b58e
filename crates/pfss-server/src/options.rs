//! The options of a job: those of `pfss solve`, with the same names.

use pfss_core::timing::{Objective, UnknownObjective};
use pfss_io::{Clock, Entry, Overrides};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::problem::Problem;

/// How a job is to be solved.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SolveOptions {
    /// The algorithm; `auto` when absent.
    pub(crate) algorithm: Option<String>,
    /// Seconds, or a text such as `500ms`, `10s`, `2m`; 10 s without other limits.
    #[schema(value_type = Option<String>, example = "10s")]
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
    /// What is minimised; several, separated by commas, the most important first.
    pub(crate) objective: Option<String>,
    /// Set-up times: the text of a CSV table with the columns machine, from, to, time.
    pub(crate) setup: Option<String>,
    /// Jobs that come first, in this order: numbers (from 0) or names.
    #[schema(value_type = Option<Vec<String>>)]
    pub(crate) first: Option<Value>,
    /// A job goes on from machine to machine at once.
    pub(crate) no_wait: bool,
    /// How many jobs fit between two machines; 0: a job stays on its machine until the next one is free.
    pub(crate) buffer: Option<usize>,
    /// When time 0 is, as in 2026-11-16T06:00: releases, due dates and breaks may then be dates or times of day.
    pub(crate) start_at: Option<String>,
    /// How long a unit of time is: s, min, h or d.
    pub(crate) unit: Option<String>,
    /// Parameters of the algorithm: an object, or a list of `key=value`.
    #[schema(value_type = Option<Object>)]
    pub(crate) set: Option<Value>,
    /// An order to begin with: job numbers (from 0) or names.
    #[schema(value_type = Option<Vec<u32>>)]
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
            first: self.first.as_ref().map(list).transpose()?,
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
        pairs: impl Iterator<Item = (std::borrow::Cow<'a, str>, std::borrow::Cow<'a, str>)>,
    ) -> Result<Self, Problem> {
        let mut map = Map::new();
        for (key, text) in pairs {
            let key = key.replace('-', "_");
            let value = match key.as_str() {
                "evaluations" | "stall" | "seed" | "threads" | "buffer" => {
                    text.parse::<u64>().map(Value::from).ok()
                }
                "target" | "time_factor" => text.parse::<f64>().map(Value::from).ok(),
                "no_wait" => match text.as_ref() {
                    "" | "true" => Some(Value::from(true)),
                    "false" => Some(Value::from(false)),
                    _ => None,
                },
                _ => None,
            };
            let value = value.unwrap_or_else(|| Value::from(text.as_ref()));
            match (map.get_mut("set"), key.as_str()) {
                (Some(Value::Array(all)), "set") => all.push(value),
                (_, "set") => drop(map.insert(key, Value::from(vec![value]))),
                _ => drop(map.insert(key, value)),
            }
        }
        serde_json::from_value(Value::Object(map)).map_err(|error| malformed(&error))
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

/// Jobs of a list or of a text, separated by commas.
fn list(jobs: &Value) -> Result<String, Problem> {
    let one = |job: &Value| match job {
        Value::String(name) => Some(name.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let text = match jobs {
        Value::Array(jobs) => jobs.iter().map(one).collect::<Option<Vec<_>>>().map(|jobs| jobs.join(",")),
        other => one(other),
    };
    text.ok_or_else(|| Problem::malformed("first: expected a list of job numbers or names"))
}

/// Why options cannot be read.
pub(crate) fn malformed(error: &serde_json::Error) -> Problem {
    Problem::malformed(format!("the options cannot be read: {error}"))
}

/// The objectives by name.
fn objectives(text: &str) -> Result<Vec<Objective>, Problem> {
    text.split(',')
        .map(|word| {
            word.trim().parse().map_err(|error: UnknownObjective| Problem::malformed(error.to_string()))
        })
        .collect()
}
