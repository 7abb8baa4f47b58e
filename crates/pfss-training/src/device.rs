//! Where a policy is trained.

use burn::backend::{Autodiff, Flex};
use burn::tensor::Tensor;
use burn::tensor::backend::Backend;

use crate::TrainingError;
#[cfg(feature = "cuda")]
use crate::learner::Learner;

/// Where a policy is trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// The processor, on the threads of the current rayon pool.
    Cpu,
    /// The first NVIDIA GPU.
    #[cfg(feature = "cuda")]
    Cuda,
}

/// What computes on the processor.
pub(crate) type Cpu = Autodiff<Flex>;

/// What computes on a GPU.
#[cfg(feature = "cuda")]
pub(crate) type Gpu = Autodiff<burn::backend::Cuda>;

/// The numbers of a tensor, on the host.
pub(crate) fn to_vec<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> Result<Vec<f32>, TrainingError> {
    let data =
        tensor.try_into_data().map_err(|error| TrainingError::Device { reason: format!("{error:?}") })?;
    data.to_vec::<f32>().map_err(|error| TrainingError::Device { reason: format!("{error:?}") })
}

/// Makes a learner where there is a GPU; without one or its driver the runtime panics, and a person is told what is
/// missing.
#[cfg(feature = "cuda")]
pub(crate) fn on_gpu<L: Learner + 'static>(
    make: impl FnOnce() -> Result<L, TrainingError>,
) -> Result<Box<dyn Learner>, TrainingError> {
    let make = || -> Result<Box<dyn Learner>, TrainingError> {
        let learner = make()?;
        learner.losses()?;
        Ok(Box::new(learner))
    };
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(make)) {
        Ok(learner) => learner,
        Err(_) => Err(TrainingError::Device {
            reason:
                "no NVIDIA GPU with its driver and the CUDA toolkit (CUDA_PATH) was found; train on the CPU"
                    .to_string(),
        }),
    }
}
