//! The forward pass of training with a trained network: the oracle of inference, and what it is timed against.

use std::rc::Rc;

use pfss_core::JobId;
use pfss_neural::{DatasetError, ModelConfig, ModelError, NetworkConfig, PolicyInput, Weights};

use super::network::{Batch, Network, Prepared, Statistics};
use crate::TrainingError;
use crate::engine::{Backend, Cpu, Matrix, Tape};
use crate::parameters::{Layout, in_one_row};

/// A trained network as trainings compute it, on the CPU.
pub struct ForwardPass {
    config: NetworkConfig,
    layout: Layout,
    backend: Rc<Cpu>,
    /// Trained ones and running statistics.
    row: Matrix<Cpu>,
}

impl ForwardPass {
    /// The network of these weights.
    pub fn new(weights: &Weights) -> Self {
        let (config, backend, row) = (weights.config().clone(), Rc::new(Cpu::new()), in_one_row(weights));
        Self { layout: Layout::new(&config.stored()), row: backend.upload(&row, row.len()), config, backend }
    }

    fn with<R>(
        &self,
        instances: &[impl PolicyInput],
        then: impl FnOnce(&Network<'_, Cpu>, &Batch<Cpu>) -> Result<R, TrainingError>,
    ) -> Result<R, TrainingError> {
        let n = instances.first().map_or(0, PolicyInput::len);
        if let Some(index) = instances.iter().position(|instance| instance.len() != n) {
            return Err(DatasetError::Size { index }.into());
        }
        let tape = Tape::plain(&self.backend);
        let tensors = self.layout.constants(&tape, &self.row);
        let statistics = Statistics::Running(&tensors);
        let network =
            Network { config: &self.config, tape: &tape, tensors: &tensors, statistics: &statistics };
        let prepared = instances
            .iter()
            .map(|instance| Prepared::new(&self.config, instance))
            .collect::<Result<Vec<_>, ModelError>>()?;
        then(&network, &Batch::load(&self.config, &prepared, n, &self.backend))
    }

    /// The most likely job at each step, for instances of one size.
    ///
    /// # Errors
    /// [`TrainingError`] when instances differ in size or have another number of machines.
    pub fn greedy(&self, instances: &[impl PolicyInput]) -> Result<Vec<Vec<JobId>>, TrainingError> {
        self.with(instances, |network, batch| {
            let orders = network.roll_out(&network.encode(batch), batch.jobs, None);
            Ok(orders.chunks_exact(batch.jobs.max(1)).map(<[JobId]>::to_vec).collect())
        })
    }

    /// The log-probabilities of all jobs at each step, where jobs are placed in the order of their numbers; minus
    /// infinity for those that are placed already.
    ///
    /// # Errors
    /// As for [`ForwardPass::greedy`].
    pub fn log_probabilities(&self, instances: &[impl PolicyInput]) -> Result<Vec<Vec<f32>>, TrainingError> {
        self.with(instances, |network, batch| {
            let pointed = network.teacher_forced(&network.encode(batch), batch.jobs);
            let steps = self.backend.download(&pointed.probabilities)?;
            let logarithms = |steps: &[f32]| steps.iter().map(|chance| chance.ln()).collect();
            Ok(steps.chunks_exact((batch.jobs * batch.jobs).max(1)).map(logarithms).collect())
        })
    }
}
