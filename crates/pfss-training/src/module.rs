//! A network that learns: its weights, its optimiser and its running statistics.

use std::collections::HashMap;

use burn::optim::{Adam, AdamConfig, AdamState, AdaptiveMomentumState, SimpleOptimizer};
use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::tensor::{Tensor, TensorData};

use crate::TrainingError;
use crate::checkpoint::Snapshot;
use crate::device::to_vec;
use crate::learner::Pupil;
use crate::parameters::{Layout, Tensors, first_statistics, first_weights};

/// How much of a batch's statistics goes into the running ones.
const MOMENTUM: f32 = 0.1;

pub(crate) struct Module<B: AutodiffBackend> {
    device: B::Device,
    parameters: Layout,
    statistics: Layout,
    adam: Adam,
    pub(crate) weights: Tensor<B::InnerBackend, 1>,
    state: Option<AdamState<B::InnerBackend, 1>>,
    running: Tensor<B::InnerBackend, 1>,
    average: Option<Average<B::InnerBackend>>,
}

/// The average of the weights of all steps, the later ones counting more.
struct Average<B: Backend> {
    /// The share of it that a step keeps.
    keep: f32,
    weights: Tensor<B, 1>,
}

impl<B: Backend> Average<B> {
    /// Takes in the weights after so many steps. While these are few, they keep less: the first weights soon play no part.
    fn add(&mut self, weights: &Tensor<B, 1>, steps: usize) {
        let keep = self.keep.min((1.0 + steps as f32) / (10.0 + steps as f32));
        let nearer = (weights.clone() - self.weights.clone()).mul_scalar(1.0 - keep);
        self.weights = self.weights.clone() + nearer;
    }
}

fn row<B: Backend>(values: &[f32], device: &B::Device) -> Tensor<B, 1> {
    Tensor::from_data(TensorData::new(values.to_vec(), [values.len()]), device)
}

impl<B: AutodiffBackend> Module<B> {
    /// A network of these tensors with its first weights.
    pub(crate) fn new(
        tensors: &[(String, Vec<usize>)],
        running: &[(String, Vec<usize>)],
        seed: pfss_core::Seed,
        device: &B::Device,
    ) -> Self {
        Self {
            device: device.clone(),
            parameters: Layout::new(tensors),
            statistics: Layout::new(running),
            adam: AdamConfig::new().with_epsilon(1e-8).build(),
            weights: row(&first_weights(tensors, seed), device),
            state: None,
            running: row(&first_statistics(running), device),
            average: None,
        }
    }

    /// Also keeps an average of its weights, of which each step keeps this share; none at 0.
    pub(crate) fn with_average(mut self, keep: f32) -> Self {
        self.average = (keep > 0.0).then(|| Average { keep, weights: self.weights.clone() });
        self
    }

    /// The weights of the last step and then the running statistics, on the host.
    ///
    /// # Errors
    /// [`TrainingError::Device`] when the device failed.
    pub(crate) fn current(&self) -> Result<Vec<f32>, TrainingError> {
        let mut row = to_vec(self.weights.clone())?;
        row.extend(self.running()?);
        Ok(row)
    }

    /// Its tensors, as the leaves of a computation that is differentiated.
    pub(crate) fn leaves(&self) -> Tensors<B> {
        self.parameters.leaves(&self.weights)
    }

    /// The gradient of a loss that was computed from `leaves`, in one row.
    pub(crate) fn gradient(&self, leaves: &Tensors<B>, loss: &Tensor<B, 1>) -> Tensor<B::InnerBackend, 1> {
        self.parameters.gradient(leaves, &loss.backward(), &self.device)
    }

    /// One step of Adam. The gradient is scaled down to the norm `clip`, as the paper's code does it.
    pub(crate) fn learn(&mut self, gradient: Tensor<B::InnerBackend, 1>, rate: f64, clip: f32) {
        let norm = (gradient.clone() * gradient.clone()).sum().sqrt();
        let scale = norm.add_scalar(1e-6).recip().mul_scalar(clip).clamp_max(1.0);
        let (weights, state) =
            self.adam.step(rate, self.weights.clone(), gradient * scale, self.state.take());
        (self.weights, self.state) = (weights, state);
        let steps = self.state.as_ref().map_or(0, |state| state.momentum.time);
        if let Some(average) = &mut self.average {
            average.add(&self.weights, steps);
        }
    }

    /// The running statistics, on the host.
    fn running(&self) -> Result<Vec<f32>, TrainingError> {
        if self.statistics.len() > 0 { to_vec(self.running.clone()) } else { Ok(Vec::new()) }
    }

    /// Brings the running statistics nearer to those of a batch.
    pub(crate) fn note(&mut self, noted: HashMap<String, Tensor<B, 2>>) {
        if self.statistics.len() > 0 {
            let noted = noted.into_iter().map(|(name, value)| (name, value.inner()));
            let noted = self.statistics.join(noted.collect(), &self.running);
            self.running = self.running.clone().mul_scalar(1.0 - MOMENTUM) + noted.mul_scalar(MOMENTUM);
        }
    }
}

impl<B: AutodiffBackend> Pupil for Module<B> {
    fn trained(&self) -> Result<Vec<f32>, TrainingError> {
        let Some(average) = &self.average else { return self.current() };
        let mut row = to_vec(average.weights.clone())?;
        row.extend(self.running()?);
        Ok(row)
    }

    fn snapshot(&self) -> Result<Snapshot, TrainingError> {
        let (steps, moment_1, moment_2) = match &self.state {
            Some(AdamState { momentum }) => {
                (momentum.time, to_vec(momentum.moment_1.clone())?, to_vec(momentum.moment_2.clone())?)
            }
            None => (0, vec![0.0; self.parameters.len()], vec![0.0; self.parameters.len()]),
        };
        let (weights, running) = (to_vec(self.weights.clone())?, self.running()?);
        let average = self.average.as_ref().map(|average| to_vec(average.weights.clone()));
        let average = average.transpose()?.unwrap_or_default();
        Ok(Snapshot { steps, weights, moment_1, moment_2, running, average })
    }

    fn restore(&mut self, snapshot: &Snapshot) -> bool {
        let is_fit = [&snapshot.weights, &snapshot.moment_1, &snapshot.moment_2]
            .iter()
            .all(|row| row.len() == self.parameters.len())
            && snapshot.running.len() == self.statistics.len()
            && [0, self.parameters.len()].contains(&snapshot.average.len());
        if !is_fit {
            return false;
        }
        let device = &self.device;
        self.state = (snapshot.steps > 0).then(|| {
            let moments = (row(&snapshot.moment_1, device), row(&snapshot.moment_2, device));
            AdamState::new(AdaptiveMomentumState::new(snapshot.steps, moments.0, moments.1))
        });
        self.weights = row(&snapshot.weights, device);
        self.running = row(&snapshot.running, device);
        if let Some(average) = &mut self.average {
            let is_new = snapshot.average.is_empty();
            average.weights = row(if is_new { &snapshot.weights } else { &snapshot.average }, device);
        }
        true
    }
}
