//! Imitation of an expert: teacher-forced cross-entropy over all steps at once (section 4.3 of the paper).

use std::time::Instant;

use burn::backend::{Autodiff, Flex};
use burn::optim::{Adam, AdamConfig, AdamState, AdaptiveMomentumState, SimpleOptimizer};
use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::tensor::{Int, Tensor, TensorData};
use pfss_core::{Seed, makespan};
use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::checkpoint::{self, Position, Snapshot};
use super::encoder::{Batch, Lookup, Network, Statistics};
use super::parameters::{Layout, first_statistics, first_weights};
use super::{Device, TrainingConfig, TrainingError, to_vec};
use crate::{LabelledInstance, LabelledSet, ModelError, NeighbourGraph, NetworkConfig, Policy, Weights};

/// How much of a batch's statistics goes into the running ones.
const MOMENTUM: f32 = 0.1;

/// What an epoch led to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Its number, counted from one.
    pub epoch: usize,
    /// The mean loss of its batches.
    pub loss: f64,
    /// The mean makespan of greedy orders on the validation instances.
    pub makespan: f64,
    /// How far that is above the expert's mean makespan, in percent of it.
    pub gap: f64,
    /// The mean over instances of how far each is above the expert's makespan, in percent of it.
    pub mean_gap: f64,
    /// The learning rate.
    pub learning_rate: f64,
    /// How long its batches took.
    pub seconds: f64,
}

/// The training of a policy on an expert's orders.
pub struct BehaviourCloning {
    position: Position,
    learner: Box<dyn Learn>,
    num_instances: usize,
    /// The order in which this epoch takes the instances.
    shuffled: Vec<i32>,
}

impl BehaviourCloning {
    /// A new training.
    ///
    /// # Errors
    /// [`TrainingError`] when settings, data and network do not fit, or the device is missing.
    pub fn new(config: TrainingConfig, data: &LabelledSet, device: Device) -> Result<Self, TrainingError> {
        config.check()?;
        let (expected, found) = (config.network.num_machines, data.num_machines());
        if expected != found {
            return Err(ModelError::Machines { expected, found }.into());
        }
        if data.num_jobs() < 2 {
            let value = data.num_jobs().to_string();
            return Err(TrainingError::Setting { name: "the number of jobs", value, expected: "at least 2" });
        }
        let learner: Box<dyn Learn> = match device {
            Device::Cpu => Box::new(Learner::<Autodiff<Flex>>::new(&config, data, Lookup::Index)),
            #[cfg(feature = "cuda")]
            Device::Cuda => cuda(&config, data)?,
        };
        let data_fingerprint = data.fingerprint();
        let position = Position {
            config,
            data: data_fingerprint,
            epoch: 0,
            batch: 0,
            seconds: 0.0,
            history: Vec::new(),
        };
        let mut training =
            Self { position, learner, num_instances: data.items().len(), shuffled: Vec::new() };
        training.shuffle();
        Ok(training)
    }

    /// Goes on from a checkpoint. The number of epochs may be another than when it was made.
    ///
    /// # Errors
    /// Those of [`BehaviourCloning::new`], and when the bytes are no checkpoint or one of another training.
    pub fn resume(
        config: TrainingConfig,
        data: &LabelledSet,
        device: Device,
        bytes: &[u8],
    ) -> Result<Self, TrainingError> {
        let (position, snapshot) = checkpoint::read(bytes)?;
        if (TrainingConfig { epochs: config.epochs, ..position.config.clone() }) != config {
            let what = serde_json::to_string(&position.config).unwrap_or_default();
            return Err(TrainingError::Different { what: format!("other settings: {what}") });
        }
        let mut training = Self::new(config, data, device)?;
        if position.data != training.position.data {
            return Err(TrainingError::Different { what: "other instances or labels".to_string() });
        }
        training.position = Position { config: training.position.config, ..position };
        training.learner.restore(&snapshot);
        training.shuffle();
        Ok(training)
    }

    /// The training between two batches, as a file's content.
    ///
    /// # Errors
    /// [`TrainingError::Device`] when the device failed.
    pub fn checkpoint(&self) -> Result<Vec<u8>, TrainingError> {
        checkpoint::write(&self.position, &self.learner.snapshot()?)
    }

