//! Writing CSV.

use pfss_core::{Instance, JobId, Time};

use super::number::{job_number, machine_number};
use crate::{Entry, match_instance, matrix};

/// Appends an instance to `out`: the bare times, or with a header row and a column of names as soon as jobs
/// or machines have names. The instance's own name is not part of the format.
pub fn write(entry: &Entry, out: &mut String) {
    match_instance!(&entry.instance, instance => write_instance(instance, out));
}

fn write_instance<T: Time>(instance: &Instance<T>, out: &mut String) {
    let jobs = instance.job_names();
    let machines = instance.machine_names();
    let is_named = jobs.is_some() || machines.is_some();
    if is_named {
        out.push_str("job");
        for machine in 0..instance.num_machines() {
            out.push(',');
            match machines {
                Some(names) => write_name(out, &names[machine]),
                None => out.push_str(&machine_number(machine)),
            }
        }
        out.push('\n');
    }
    for job in 0..instance.num_jobs() {
        if is_named {
            match jobs {
                Some(names) => write_name(out, &names[job]),
                None => out.push_str(&job_number(job)),
            }
            out.push(',');
        }
        for (machine, &time) in instance.job(job as JobId).iter().enumerate() {
            if machine > 0 {
                out.push(',');
            }
            matrix::write_time(out, time);
        }
        out.push('\n');
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
