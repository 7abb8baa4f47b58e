//! Writing CSV.

use std::collections::HashSet;
use std::fmt::Write;

use pfss_core::timing::{Attributes, JobAttributes};
use pfss_core::{Instance, Time};

use super::columns::{meaning, misread};
use super::number::{job_number, machine_number};
use crate::{Entry, WriteError, match_instance, matrix};

/// Appends an instance to `out`: the bare times, or with a header row and a column of names as soon as jobs
/// or machines have names or jobs have attributes. The instance's own name is not part of the format.
pub fn write(entry: &Entry, out: &mut String) {
    match_instance!(&entry.instance, instance => write_instance(instance, &entry.attributes, out));
}

/// An attribute that is written: its column, and a job's cell.
type Column = (&'static str, fn(&JobAttributes, &Attributes) -> String);

/// The columns of all attributes, in the order in which they are written.
const COLUMNS: [Column; 4] = [
    ("release", |job, _| if job.release == 0.0 { String::new() } else { job.release.to_string() }),
    ("due", |job, _| job.due.map(|due| due.to_string()).unwrap_or_default()),
    ("weight", |job, _| if job.weight == 1.0 { String::new() } else { job.weight.to_string() }),
    ("family", |job, all| {
        job.family.and_then(|family| all.families.get(family)).cloned().unwrap_or_default()
    }),
];

fn write_instance<T: Time>(instance: &Instance<T>, attributes: &Attributes, out: &mut String) {
    let jobs = instance.job_names();
    let machines = instance.machine_names();
    let is_used = |column: &&Column| attributes.jobs.iter().any(|job| !column.1(job, attributes).is_empty());
    let columns: Vec<&Column> = COLUMNS.iter().filter(is_used).collect();
    let is_named = jobs.is_some() || machines.is_some() || !columns.is_empty();
    if is_named {
        out.push_str("job");
        for machine in 0..instance.num_machines() {
            out.push(',');
            match machines {
                Some(names) => write_name(out, &names[machine]),
                None => out.push_str(&machine_number(machine)),
            }
        }
        for (name, _) in &columns {
            let _ = write!(out, ",{name}");
        }
        out.push('\n');
    }
    for (job, times) in instance.times().chunks_exact(instance.num_machines()).enumerate() {
        if is_named {
            match jobs {
                Some(names) => write_name(out, &names[job]),
                None => out.push_str(&job_number(job)),
            }
            out.push(',');
        }
        for (machine, &time) in times.iter().enumerate() {
            if machine > 0 {
                out.push(',');
            }
            matrix::write_time(out, time);
        }
        if let Some(job) = attributes.jobs.get(job) {
            for (_, cell) in &columns {
                out.push(',');
                match cell(job, attributes) {
                    empty if empty.is_empty() => {}
                    text => write_name(out, &text),
                }
            }
        }
        out.push('\n');
    }
}

/// Checks that a reader gives the names back.
///
/// # Errors
/// [`WriteError`] names a machine that would be taken for another column, or jobs that could not be told apart.
pub fn check_names(entry: &Entry) -> Result<(), WriteError> {
    let instance = || entry.instance.name().to_string();
    for machine in entry.instance.machine_names().unwrap_or_default() {
        if let Some(role) = misread(machine) {
            let machine = machine.clone();
            return Err(WriteError::Heading { machine, meaning: meaning(role), instance: instance() });
        }
    }
    let mut seen = HashSet::new();
    let jobs = entry.instance.job_names().unwrap_or_default();
    match jobs.iter().filter(|name| !name.is_empty()).find(|name| !seen.insert(name.as_str())) {
        Some(job) => Err(WriteError::SameName { job: job.clone(), instance: instance() }),
        None => Ok(()),
    }
}

fn write_name(out: &mut String, name: &str) {
    let is_plain = !name.is_empty()
        && name.trim_ascii().len() == name.len()
        && !name.contains([',', ';', '\t', '\n', '\r', '"']);
    if is_plain {
        out.push_str(name);
    } else {
        out.push('"');
        out.push_str(&name.replace('"', "\"\""));
        out.push('"');
    }
}
