//! Burn's forward pass of a trained network: the oracle of inference, and what it is timed against.

use burn::backend::Flex;
use burn::tensor::{Tensor, TensorData};
use pfss_core::{Instance, JobId};

use super::behaviour_cloning::load;
use super::encoder::{Batch, Lookup, Network, Statistics};
use super::parameters::{Layout, Tensors};
use super::{TrainingError, to_vec};
use crate::{ModelError, NetworkConfig, Weights};

/// A trained network in burn, on the CPU.
pub struct BurnPolicy {
    config: NetworkConfig,
    tensors: Tensors<Flex>,
    running: Tensors<Flex>,
}

impl BurnPolicy {
    /// The network of these weights.
    pub fn new(weights: &Weights) -> Self {
        let config = weights.config().clone();
        let split = |tensors: Vec<(String, Vec<usize>)>| {
            let row: Vec<f32> =
                tensors.iter().flat_map(|(name, _)| weights.get(name).iter().copied()).collect();
            let data = TensorData::new(row, [Layout::new(&tensors).len()]);
            Layout::new(&tensors).split(&Tensor::<Flex, 1>::from_data(data, &Default::default()))
        };
        let (tensors, running) = (split(config.tensors()), split(config.running()));
        Self { config, tensors, running }
    }

    fn with<R>(
        &self,
        instances: &[Instance<f64>],
        then: impl FnOnce(&Network<'_, Flex>, &Batch<Flex>) -> Result<R, TrainingError>,
    ) -> Result<R, TrainingError> {
        let expected = self.config.num_machines;
        if let Some(other) = instances.iter().find(|instance| instance.num_machines() != expected) {
            return Err(ModelError::Machines { expected, found: other.num_machines() }.into());
        }
        let n = instances.first().map_or(0, Instance::num_jobs);
        if let Some(index) = instances.iter().position(|instance| instance.num_jobs() != n) {
            return Err(crate::DatasetError::Size { index }.into());
        }
        let statistics = Statistics::Running(&self.running);
        let network = Network {
            config: &self.config,
            tensors: &self.tensors,
            statistics: &statistics,
            lookup: Lookup::Index,
        };
        let features: Vec<Vec<f32>> =
            instances.iter().map(|instance| self.config.features(instance)).collect();
        then(&network, &load(&self.config, &features, n, &Default::default()))
    }

    /// The most likely job at each step, for instances of one size.
    ///
    /// # Errors
    /// [`TrainingError`] when instances differ in size or have another number of machines.
    pub fn greedy(&self, instances: &[Instance<f64>]) -> Result<Vec<Vec<JobId>>, TrainingError> {
        let n = instances.first().map_or(1, Instance::num_jobs);
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
    pub fn log_probabilities(&self, instances: &[Instance<f64>]) -> Result<Vec<Vec<f32>>, TrainingError> {
        let n = instances.first().map_or(1, Instance::num_jobs);
        self.with(instances, |network, batch| {
            let steps = to_vec(network.teacher_forced(network.encode(batch)))?;
            Ok(steps.chunks_exact(n * n).map(<[f32]>::to_vec).collect())
        })
    }
}
