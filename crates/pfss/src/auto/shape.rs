//! What suits which shape of instance.

use pfss_core::Instance;

/// The share of the work that iterated greedy gets; beam search gets the rest.
///
/// Measured on Taillard's and on random instances (`docs/benchmarks.md`): beam search wins where many jobs
/// meet few machines, iterated greedy where there are less than about three jobs per machine.
pub(super) fn iterated_greedy_share<T: pfss_core::Time>(instance: &Instance<T>) -> f64 {
    let ratio = instance.num_jobs() as f64 / instance.num_machines() as f64;
    match ratio {
        r if r < 2.0 => 0.9,
        r if r < 4.0 => 0.5,
        r if r < 6.0 => 0.3,
        _ => 0.1,
    }
}
