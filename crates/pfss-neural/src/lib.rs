//! Learned policies for the permutation flow shop and for other problems whose solutions are orders.
//!
//! The network of "Learning to Optimize Permutation Flow Shop Scheduling via Graph-based Imitation Learning": a
//! gated graph convolution over a graph of similar jobs, and an attention decoder that picks one job after the
//! other; and the front policy, which builds orders from both ends and looks at the machines. This crate runs trained
//! networks without any learning framework; with the feature `train` it also trains those of the paper.

mod dataset;
mod decoding;
mod front;
mod graph;
mod inference;
mod network;
mod policy;
mod problem;
#[cfg(test)]
mod reference;
#[cfg(feature = "train")]
pub mod training;

pub use dataset::{DatasetError, LabelledInstance, LabelledSet, StoredProblem};
pub use decoding::{Decoding, Rollout};
pub use front::{
    End, Finish, FrontAdvisor, FrontConfig, FrontPolicy, FrontState, FrontWeights, StateError, Trajectory,
};
pub use graph::NeighbourGraph;
pub use network::{
    Aggregation, EncoderKind, ModelConfig, ModelError, ModelWeights, NetworkConfig, Normalization, Weights,
};
pub use policy::{Encoded, Policy};
pub use problem::{InputScale, LearnableProblem, PolicyInput, ProblemInstance, ProblemKind};
