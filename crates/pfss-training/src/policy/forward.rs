//! Burn's forward pass of a trained network: the oracle of inference, and what it is timed against.

use burn::backend::Flex;
use burn::tensor::{Tensor, TensorData};
use pfss_core::JobId;
use pfss_neural::{DatasetError, ModelConfig, ModelError, NetworkConfig, PolicyInput, Weights};

use super::network::{Batch, Lookup, Network, Prepared, Statistics};
use crate::TrainingError;
use crate::device::to_vec;
use crate::parameters::{Layout, Tensors, in_one_row};

/// A trained network in burn, on the CPU.
pub struct BurnPolicy {
    config: NetworkConfig,
    /// Trained ones and running statistics.
    tensors: Tensors<Flex>,
}

impl BurnPolicy {
    /// The network of these weights.
    pub fn new(weights: &Weights) -> Self {
        let config = weights.config().clone();
        let layout = Layout::new(&config.stored());
        let data = TensorData::new(in_one_row(weights), [layout.len()]);
        let tensors = layout.split(&Tensor::<Flex, 1>::from_data(data, &Default::default()));
        Self { config, tensors }
    }

    fn with<R>(
        &self,
        instances: &[impl PolicyInput],
        then: impl FnOnce(&Network<'_, Flex>, &Batch<Flex>) -> Result<R, TrainingError>,
    ) -> Result<R, TrainingError> {
        let n = instances.first().map_or(0, PolicyInput::len);
        if let Some(index) = instances.iter().position(|instance| instance.len() != n) {
            return Err(DatasetError::Size { index }.into());
        }
        let statistics = Statistics::Running(&self.tensors);
        let network = Network {
            config: &self.config,
            tensors: &self.tensors,
            statistics: &statistics,
            lookup: Lookup::Index,
        };
        let prepared = instances
            .iter()
            .map(|instance| Prepared::new(&self.config, instance))
            .collect::<Result<Vec<_>, ModelError>>()?;
        then(&network, &Batch::load(&prepared, n, &Default::default()))
    }

    /// The most likely job at each step, for instances of one size.
    ///
    /// # Errors
    /// [`TrainingError`] when instances differ in size or have another number of machines.
    pub fn greedy(&self, instances: &[impl PolicyInput]) -> Result<Vec<Vec<JobId>>, TrainingError> {
        let n = instances.first().map_or(1, PolicyInput::len);
        self.with(instances, |network, batch| {
            let orders = network.greedy(network.encode(batch)).into_data();
            let orders = orders
                .to_vec::<i32>()
                .map_err(|error| TrainingError::Device { reason: format!("{error:?}") })?;
            Ok(orders.chunks_exact(n).map(|order| order.iter().map(|&job| job as JobId).collect()).collect())
        })
    }

    /// The log-probabilities of all jobs at each step, where jobs are placed in the order of their numbers; those of
    /// jobs that are placed already mean nothing.
    ///
    /// # Errors
    /// As for [`BurnPolicy::greedy`].
    pub fn log_probabilities(&self, instances: &[impl PolicyInput]) -> Result<Vec<Vec<f32>>, TrainingError> {
        let n = instances.first().map_or(1, PolicyInput::len);
        self.with(instances, |network, batch| {
            let steps = to_vec(network.teacher_forced(network.encode(batch)))?;
            Ok(steps.chunks_exact(n * n).map(<[f32]>::to_vec).collect())
        })
    }
}
