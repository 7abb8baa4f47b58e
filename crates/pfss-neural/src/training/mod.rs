//! Training of policies with burn, on the CPU or (feature `cuda`) on a GPU.
//!
//! A training is a state that is advanced batch by batch and can be saved and restored between any two of them:
//! the same configuration, data and seed give the same weights, however often it was interrupted. All files are
//! left to the caller.

mod behaviour_cloning;
mod checkpoint;
mod config;
mod decoder;
mod encoder;
mod error;
mod forward;
mod parameters;
#[cfg(test)]
mod tests;

pub use behaviour_cloning::{BehaviourCloning, Epoch};
pub use config::{Device, TrainingConfig};
pub use error::TrainingError;
pub use forward::BurnPolicy;

use burn::tensor::Tensor;
use burn::tensor::backend::Backend;

/// The numbers of a tensor, on the host.
fn to_vec<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> Result<Vec<f32>, TrainingError> {
    let data =
        tensor.try_into_data().map_err(|error| TrainingError::Device { reason: format!("{error:?}") })?;
    data.to_vec::<f32>().map_err(|error| TrainingError::Device { reason: format!("{error:?}") })
}
