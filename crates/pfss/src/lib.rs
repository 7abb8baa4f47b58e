//! Solve the permutation flow shop: every algorithm by name, and the automatic portfolio.

mod registry;

pub use pfss_core as core;
pub use registry::{Algorithm, BuildError, algorithm, algorithms};