    /// How it is trained.
    pub fn config(&self) -> &TrainingConfig {
        &self.position.config
    }

    /// What the finished epochs led to.
    pub fn history(&self) -> &[Epoch] {
        &self.position.history
    }

    /// Whether all epochs are done.
    pub fn is_finished(&self) -> bool {
        self.position.epoch >= self.position.config.epochs
    }

    /// How many batches an epoch has. What is left over after the last whole batch waits for another epoch.
    pub fn batches(&self) -> usize {
        (self.num_instances / self.batch_size()).max(1)
    }

    /// How many batches of the current epoch are done.
    pub fn batch(&self) -> usize {
        self.position.batch
    }

    fn batch_size(&self) -> usize {
        self.position.config.batch_size.min(self.num_instances)
    }

    /// The order of an epoch depends on the seed and its number alone, so that a resumed training takes the same.
    fn shuffle(&mut self) {
        self.shuffled = (0..self.num_instances as i32).collect();
        let seed = Seed::new(self.position.config.seed).child("batches").nth(self.position.epoch as u64);
        self.shuffled.shuffle(&mut seed.rng());
    }

    /// Learns from the next batch, if the epoch has one.
    pub fn step(&mut self) {
        if self.position.batch >= self.batches() || self.is_finished() {
            return;
        }
        let clock = Instant::now();
        let size = self.batch_size();
        let instances = &self.shuffled[self.position.batch * size..][..size];
        self.learner.step(instances, self.position.config.rate(self.position.epoch));
        self.position.batch += 1;
        if self.position.batch == self.batches() {
            // A GPU works behind the host; the time of an epoch ends when it is done.
            let _ = self.learner.loss();
        }
        self.position.seconds += clock.elapsed().as_secs_f64();
    }

    /// Ends an epoch whose batches are all done: measures the policy on instances that it does not learn from.
    ///
    /// # Errors
    /// [`TrainingError`] when the validation instances do not fit, or the weights are no longer numbers.
    pub fn finish_epoch(&mut self, validation: &LabelledSet) -> Result<&Epoch, TrainingError> {
        let epoch = self.position.epoch + 1;
        let loss = f64::from(self.learner.loss()?) / self.position.batch.max(1) as f64;
        if !loss.is_finite() {
            return Err(TrainingError::Diverged { epoch });
        }
        let (makespan, gap, mean_gap) = validate(&Policy::new(&self.weights()?), validation)?;
        let learning_rate = self.position.config.rate(self.position.epoch);
        let seconds = self.position.seconds;
        self.position.history.push(Epoch { epoch, loss, makespan, gap, mean_gap, learning_rate, seconds });
        self.position = Position { epoch, batch: 0, seconds: 0.0, ..self.position.clone() };
        self.learner.reset_loss();
        self.shuffle();
        Ok(&self.position.history[epoch - 1])
    }

    /// The weights as they are now.
    ///
    /// # Errors
    /// [`TrainingError`] when they are no longer numbers, or the device failed.
    pub fn weights(&self) -> Result<Weights, TrainingError> {
        let snapshot = self.learner.snapshot()?;
        let network = &self.position.config.network;
        let mut tensors = Layout::new(&network.tensors()).named(&snapshot.weights);
        tensors.extend(Layout::new(&network.running()).named(&snapshot.running));
        Ok(Weights::new(network.clone(), tensors)?)
    }
}

/// The mean makespan of greedy orders, and how far they are above the expert's.
fn validate(policy: &Policy, set: &LabelledSet) -> Result<(f64, f64, f64), TrainingError> {
    let found: Vec<(f64, f64)> = set
        .items()
        .par_iter()
        .map(|item| {
            let order = policy.greedy(&item.instance)?;
            let makespan = makespan(&item.instance, &order);
            let relative = if item.makespan > 0.0 { makespan / item.makespan - 1.0 } else { 0.0 };
            Ok((makespan, relative))
        })
        .collect::<Result<_, ModelError>>()?;
    let count = found.len() as f64;
    let mean = found.iter().map(|(makespan, _)| makespan).sum::<f64>() / count;
    let mean_gap = 100.0 * found.iter().map(|(_, gap)| gap).sum::<f64>() / count;
    let expert = set.mean_makespan();
    let gap = if expert > 0.0 { 100.0 * (mean / expert - 1.0) } else { 0.0 };
    Ok((mean, gap, mean_gap))
}

