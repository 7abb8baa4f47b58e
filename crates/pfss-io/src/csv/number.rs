//! What jobs and machines without names are called.

/// The label of a job without a name, as [`pfss_core::Instance::job_label`] gives it.
pub(super) fn job_number(job: usize) -> String {
    job.to_string()
}

/// The label of a machine without a name, as [`pfss_core::Instance::machine_label`] gives it.
pub(super) fn machine_number(machine: usize) -> String {
    format!("M{}", machine + 1)
}
