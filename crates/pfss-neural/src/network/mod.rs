//! What a network is: its shape and its weights.

mod config;
mod error;
pub(crate) mod tensors;
mod weights;

pub use config::{Aggregation, EncoderKind, InputScale, NetworkConfig, Normalization};
pub use error::ModelError;
pub use weights::Weights;
#[cfg(test)]
pub(crate) use weights::tests;
