//! A training: epochs of batches, saved and restored between any two of them.

use std::sync::Arc;
use std::time::Instant;

use burn::backend::{Autodiff, Flex};
use pfss_core::Seed;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::actor_critic::ActorCritic;
use super::behaviour_cloning::BehaviourCloning;
use super::checkpoint::{self, Checkpoint, Position};
use super::learner::{BatchNumber, LearnInstances};
use super::network::Lookup;
use super::parameters::Layout;
use super::{Device, Method, TrainingConfig, TrainingError};
use crate::{LabelledSet, ModelError, Policy, PolicyInput, ProblemInstance, Weights};

/// What an epoch led to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Its number, counted from one.
    pub epoch: usize,
    /// The mean loss of its batches.
    pub loss: f64,
    /// The mean loss of the critic, where there is one.
    #[serde(default)]
    pub critic_loss: Option<f64>,
    /// The mean cost of greedy orders on the validation instances.
    pub cost: f64,
    /// How far that is above the expert's mean cost, in percent of it.
    pub gap: f64,
    /// The mean over instances of how far each is above the expert's cost, in percent of it.
    pub mean_gap: f64,
    /// The learning rate.
    pub learning_rate: f64,
    /// How long its batches took.
    pub seconds: f64,
}

/// Draws the fresh instance of a number.
pub type Draw = dyn Fn(u64) -> Result<ProblemInstance, TrainingError> + Send + Sync;

/// Instances that are drawn anew for each epoch.
#[derive(Clone)]
pub struct Fresh {
    /// Draws them; all of one size.
    pub draw: Arc<Draw>,
    /// How many there are in an epoch.
    pub instances: usize,
    /// What tells them from others: their distribution, size and seed.
    pub description: String,
}

/// What a policy learns from.
pub enum Lessons<'a> {
    /// An expert's orders, for behaviour cloning.
    Labelled(&'a LabelledSet),
    /// Instances without orders, for actor-critic learning.
    Fresh(&'a Fresh),
}

impl Lessons<'_> {
    /// How many instances an epoch has.
    fn len(&self) -> usize {
        match self {
            Self::Labelled(set) => set.items().len(),
            Self::Fresh(fresh) => fresh.instances,
        }
    }

    fn fingerprint(&self) -> String {
        match self {
            Self::Labelled(set) => set.fingerprint(),
            Self::Fresh(fresh) => format!("{} x {}", fresh.instances, fresh.description),
        }
    }

    /// One of them.
    fn example(&self) -> Result<ProblemInstance, TrainingError> {
        match self {
            Self::Labelled(set) => {
                set.items().first().map(|item| item.instance.clone()).ok_or(crate::DatasetError::Empty.into())
            }
            Self::Fresh(fresh) => (fresh.draw)(0),
        }
    }

    fn learner(
        &self,
        config: &TrainingConfig,
        device: Device,
    ) -> Result<Box<dyn LearnInstances>, TrainingError> {
        Ok(match (self, device) {
            (Self::Labelled(set), Device::Cpu) => {
                Box::new(BehaviourCloning::<Autodiff<Flex>>::new(config, set, Lookup::Index)?)
            }
            (Self::Fresh(fresh), Device::Cpu) => {
                Box::new(ActorCritic::<Autodiff<Flex>>::new(config, fresh.draw.clone(), Lookup::Index))
            }
            #[cfg(feature = "cuda")]
            (Self::Labelled(set), Device::Cuda) => Box::new(super::learner::on_gpu(|| {
                BehaviourCloning::<Autodiff<burn::backend::Cuda>>::new(config, set, Lookup::Product)
            })?),
            #[cfg(feature = "cuda")]
            (Self::Fresh(fresh), Device::Cuda) => Box::new(super::learner::on_gpu(|| {
                Ok(ActorCritic::<Autodiff<burn::backend::Cuda>>::new(
                    config,
                    fresh.draw.clone(),
                    Lookup::Product,
                ))
            })?),
        })
    }
}

