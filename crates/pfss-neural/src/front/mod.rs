//! The front policy: orders that grow from both ends, by a network that looks at the machines.
//!
//! At each step every remaining job is a candidate for both ends. What the network sees of a candidate is how it would
//! run on each machine between the front of the jobs placed before and that of the jobs placed behind. Both ends are
//! scored by the same weights, the back in the mirrored problem: a mirrored instance gets the mirrored order. One
//! network serves any number of jobs and machines.

mod advisor;
mod beam;
mod columns;
mod config;
mod decoding;
mod embedding;
mod features;
mod finish;
mod folding;
mod gathering;
mod group;
mod groups;
mod guide;
mod lister;
mod memory;
mod pack;
mod panels;
mod per_candidate;
mod policy;
pub(crate) mod reference;
mod rest;
mod rest_kernels;
mod rows;
mod scorer;
mod scoring;
mod scratch;
mod shortlist;
mod slopes;
mod state;
mod step;
#[cfg(test)]
mod tests;
mod weights;
mod widening;

pub use advisor::FrontAdvisor;
pub use config::FrontConfig;
pub use finish::{Finish, Gap};
pub use policy::{FrontPolicy, Trajectory};
pub use shortlist::Shortlist;
pub use state::{End, FrontState, StateError};
pub use weights::FrontWeights;
