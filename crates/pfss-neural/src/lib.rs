//! Learned policies for the permutation flow shop and for other problems whose solutions are orders.
//!
//! The network of "Learning to Optimize Permutation Flow Shop Scheduling via Graph-based Imitation Learning": a
//! gated graph convolution over a graph of similar jobs, and an attention decoder that picks one job after the
//! other; and the front policy, which builds orders from both ends and looks at the machines. This crate runs trained
//! networks without any learning framework; [`mod@reference`] has them written out, as what every fast path must agree with.

mod dataset;
mod decoding;
mod front;
mod graph;
mod inference;
mod network;
mod policy;
mod problem;
pub mod reference;

pub use dataset::{DatasetError, LabelledInstance, LabelledSet, StoredProblem};
pub use decoding::{Decoding, Rollout};
pub use front::{
    End, Finish, FrontAdvisor, FrontConfig, FrontPolicy, FrontState, FrontWeights, Gap, Shortlist,
    StateError, Trajectory,
};
pub use graph::NeighbourGraph;
pub use network::{
    Aggregation, EncoderKind, Glimpse, ModelConfig, ModelError, ModelWeights, NetworkConfig, Normalization,
    Weights,
};
pub use policy::{Encoded, Policy};
pub use problem::{InputScale, LearnableProblem, PolicyInput, ProblemInstance, ProblemKind};