/// The training of a policy.
pub struct Training {
    position: Position<TrainingConfig>,
    learner: Box<dyn LearnInstances>,
    num_instances: usize,
    /// The order in which this epoch takes the instances.
    shuffled: Vec<u64>,
}

impl Training {
    /// A new training.
    ///
    /// # Errors
    /// [`TrainingError`] when settings, instances and network do not fit, or the device is missing.
    pub fn new(config: TrainingConfig, lessons: &Lessons<'_>, device: Device) -> Result<Self, TrainingError> {
        config.check()?;
        let wrong = |name, value: String, expected| Err(TrainingError::Setting { name, value, expected });
        match (config.method, lessons) {
            (Method::BehaviourCloning, Lessons::Labelled(_)) | (Method::ActorCritic, Lessons::Fresh(_)) => {}
            (method, _) => return wrong("the method", format!("{method:?}"), "one that suits the instances"),
        }
        if lessons.len() == 0 {
            return Err(crate::DatasetError::Empty.into());
        }
        let example = lessons.example()?;
        config.network.features(&example)?;
        if example.len() < 2 {
            return wrong("the number of jobs", example.len().to_string(), "at least 2");
        }
        let learner = lessons.learner(&config, device)?;
        let position = Position::new(config, lessons.fingerprint());
        let mut training = Self { position, learner, num_instances: lessons.len(), shuffled: Vec::new() };
        training.shuffle();
        Ok(training)
    }

    /// The same training from the weights of a model on. Its configuration names that model as `start`, so that a
    /// checkpoint cannot go on from another.
    ///
    /// # Errors
    /// [`TrainingError::Model`] when the model's network is another one.
    pub fn with_start(mut self, weights: &Weights) -> Result<Self, TrainingError> {
        let network = &self.position.config.network;
        if weights.config() != network {
            let shape = |config| serde_json::to_string(config).unwrap_or_default();
            return Err(TrainingError::Start { found: shape(weights.config()), expected: shape(network) });
        }
        let row = |tensors: Vec<(String, Vec<usize>)>| -> Vec<f32> {
            tensors.iter().flat_map(|(name, _)| weights.get(name).iter().copied()).collect()
        };
        self.learner.set_policy(&row(network.tensors()), &row(network.running()));
        Ok(self)
    }

    /// Goes on from a checkpoint. The number of epochs may be another than when it was made.
    ///
    /// # Errors
    /// Those of [`Training::new`], and when the bytes are no checkpoint or one of another training.
    pub fn resume(
        config: TrainingConfig,
        lessons: &Lessons<'_>,
        device: Device,
        bytes: &[u8],
    ) -> Result<Self, TrainingError> {
        let Checkpoint { position, snapshots, losses } = checkpoint::read::<TrainingConfig>(bytes)?;
        if (TrainingConfig { epochs: config.epochs, ..position.config.clone() }) != config {
            let what = serde_json::to_string(&position.config).unwrap_or_default();
            return Err(TrainingError::Different { what: format!("other settings: {what}") });
        }
        let mut training = Self::new(config, lessons, device)?;
        if position.data != training.position.data {
            return Err(TrainingError::Different { what: "other instances or labels".to_string() });
        }
        let damaged = || TrainingError::Checkpoint { reason: "its rows do not fit the network".to_string() };
        if losses.len() != training.learner.losses()?.len() || !training.learner.restore(&snapshots) {
            return Err(damaged());
        }
        training.learner.set_losses(&losses);
        training.position = Position { config: training.position.config, ..position };
        training.shuffle();
        Ok(training)
    }

