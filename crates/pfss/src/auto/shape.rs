//! What suits which shape of instance.

use pfss_core::{Instance, Time};

/// The share of the time that iterated greedy gets; beam search gets the rest.
///
/// Measured on Taillard's and on random instances: beam search wins where many jobs meet few machines,
/// iterated greedy where there are less than about four jobs per machine.
pub(super) fn iterated_greedy_share<T: Time>(instance: &Instance<T>) -> f64 {
    let jobs_per_machine = instance.num_jobs() as f64 / instance.num_machines() as f64;
    match jobs_per_machine {
        ratio if ratio < 2.0 => 0.95,
        ratio if ratio < 4.0 => 0.9,
        ratio if ratio < 6.0 => 0.25,
        _ => 0.05,
    }
}
