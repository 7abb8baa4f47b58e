//! What a network is: its shape and its weights.

mod config;
mod error;
mod tensors;
mod weights;

pub use config::{Aggregation, EncoderKind, Glimpse, NetworkConfig, Normalization};
pub use error::ModelError;
#[cfg(test)]
pub(crate) use weights::tests;
pub use weights::{ModelConfig, ModelWeights, Weights};
