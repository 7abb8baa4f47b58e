//! Training of policies with burn, on the CPU or (feature `cuda`) on a GPU.
//!
//! A training is a state that is advanced batch by batch and can be saved and restored between any two of them:
//! the same configuration, data and seed give the same weights, however often it was interrupted. All files are
//! left to the caller.

mod actor_critic;
mod behaviour_cloning;
mod blocks;
mod checkpoint;
mod config;
mod critic;
mod decoder;
mod error;
mod forward;
mod front;
mod ggcn;
mod learner;
mod module;
mod network;
mod parameters;
mod rivals;
#[cfg(test)]
mod tests;
#[expect(clippy::module_inception)]
mod training;

pub use config::{CostScale, Device, Method, TrainingConfig};
pub use error::TrainingError;
pub use forward::BurnPolicy;
pub use front::{DrawShop, FrontLessons, FrontSource, FrontTraining, FrontTrainingConfig, Rollouts};
pub use training::{Draw, Epoch, Fresh, Lessons, Training};

use burn::tensor::Tensor;
use burn::tensor::backend::Backend;

/// The numbers of a tensor, on the host.
fn to_vec<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> Result<Vec<f32>, TrainingError> {
    let data =
        tensor.try_into_data().map_err(|error| TrainingError::Device { reason: format!("{error:?}") })?;
    data.to_vec::<f32>().map_err(|error| TrainingError::Device { reason: format!("{error:?}") })
}
