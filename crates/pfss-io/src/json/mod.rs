//! JSON instances of the schema `pfss.instance/1`: one object, an array of objects, or one object per line.
//!
//! ```json
//! {"schema": "pfss.instance/1", "name": "small", "times": [[3, 4], [2, 1]], "job_names": ["A", "B"]}
//! ```
//!
//! `times` has one row per job. Objects with a `duration_matrix` and a `machines_matrix`, as job_shop_lib
//! writes them, are read as well when every job visits the machines in the order 0, 1, 2, ...

mod rows;

use std::fmt::Write;

use pfss_core::{Instance, JobId, Time};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::{Problem, ReadError};
use crate::{Entry, Metadata, match_instance, matrix};

/// The schema that is read and written.
pub const SCHEMA: &str = "pfss.instance/1";

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
    #[serde(rename = "metadata")]
    _metadata: Option<Value>,
}

/// Reads all instances of a text.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read(text: &str) -> Result<Vec<Entry>, ReadError> {
    let mut entries = Vec::new();
    for part in values::<&RawValue>(text)? {
        let part = part.get();
        if part.starts_with('[') {
            let objects: Vec<&RawValue> = parse(text, part)?;
            for object in objects {
                entries.push(entry(text, object.get())?);
            }
        } else {
            entries.push(entry(text, part)?);
        }
    }
    match entries.is_empty() {
        true => Err(ReadError::new(Problem::Empty)),
        false => Ok(entries),
    }
}

/// Appends an instance to `out` as one line, so that several follow each other as JSON Lines.
pub fn write(entry: &Entry, out: &mut String) {
    match_instance!(&entry.instance, instance => write_instance(instance, &entry.metadata, out));
}

/// All JSON values of a text, one after the other.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn values<'a, T: Deserialize<'a>>(text: &'a str) -> Result<Vec<T>, ReadError> {
    serde_json::Deserializer::from_str(text)
        .into_iter()
        .collect::<Result<_, _>>()
        .map_err(|error| json_error(text, 0, &error))
}

/// Parses a part of `text`.
pub(crate) fn parse<'a, T: Deserialize<'a>>(text: &str, part: &'a str) -> Result<T, ReadError> {
    serde_json::from_str(part).map_err(|error| json_error(text, offset(text, part), &error))
}

/// Where a part of `text` starts.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// The error of a part that starts at `start`, with its place in the whole text.
fn json_error(text: &str, start: usize, error: &serde_json::Error) -> ReadError {
    let message = error.to_string();
    // The library counts lines and columns (in bytes) within the part it was given.
    let part = text.get(start..).unwrap_or_default();
    let line_start: usize =
        part.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let at = start + line_start + error.column().saturating_sub(1);
    let message = message.split(" at line ").next().unwrap_or_default().to_string();
    ReadError::at(text.as_bytes(), at, Problem::Json { message })
}

fn entry(text: &str, part: &str) -> Result<Entry, ReadError> {
    let start = offset(text, part);
    let object: Object<'_> = parse(text, part)?;
    let fail = |problem: Problem| ReadError::at(text.as_bytes(), start, problem);
    if let Some(found) = object.schema.filter(|schema| schema != SCHEMA) {
        return Err(fail(Problem::Schema { found, expected: SCHEMA }));
    }
    let times = match (object.times, object.duration_matrix) {
        (Some(times), None) | (None, Some(times)) => times.get(),
        _ => {
            let message = "expected one field `times` with one row of numbers per job".to_string();
            return Err(fail(Problem::Json { message }));
        }
    };
    let mut instance = rows::read(text, offset(text, times))?;
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
    };
    Ok(Entry { instance: instance.with_name(object.name.unwrap_or_default()), metadata })
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

fn write_instance<T: Time>(instance: &Instance<T>, metadata: &Metadata, out: &mut String) {
    let _ = write!(out, "{{\"schema\":\"{SCHEMA}\",\"name\":{}", Value::from(instance.name()));
    for (field, names) in [("job_names", instance.job_names()), ("machine_names", instance.machine_names())] {
        if let Some(names) = names {
            let _ = write!(out, ",\"{field}\":{}", Value::from(names));
        }
    }
    for (field, bound) in [("lower_bound", metadata.lower_bound), ("upper_bound", metadata.upper_bound)] {
        if let Some(bound) = bound.filter(|bound| bound.is_finite()) {
            let _ = write!(out, ",\"{field}\":{bound}");
        }
    }
    if let Some(seed) = metadata.seed {
        let _ = write!(out, ",\"seed\":{seed}");
    }
    if let Some(reference) = &metadata.reference {
        let _ = write!(out, ",\"reference\":{}", Value::from(reference.as_str()));
    }
    out.push_str(",\"times\":[");
    for job in 0..instance.num_jobs() {
        out.push_str(if job > 0 { ",[" } else { "[" });
        for (machine, &time) in instance.job(job as JobId).iter().enumerate() {
            if machine > 0 {
                out.push(',');
            }
            matrix::write_time(out, time);
        }
        out.push(']');
    }
    out.push_str("]}\n");
}