/// A learner on some device.
trait Learn {
    fn step(&mut self, instances: &[i32], rate: f64);
    fn loss(&self) -> Result<f32, TrainingError>;
    fn reset_loss(&mut self);
    fn snapshot(&self) -> Result<Snapshot, TrainingError>;
    fn restore(&mut self, snapshot: &Snapshot);
}

#[cfg(feature = "cuda")]
fn cuda(config: &TrainingConfig, data: &LabelledSet) -> Result<Box<dyn Learn>, TrainingError> {
    // Without a GPU or its driver the runtime panics; a person is told what is missing.
    let make = || {
        let learner = Learner::<Autodiff<burn::backend::Cuda>>::new(config, data, Lookup::Product);
        let is_there = learner.loss().is_ok();
        (learner, is_there)
    };
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(make)) {
        Ok((learner, true)) => Ok(Box::new(learner)),
        _ => Err(TrainingError::Device {
            reason:
                "no NVIDIA GPU with its driver and the CUDA toolkit (CUDA_PATH) was found; train on the CPU"
                    .to_string(),
        }),
    }
}

pub(super) struct Learner<B: AutodiffBackend> {
    network: NetworkConfig,
    gradient_clip: f32,
    lookup: Lookup,
    device: B::Device,
    parameters: Layout,
    statistics: Layout,
    data: Batch<B::InnerBackend>,
    adam: Adam,
    pub(super) weights: Tensor<B::InnerBackend, 1>,
    state: Option<AdamState<B::InnerBackend, 1>>,
    running: Tensor<B::InnerBackend, 1>,
    loss: Tensor<B::InnerBackend, 1>,
}

/// What a batch teaches.
pub(super) struct Gradient<B: Backend> {
    pub(super) loss: Tensor<B, 1>,
    /// Of all parameters, in one row.
    pub(super) gradient: Tensor<B, 1>,
    /// The running statistics after the batch.
    running: Tensor<B, 1>,
}

/// What the network sees of each instance, with its jobs in the expert's order.
fn in_expert_order(network: &NetworkConfig, data: &LabelledSet) -> Vec<Vec<f32>> {
    let m = data.num_machines();
    let of = |item: &LabelledInstance| {
        let features = network.features(&item.instance);
        let row = |&job: &u32| features[job as usize * m..(job as usize + 1) * m].to_vec();
        item.order.iter().flat_map(row).collect()
    };
    data.items().par_iter().map(of).collect()
}

/// Instances of `n` jobs on a device, from what the network sees of them.
pub(super) fn load<B: Backend>(
    network: &NetworkConfig,
    features: &[Vec<f32>],
    n: usize,
    device: &B::Device,
) -> Batch<B> {
    let (count, m) = (features.len(), network.num_machines);
    let graphs: Vec<NeighbourGraph> =
        features.par_iter().map(|rows| NeighbourGraph::new(rows, m, network.neighbours)).collect();
    let degree = NeighbourGraph::degree(n, network.neighbours);
    let features: Vec<f32> = features.iter().flatten().copied().collect();
    let distances: Vec<f32> = graphs.iter().flat_map(|graph| graph.distances().iter().copied()).collect();
    let neighbours: Vec<i32> =
        graphs.iter().flat_map(|graph| graph.neighbours().iter().map(|&job| job as i32)).collect();
    Batch {
        features: Tensor::from_data(TensorData::new(features, [count, n, m]), device),
        neighbours: Tensor::from_data(TensorData::new(neighbours, [count, n * degree]), device),
        distances: Tensor::from_data(TensorData::new(distances, [count, n * degree]), device),
    }
}

fn row<B: Backend>(values: &[f32], device: &B::Device) -> Tensor<B, 1> {
    Tensor::from_data(TensorData::new(values.to_vec(), [values.len()]), device)
}

