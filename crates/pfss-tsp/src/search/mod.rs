//! Tours by local search.

mod greedy;
mod local_search;
mod solver;
mod tour;

pub use solver::{TspIteratedLocalSearch, TspIteratedLocalSearchConfig};

use pfss_core::Run;

use crate::TspInstance;

/// Improves the run's best tour by so many disturbances, or until `must_end`.
pub(crate) fn search_locally(
    instance: &TspInstance,
    run: &Run<'_, f64>,
    iterations: u64,
    must_end: &dyn Fn() -> bool,
) {
    let config = TspIteratedLocalSearchConfig { iterations, ..TspIteratedLocalSearchConfig::default() };
    TspIteratedLocalSearch::new(config).search(instance, run, must_end);
}
