//! Solve the permutation flow shop: every algorithm by name, and the automatic portfolio.

mod auto;
mod beam;
mod building;
mod labelling;
mod models;
mod policy;
mod registry;
pub mod tsp;

#[cfg(feature = "mip")]
pub use auto::Mip;
pub use auto::{Auto, AutoConfig, BranchAndBound, BranchAndBoundConfig};
pub use beam::Beam;
pub use building::{Building, BuildingError, Built};
pub use labelling::{LabelError, Labelling};
pub use models::{LoadModelError, LoadedPolicy, ShippedModel, load as load_model, shipped_models};
pub use pfss_core as core;
pub use policy::{LearnedPolicy, PolicyConfig, PolicyDecoding, PolicyImprovement};
pub use registry::{
    Algorithm, AlgorithmFor, BuildError, FlowShopBuilders, FlowShopSolver, algorithm, algorithms,
    missing_algorithms,
};
pub use tsp::{TspAlgorithm, TspSolver, tsp_algorithm, tsp_algorithms};
