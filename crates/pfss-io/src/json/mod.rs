//! JSON instances of the schemas `pfss.instance/1` and `pfss.instance/2`: one object, an array of objects, or one object
//! per line.
//!
//! ```json
//! {"schema": "pfss.instance/1", "name": "small", "times": [[3, 4], [2, 1]], "job_names": ["A", "B"]}
//! ```
//!
//! `times` has one row per job. Version 2 gives jobs and machines what they carry beyond times; where there is nothing of
//! it, version 1 is written.
//!
//! ```json
//! {"schema": "pfss.instance/2", "objective": "total-tardiness",
//!  "jobs": [{"name": "A", "times": [3, 4], "due": 9}, {"name": "B", "times": [2, 1], "due": 4}],
//!  "machines": [{"name": "saw", "buffer": 0}, {"name": "oven", "breaks": [[60, 90]], "resume": false}]}
//! ```
//!
//! Objects with a `duration_matrix` and a `machines_matrix`, as job_shop_lib
//! writes them, are read as well when every job visits the machines in the order 0, 1, 2, ...

mod names;
mod objects;
mod planner;
mod rows;
mod schema;
mod text;
mod write;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::clock::Clock;
use crate::error::{Problem, ReadError};
use crate::{Entry, Metadata};
use planner::Planner;
use text::offset;

pub use schema::{PLANNER_SCHEMA, SCHEMA};
pub(crate) use text::parse;
pub use text::{values, words};
pub use write::write;

/// The fields of one object. Unknown ones are refused, so that a misspelt name is not silently ignored.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Object<'a> {
    schema: Option<String>,
    name: Option<String>,
    #[serde(borrow)]
    times: Option<&'a RawValue>,
    #[serde(borrow)]
    duration_matrix: Option<&'a RawValue>,
    machines_matrix: Option<Vec<Vec<usize>>>,
    job_names: Option<Vec<String>>,
    machine_names: Option<Vec<String>>,
    lower_bound: Option<f64>,
    upper_bound: Option<f64>,
    seed: Option<u64>,
    reference: Option<String>,
    /// Anything else that other programs attach; not interpreted.
    #[serde(borrow)]
    metadata: Option<&'a RawValue>,
    #[serde(borrow)]
    jobs: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    machines: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    first: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    precedence: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    objective: Option<&'a RawValue>,
}

/// Reads all instances of a text.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read(text: &str) -> Result<Vec<Entry>, ReadError> {
    read_at(text, None)
}

/// [`read`]; with a clock, releases, due dates and breaks may be dates and times of day.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read_at(text: &str, clock: Option<&Clock>) -> Result<Vec<Entry>, ReadError> {
    let mut entries = Vec::new();
    for part in values::<&RawValue>(text)? {
        let part = part.get();
        if part.starts_with('[') {
            let objects: Vec<&RawValue> = parse(text, part)?;
            for object in objects {
                entries.push(entry(text, object.get(), clock)?);
            }
        } else {
            entries.push(entry(text, part, clock)?);
        }
    }
    match entries.is_empty() {
        true => Err(ReadError::new(Problem::Empty)),
        false => Ok(entries),
    }
}

fn entry(text: &str, part: &str, clock: Option<&Clock>) -> Result<Entry, ReadError> {
    let start = offset(text, part);
    let object: Object<'_> = parse(text, part)?;
    let fail = |problem: Problem| ReadError::at(text.as_bytes(), start, problem);
    let planner = Planner {
        text,
        clock,
        jobs: object.jobs,
        machines: object.machines,
        first: object.first,
        precedence: object.precedence,
        objective: object.objective,
    };
    match object.schema.as_deref() {
        None | Some(PLANNER_SCHEMA) => {}
        Some(SCHEMA) => planner.refuse_members().map_err(fail)?,
        Some(found) => {
            return Err(fail(Problem::Schema {
                found: found.to_string(),
                expected: "pfss.instance/1` or `pfss.instance/2",
            }));
        }
    }
    let mut instance = match (object.times, object.duration_matrix) {
        (Some(times), None) | (None, Some(times)) if !planner.has_times()? => {
            rows::read(text, offset(text, times.get()))?
        }
        (None, None) if planner.jobs.is_some() => planner.times(start)?,
        _ => {
            let message = "expected one field `times` with one row of numbers per job".to_string();
            return Err(fail(Problem::Json { message }));
        }
    };
    if let Some(rows) = &object.machines_matrix {
        check_machines(rows, instance.num_jobs(), instance.num_machines()).map_err(fail)?;
    }
    if let Some(names) = object.job_names {
        instance = instance.with_job_names(names).map_err(|error| fail(error.into()))?;
    }
    if let Some(names) = object.machine_names {
        instance = instance.with_machine_names(names).map_err(|error| fail(error.into()))?;
    }
    if [object.lower_bound, object.upper_bound].iter().flatten().any(|bound| *bound < 0.0) {
        return Err(fail(Problem::Json {
            message: "a bound on the makespan cannot be negative".to_string(),
        }));
    }
    let metadata = Metadata {
        lower_bound: object.lower_bound,
        upper_bound: object.upper_bound,
        seed: object.seed,
        reference: object.reference,
        // A line end cannot stand inside a JSON string.
        other: object.metadata.map(|other| other.get().replace(['\n', '\r'], " ")),
    };
    let (instance, attributes) = planner.attributes(instance, start)?;
    let instance = instance.with_name(object.name.unwrap_or_default());
    Ok(Entry { metadata, attributes, ..instance.into() })
}

/// Checks that every job visits the machines in the order 0, 1, 2, ...
fn check_machines(rows: &[Vec<usize>], num_jobs: usize, num_machines: usize) -> Result<(), Problem> {
    if rows.len() != num_jobs {
        return Err(Problem::MissingRows { found: rows.len(), expected: num_jobs });
    }
    for (index, row) in rows.iter().enumerate() {
        let row_number = index + 1;
        if row.len() != num_machines {
            let (found, expected) = (row.len(), num_machines);
            return Err(Problem::RowLength { row: row_number, found, expected, what: "machines" });
        }
        if let Some(place) = (0..num_machines).find(|&place| row[place] != place) {
            return Err(Problem::NotAFlowShop { row: row_number, found: row[place], place });
        }
    }
    Ok(())
}