impl<B: AutodiffBackend> Learner<B> {
    pub(super) fn new(config: &TrainingConfig, data: &LabelledSet, lookup: Lookup) -> Self {
        let device = B::Device::default();
        let network = config.network.clone();
        Self {
            gradient_clip: config.gradient_clip,
            lookup,
            parameters: Layout::new(&network.tensors()),
            statistics: Layout::new(&network.running()),
            data: load(&network, &in_expert_order(&network, data), data.num_jobs(), &device),
            adam: AdamConfig::new().with_epsilon(1e-8).build(),
            weights: row(&first_weights(&network, config.seed), &device),
            state: None,
            running: row(&first_statistics(&network), &device),
            loss: Tensor::zeros([1], &device),
            network,
            device,
        }
    }

    /// The loss of some instances and its gradient.
    pub(super) fn gradient(&self, instances: &[i32]) -> Gradient<B::InnerBackend> {
        let index = TensorData::new(instances.to_vec(), [instances.len()]);
        let batch = self.data.select(&Tensor::<B::InnerBackend, 1, Int>::from_data(index, &self.device));
        let batch = Batch {
            features: Tensor::from_inner(batch.features),
            neighbours: Tensor::from_inner(batch.neighbours),
            distances: Tensor::from_inner(batch.distances),
        };
        let leaves = self.parameters.leaves::<B>(&self.weights);
        let statistics = Statistics::of_batch();
        let network =
            Network { config: &self.network, tensors: &leaves, statistics: &statistics, lookup: self.lookup };
        let loss = network.loss(network.encode(&batch));
        let gradients = loss.backward();
        let gradient = self.parameters.gradient(&leaves, &gradients, &self.device);
        let running = match statistics {
            Statistics::OfBatch(noted) if self.statistics.len() > 0 => {
                let noted = noted.into_inner().into_iter().map(|(name, value)| (name, value.inner()));
                let noted = self.statistics.join(noted.collect(), &self.running);
                self.running.clone().mul_scalar(1.0 - MOMENTUM) + noted.mul_scalar(MOMENTUM)
            }
            _ => self.running.clone(),
        };
        Gradient { loss: loss.inner(), gradient, running }
    }
}

impl<B: AutodiffBackend> Learn for Learner<B> {
    fn step(&mut self, instances: &[i32], rate: f64) {
        let Gradient { loss, gradient, running } = self.gradient(instances);
        self.running = running;
        self.loss = self.loss.clone() + loss;
        // The norm of the whole gradient, as the paper's code clips it.
        let norm = (gradient.clone() * gradient.clone()).sum().sqrt();
        let scale = norm.add_scalar(1e-6).recip().mul_scalar(self.gradient_clip).clamp_max(1.0);
        let gradient = gradient * scale;
        let (weights, state) = self.adam.step(rate, self.weights.clone(), gradient, self.state.take());
        (self.weights, self.state) = (weights, state);
    }

    fn loss(&self) -> Result<f32, TrainingError> {
        Ok(to_vec(self.loss.clone())?[0])
    }

    fn reset_loss(&mut self) {
        self.loss = Tensor::zeros([1], &self.device);
    }

    fn snapshot(&self) -> Result<Snapshot, TrainingError> {
        let (steps, moment_1, moment_2) = match &self.state {
            Some(AdamState { momentum }) => {
                (momentum.time, to_vec(momentum.moment_1.clone())?, to_vec(momentum.moment_2.clone())?)
            }
            None => (0, vec![0.0; self.parameters.len()], vec![0.0; self.parameters.len()]),
        };
        Ok(Snapshot {
            steps,
            weights: to_vec(self.weights.clone())?,
            moment_1,
            moment_2,
            running: if self.statistics.len() > 0 { to_vec(self.running.clone())? } else { Vec::new() },
            loss: self.loss()?,
        })
    }

    fn restore(&mut self, snapshot: &Snapshot) {
        let device = &self.device;
        self.weights = row(&snapshot.weights, device);
        self.running = row(&snapshot.running, device);
        self.loss = row(&[snapshot.loss], device);
        self.state = (snapshot.steps > 0).then(|| {
            let moments = (row(&snapshot.moment_1, device), row(&snapshot.moment_2, device));
            AdamState::new(AdaptiveMomentumState::new(snapshot.steps, moments.0, moments.1))
        });
    }
}
