//! The travelling salesman: every algorithm by name, and the automatic portfolio.

mod auto;
mod branch_and_bound;
mod registry;

pub use auto::{Auto, AutoConfig};
pub use branch_and_bound::{BranchAndBound, BranchAndBoundConfig};
pub use registry::{TspAlgorithm, TspSolver, tsp_algorithm, tsp_algorithms};

use pfss_core::Run;
use pfss_core::tsp::TspInstance;
use pfss_heuristics::{TspIteratedLocalSearch, TspIteratedLocalSearchConfig};

/// Improves the run's best tour by so many disturbances, or until `must_end`.
fn search_locally(instance: &TspInstance, run: &Run<'_, f64>, iterations: u64, must_end: &dyn Fn() -> bool) {
    let config = TspIteratedLocalSearchConfig { iterations, ..TspIteratedLocalSearchConfig::default() };
    TspIteratedLocalSearch::new(config).search(instance, run, must_end);
}