    /// The training between two batches, as a file's content.
    ///
    /// # Errors
    /// [`TrainingError::Device`] when the device failed.
    pub fn checkpoint(&self) -> Result<Vec<u8>, TrainingError> {
        checkpoint::write(&self.position, &self.learner.snapshot()?, &self.learner.losses()?)
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

    /// What an epoch takes depends on the seed and its number alone, so that a resumed training takes the same.
    fn shuffle(&mut self) {
        let count = self.num_instances as u64;
        if self.position.config.method == Method::ActorCritic {
            let first = self.position.epoch as u64 * count;
            self.shuffled = (first..first + count).collect();
            return;
        }
        self.shuffled = (0..count).collect();
        let seed = Seed::new(self.position.config.seed).child("batches").nth(self.position.epoch as u64);
        self.shuffled.shuffle(&mut seed.rng());
    }

    /// Learns from the next batch, if the epoch has one.
    ///
    /// # Errors
    /// [`TrainingError`] when a fresh instance cannot be drawn, or the device failed.
    pub fn step(&mut self) -> Result<(), TrainingError> {
        if self.position.batch >= self.batches() || self.is_finished() {
            return Ok(());
        }
        let clock = Instant::now();
        let size = self.batch_size();
        let number = BatchNumber { epoch: self.position.epoch, batch: self.position.batch };
        let instances = &self.shuffled[number.batch * size..][..size];
        self.learner.step(number, instances, self.position.config.rate(number.epoch))?;
        self.position.batch += 1;
        if self.position.batch == self.batches() {
            // A GPU works behind the host; the time of an epoch ends when it is done.
            self.learner.losses()?;
        }
        self.position.seconds += clock.elapsed().as_secs_f64();
        Ok(())
    }

    /// Ends an epoch whose batches are all done: measures the policy on instances that it does not learn from, beside
    /// an expert.
    ///
    /// # Errors
    /// [`TrainingError`] when the validation instances do not fit, or the weights are no longer numbers.
    pub fn finish_epoch(&mut self, validation: &LabelledSet) -> Result<&Epoch, TrainingError> {
        let epoch = self.position.epoch + 1;
        let batches = self.position.batch.max(1) as f64;
        let losses: Vec<f64> = self.learner.losses()?.iter().map(|&loss| f64::from(loss) / batches).collect();
        if losses.iter().any(|loss| !loss.is_finite()) {
            return Err(TrainingError::Diverged { epoch });
        }
        let (cost, gap, mean_gap) = validate(&Policy::new(&self.weights()?), validation)?;
        self.position.history.push(Epoch {
            epoch,
            loss: losses.first().copied().unwrap_or(0.0),
            critic_loss: losses.get(1).copied(),
            cost,
            gap,
            mean_gap,
            learning_rate: self.position.config.rate(self.position.epoch),
            seconds: self.position.seconds,
        });
        self.position = Position { epoch, batch: 0, seconds: 0.0, ..self.position.clone() };
        self.learner.set_losses(&vec![0.0; losses.len()]);
        self.shuffle();
        Ok(&self.position.history[epoch - 1])
    }

    /// The weights as they are now.
    ///
    /// # Errors
    /// [`TrainingError`] when they are no longer numbers, or the device failed.
    pub fn weights(&self) -> Result<Weights, TrainingError> {
        let (weights, running) = self.learner.policy()?;
        let network = &self.position.config.network;
        let mut tensors = Layout::new(&network.tensors()).named(&weights);
        tensors.extend(Layout::new(&network.running()).named(&running));
        Ok(Weights::new(network.clone(), tensors)?)
    }
}

/// The mean cost of greedy orders, and how far they are above the expert's.
fn validate(policy: &Policy, set: &LabelledSet) -> Result<(f64, f64, f64), TrainingError> {
    let found: Vec<(f64, f64)> = set
        .items()
        .par_iter()
        .map(|item| {
            let cost = item.instance.cost(&policy.greedy(&item.instance)?);
            Ok((cost, if item.cost > 0.0 { cost / item.cost - 1.0 } else { 0.0 }))
        })
        .collect::<Result<_, ModelError>>()?;
    let count = found.len() as f64;
    let mean = found.iter().map(|(cost, _)| cost).sum::<f64>() / count;
    let mean_gap = 100.0 * found.iter().map(|(_, gap)| gap).sum::<f64>() / count;
    let expert = set.mean_cost();
    let gap = if expert > 0.0 { 100.0 * (mean / expert - 1.0) } else { 0.0 };
    Ok((mean, gap, mean_gap))
}
