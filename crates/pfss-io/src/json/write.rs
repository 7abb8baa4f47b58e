//! Writing JSON: version 1 where jobs and machines carry times only, else version 2.

use std::fmt::Write;

use pfss_core::timing::{Attributes, JobAttributes, MachineAttributes, Objective};
use pfss_core::{Instance, Time};
use serde_json::Value;

use super::schema::{PLANNER_SCHEMA, SCHEMA};
use crate::{Entry, Metadata, match_instance, matrix};

/// Appends an instance to `out` as one line, so that several follow each other as JSON Lines.
pub fn write(entry: &Entry, out: &mut String) {
    match_instance!(&entry.instance, instance => write_instance(instance, entry, out));
}

fn write_instance<T: Time>(instance: &Instance<T>, entry: &Entry, out: &mut String) {
    let attributes = &entry.attributes;
    let is_plain = attributes.is_plain();
    let schema = if is_plain { SCHEMA } else { PLANNER_SCHEMA };
    let _ = write!(out, "{{\"schema\":\"{schema}\",\"name\":{}", Value::from(instance.name()));
    if is_plain {
        for (field, names) in
            [("job_names", instance.job_names()), ("machine_names", instance.machine_names())]
        {
            if let Some(names) = names {
                let _ = write!(out, ",\"{field}\":{}", Value::from(names));
            }
        }
    }
    write_metadata(&entry.metadata, out);
    if is_plain {
        write_list(out, "times", instance.num_jobs(), |out, job| write_times(out, instance, job));
    } else {
        write_order(attributes, out);
        write_list(out, "jobs", instance.num_jobs(), |out, job| write_job(out, instance, attributes, job));
        write_machines(instance, attributes, out);
    }
    out.push_str("}\n");
}

fn write_metadata(metadata: &Metadata, out: &mut String) {
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
    if let Some(other) = &metadata.other {
        let _ = write!(out, ",\"metadata\":{other}");
    }
}

/// What the order must be like and what it is judged by.
fn write_order(attributes: &Attributes, out: &mut String) {
    match attributes.objectives.as_slice() {
        [] => {}
        [objective] => {
            let _ = write!(out, ",\"objective\":\"{objective}\"");
        }
        objectives => {
            let names: Vec<&str> = objectives.iter().copied().map(Objective::name).collect();
            let _ = write!(out, ",\"objective\":{}", Value::from(names));
        }
    }
    if !attributes.first.is_empty() {
        let _ = write!(out, ",\"first\":{}", Value::from(attributes.first.as_slice()));
    }
    if !attributes.precedence.is_empty() {
        let pairs: Vec<Value> =
            attributes.precedence.iter().map(|&(before, after)| Value::from([before, after])).collect();
        let _ = write!(out, ",\"precedence\":{}", Value::from(pairs));
    }
}

fn write_job<T: Time>(out: &mut String, instance: &Instance<T>, attributes: &Attributes, job: usize) {
    out.push('{');
    if let Some(names) = instance.job_names() {
        let _ = write!(out, "\"name\":{},", Value::from(names[job].as_str()));
    }
    out.push_str("\"times\":");
    write_times(out, instance, job);
    let default = JobAttributes::default();
    let own = attributes.jobs.get(job).unwrap_or(&default);
    if own.release != default.release {
        let _ = write!(out, ",\"release\":{}", own.release);
    }
    if let Some(due) = own.due {
        let _ = write!(out, ",\"due\":{due}");
    }
    if own.weight != default.weight {
        let _ = write!(out, ",\"weight\":{}", own.weight);
    }
    if let Some(name) = own.family.and_then(|family| attributes.families.get(family)) {
        let _ = write!(out, ",\"family\":{}", Value::from(name.as_str()));
    }
    out.push('}');
}

fn write_machines<T: Time>(instance: &Instance<T>, attributes: &Attributes, out: &mut String) {
    if instance.machine_names().is_none() && attributes.machines.is_empty() {
        return;
    }
    let default = MachineAttributes::default();
    write_list(out, "machines", instance.num_machines(), |out, machine| {
        let name = instance.machine_names().map(|names| names[machine].as_str());
        let own = attributes.machines.get(machine).unwrap_or(&default);
        out.push('{');
        out.push_str(&members(name, own, attributes).join(","));
        out.push('}');
    });
}

/// What is said of one machine.
fn members(name: Option<&str>, machine: &MachineAttributes, attributes: &Attributes) -> Vec<String> {
    let mut members = Vec::new();
    if let Some(name) = name {
        members.push(format!("\"name\":{}", Value::from(name)));
    }
    if machine.available_from != 0.0 {
        members.push(format!("\"available_from\":{}", machine.available_from));
    }
    if !machine.breaks.is_empty() {
        let breaks: Vec<String> = machine.breaks.iter().map(|(from, to)| format!("[{from},{to}]")).collect();
        members.push(format!("\"breaks\":[{}]", breaks.join(",")));
    }
    if !machine.resume {
        members.push("\"resume\":false".to_string());
    }
    if !machine.setups.is_empty() {
        let family = |family: Option<usize>| {
            let name = family.and_then(|family| attributes.families.get(family));
            name.map_or(Value::Null, |name| Value::from(name.as_str()))
        };
        let setups: Vec<String> = machine
            .setups
            .iter()
            .map(|one| {
                let (from, to) = (family(one.from), family(Some(one.to)));
                format!("{{\"from\":{from},\"to\":{to},\"time\":{}}}", one.time)
            })
            .collect();
        members.push(format!("\"setup\":[{}]", setups.join(",")));
    }
    if let Some(buffer) = machine.buffer {
        members.push(format!("\"buffer\":{buffer}"));
    }
    if machine.no_wait {
        members.push("\"no_wait\":true".to_string());
    }
    members
}

/// A member that is an array of `count` things.
fn write_list(out: &mut String, name: &str, count: usize, mut write: impl FnMut(&mut String, usize)) {
    let _ = write!(out, ",\"{name}\":[");
    for index in 0..count {
        if index > 0 {
            out.push(',');
        }
        write(out, index);
    }
    out.push(']');
}

fn write_times<T: Time>(out: &mut String, instance: &Instance<T>, job: usize) {
    let num_machines = instance.num_machines();
    let times = &instance.times()[job * num_machines..][..num_machines];
    out.push('[');
    for (machine, &time) in times.iter().enumerate() {
        if machine > 0 {
            out.push(',');
        }
        matrix::write_time(out, time);
    }
    out.push(']');
}
