//! Solve the permutation flow shop: every algorithm by name, and the automatic portfolio.

mod auto;
mod beam;
mod building;
mod labelling;
mod models;
mod policy;
mod registry;

#[cfg(feature = "mip")]
pub use auto::Mip;
pub use auto::{Auto, AutoConfig, BranchAndBound, BranchAndBoundConfig};
pub use beam::Beam;
pub use building::{Building, BuildingError, Built};
pub use labelling::{LabelError, Labelling};
pub use models::{
    LoadModelError, LoadedPolicy, ShippedModel, load as load_model, load_among as load_model_among,
    shipped_models,
};
pub use pfss_core as core;
pub use policy::{LearnedPolicy, MAX_JOBS, PolicyConfig, PolicyDecoding, PolicyImprovement};
pub use registry::{
    Algorithm, AlgorithmFor, BuildError, Builder, FlowShopBuilders, FlowShopSolver, algorithm, algorithms,
    missing_algorithms, named as algorithm_among, read as read_config,
};
