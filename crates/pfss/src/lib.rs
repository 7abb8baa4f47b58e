//! Solve the permutation flow shop: every algorithm by name, and the automatic portfolio.

mod auto;
mod registry;

#[cfg(feature = "mip")]
pub use auto::Mip;
pub use auto::{Auto, AutoConfig, BranchAndBound, BranchAndBoundConfig};
pub use pfss_core as core;
pub use registry::{Algorithm, BuildError, FlowShopSolver, algorithm, algorithms, missing_algorithms};
