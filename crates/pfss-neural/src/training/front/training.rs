//! A training of the bidirectional policy: epochs of batches, saved and restored between any two of them.

use std::time::Instant;

use burn::backend::{Autodiff, Flex};
use burn::tensor::backend::AutodiffBackend;
use burn::tensor::{Tensor, TensorData};
use pfss_core::{Instance, Seed, makespan};
use rayon::prelude::*;

use super::lessons::{flow_shop, jobs_left, trial};
use super::network::{FrontNetwork, HostStates, States};
use super::rollout::Shops;
use super::{FrontLessons, FrontTrainingConfig, Rollouts};
use crate::front::{FrontConfig, FrontPolicy, FrontState, FrontWeights};
use crate::training::blocks::Sums;
use crate::training::checkpoint::{self, Checkpoint, Position};
use crate::training::learner::{Learn, Pupil};
use crate::training::module::Module;
use crate::training::parameters::Layout;
use crate::training::{Device, Epoch, TrainingError, to_vec};
use crate::{LabelledSet, ModelError, ProblemKind};

/// The training of a bidirectional policy.
pub struct FrontTraining {
    position: Position<FrontTrainingConfig>,
    lessons: FrontLessons,
    learner: Box<dyn LearnStates>,
}

impl FrontTraining {
    /// A new training, or one from the weights of a model on, which the configuration names as `start`.
    ///
    /// # Errors
    /// [`TrainingError`] when settings and lessons do not fit, or the device is missing.
    pub fn new(
        config: FrontTrainingConfig,
        lessons: FrontLessons,
        device: Device,
        start: Option<&FrontWeights>,
    ) -> Result<Self, TrainingError> {
        config.check()?;
        let has_labels = lessons.sources.iter().any(|source| source.labelled.is_some());
        if lessons.sources.is_empty() || config.imitation_epochs > 0 && !has_labels {
            return Err(crate::DatasetError::Empty.into());
        }
        let mut learner: Box<dyn LearnStates> = match device {
            Device::Cpu => Box::new(FrontLearner::<Autodiff<Flex>>::new(&config, Sums::Whole)),
            #[cfg(feature = "cuda")]
            Device::Cuda => Box::new(crate::training::learner::on_gpu(|| {
                Ok(FrontLearner::<Autodiff<burn::backend::Cuda>>::new(&config, Sums::Blocks))
            })?),
        };
        if let Some(weights) = start {
            if *weights.config() != config.network {
                let shape = |config| serde_json::to_string(config).unwrap_or_default();
                return Err(TrainingError::Start {
                    found: shape(weights.config()),
                    expected: shape(&config.network),
                });
            }
            let tensors = config.network.tensors();
            let row: Vec<f32> =
                tensors.iter().flat_map(|(name, _)| weights.get(name).iter().copied()).collect();
            learner.set_policy(&row, &[]);
        }
        let position = Position::new(config, lessons.fingerprint());
        Ok(Self { position, lessons, learner })
    }

    /// Goes on from a checkpoint.
    ///
    /// # Errors
    /// Those of [`FrontTraining::new`], and when the bytes are no checkpoint or one of another training.
    pub fn resume(
        config: FrontTrainingConfig,
        lessons: FrontLessons,
        device: Device,
        bytes: &[u8],
    ) -> Result<Self, TrainingError> {
        let Checkpoint { position, snapshots, losses } = checkpoint::read::<FrontTrainingConfig>(bytes)?;
        if position.config != config {
            let what = serde_json::to_string(&position.config).unwrap_or_default();
            return Err(TrainingError::Different { what: format!("other settings: {what}") });
        }
        let mut training = Self::new(config, lessons, device, None)?;
        if position.data != training.position.data {
            return Err(TrainingError::Different { what: "other instances or labels".to_string() });
        }
        if losses.len() != 1 || !training.learner.restore(&snapshots) {
            let reason = "its rows do not fit the network".to_string();
            return Err(TrainingError::Checkpoint { reason });
        }
        training.learner.set_losses(&losses);
        training.position = position;
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
    pub fn config(&self) -> &FrontTrainingConfig {
        &self.position.config
    }

    /// What the finished epochs led to.
    pub fn history(&self) -> &[Epoch] {
        &self.position.history
    }

    /// Whether all epochs are done.
    pub fn is_finished(&self) -> bool {
        self.position.epoch >= self.position.config.epochs()
    }

    /// How many batches of the current epoch are done.
    pub fn batch(&self) -> usize {
        self.position.batch
    }

    /// Learns from the next batch, if the epoch has one.
    ///
    /// # Errors
    /// [`TrainingError`] when a fresh instance cannot be drawn, or the device failed.
    pub fn step(&mut self) -> Result<(), TrainingError> {
        let config = &self.position.config;
        let (epoch, batch) = (self.position.epoch, self.position.batch);
        if batch >= config.batches || self.is_finished() {
            return Ok(());
        }
        let clock = Instant::now();
        let seed = Seed::new(config.seed).child("batches").nth(epoch as u64).nth(batch as u64);
        let rate = config.rate(epoch, batch);
        if epoch < config.imitation_epochs {
            let parts = (0..config.parts as u64)
                .filter_map(|part| self.lessons.imitation(config, seed.nth(part)))
                .collect();
            self.learner.step(parts, rate);
        } else {
            let done = (epoch - config.imitation_epochs) * config.batches + batch;
            let shops = self.lessons.fresh(config, seed, (done * config.instances) as u64)?;
            match config.rollouts {
                Rollouts::Host => {
                    let policy = FrontPolicy::new(&self.weights()?).with_finish(config.finish());
                    let parts = trial(config, &policy, &shops, seed);
                    self.learner.step(parts, rate);
                }
                Rollouts::Device => self.learner.trial(config, &shops, seed, rate)?,
            }
        }
        self.position.batch += 1;
        if self.position.batch == self.position.config.batches {
            // A GPU works behind the host; the time of an epoch ends when it is done.
            self.learner.losses()?;
        }
        self.position.seconds += clock.elapsed().as_secs_f64();
        Ok(())
    }

    /// Ends an epoch whose batches are all done: measures the policy beside an expert, on instances of several sizes that
    /// it does not learn from. Costs and gaps are means over the sizes.
    ///
    /// # Errors
    /// [`TrainingError`] when the weights are no longer numbers.
    pub fn finish_epoch(&mut self, validation: &[LabelledSet]) -> Result<&Epoch, TrainingError> {
        let epoch = self.position.epoch + 1;
        let loss = self.learner.losses()?.iter().map(|&loss| f64::from(loss)).sum::<f64>();
        if !loss.is_finite() {
            return Err(TrainingError::Diverged { epoch });
        }
        let policy = FrontPolicy::new(&self.weights()?);
        let (mut cost, mut gap, mut mean_gap) = (0.0, 0.0, 0.0);
        for set in validation {
            let found = validate(&policy, set)?;
            cost += found.0 / validation.len() as f64;
            gap += found.1 / validation.len() as f64;
            mean_gap += found.2 / validation.len() as f64;
        }
        self.position.history.push(Epoch {
            epoch,
            loss: loss / self.position.batch.max(1) as f64,
            critic_loss: None,
            cost,
            gap,
            mean_gap,
            learning_rate: self.position.config.rate(self.position.epoch, 0),
            seconds: self.position.seconds,
        });
        self.position = Position { epoch, batch: 0, seconds: 0.0, ..self.position.clone() };
        self.learner.set_losses(&[0.0]);
        Ok(&self.position.history[epoch - 1])
    }

    /// The weights as they are now.
    ///
    /// # Errors
    /// [`TrainingError`] when they are no longer numbers, or the device failed.
    pub fn weights(&self) -> Result<FrontWeights, TrainingError> {
        let (weights, _) = self.learner.policy()?;
        let network = &self.position.config.network;
        let tensors = Layout::new(&network.tensors()).named(&weights);
        Ok(FrontWeights::new(network.clone(), tensors)?)
    }
}

/// The mean makespan of greedy orders, how far it is above the expert's in percent, and the mean of the ratios.
fn validate(policy: &FrontPolicy, set: &LabelledSet) -> Result<(f64, f64, f64), TrainingError> {
    let found: Vec<(f64, f64)> = set
        .items()
        .par_iter()
        .filter_map(|item| Some((flow_shop(&item.instance)?, item.cost)))
        .map(|(shop, expert)| {
            let cost = makespan(shop, &policy.greedy(shop));
            (cost, if expert > 0.0 { cost / expert - 1.0 } else { 0.0 })
        })
        .collect();
    if found.is_empty() {
        let (expected, found) = (ProblemKind::FLOW_SHOP, set.kind().clone());
        return Err(ModelError::Problem { expected, found }.into());
    }
    let count = found.len() as f64;
    let mean = found.iter().map(|(cost, _)| cost).sum::<f64>() / count;
    let mean_gap = 100.0 * found.iter().map(|(_, gap)| gap).sum::<f64>() / count;
    Ok((mean, 100.0 * (mean / set.mean_cost() - 1.0), mean_gap))
}

/// Learns from states, on some device.
pub(super) trait LearnStates: Learn {
    /// Learns from states.
    fn step(&mut self, parts: Vec<HostStates>, rate: f64);

    /// Learns from orders that it draws itself for instances of one size.
    ///
    /// # Errors
    /// [`TrainingError::Device`] when the device failed.
    fn trial(
        &mut self,
        config: &FrontTrainingConfig,
        shops: &[Instance<f64>],
        seed: Seed,
        rate: f64,
    ) -> Result<(), TrainingError>;
}

pub(super) struct FrontLearner<B: AutodiffBackend> {
    network: FrontConfig,
    gradient_clip: f32,
    sums: Sums,
    device: B::Device,
    pub(super) policy: Module<B>,
    loss: Tensor<B::InnerBackend, 1>,
}

impl<B: AutodiffBackend> FrontLearner<B> {
    pub(super) fn new(config: &FrontTrainingConfig, sums: Sums) -> Self {
        let device = B::Device::default();
        Self {
            network: config.network.clone(),
            gradient_clip: config.gradient_clip,
            sums,
            policy: Module::new(&config.network.tensors(), &[], Seed::new(config.seed), &device),
            loss: Tensor::zeros([1], &device),
            device,
        }
    }

    /// The loss of some states and its gradient.
    pub(super) fn lesson(
        &self,
        states: States<B>,
    ) -> (Tensor<B::InnerBackend, 1>, Tensor<B::InnerBackend, 1>) {
        let leaves = self.policy.leaves();
        let network = FrontNetwork { config: &self.network, tensors: &leaves, sums: self.sums };
        let loss = network.loss(states);
        let gradient = self.policy.gradient(&leaves, &loss);
        (loss.inner(), gradient)
    }

    /// A step of the optimiser.
    fn learn(&mut self, parts: impl ExactSizeIterator<Item = States<B>>, rate: f64) {
        let mut sum: Option<Tensor<B::InnerBackend, 1>> = None;
        let share = 1.0 / parts.len().max(1) as f32;
        for states in parts {
            let (loss, gradient) = self.lesson(states);
            self.loss = self.loss.clone() + loss.mul_scalar(share);
            let gradient = gradient.mul_scalar(share);
            sum = Some(match sum {
                Some(sum) => sum + gradient,
                None => gradient,
            });
        }
        if let Some(gradient) = sum {
            self.policy.learn(gradient, rate, self.gradient_clip);
        }
    }
}

impl<B: AutodiffBackend> LearnStates for FrontLearner<B> {
    fn step(&mut self, parts: Vec<HostStates>, rate: f64) {
        let device = self.device.clone();
        self.learn(parts.into_iter().map(|states| states.load(&device)), rate);
    }

    fn trial(
        &mut self,
        config: &FrontTrainingConfig,
        shops: &[Instance<f64>],
        seed: Seed,
        rate: f64,
    ) -> Result<(), TrainingError> {
        let starts: Vec<FrontState> = shops.iter().map(FrontState::of).collect();
        let Some(shops) = Shops::<B::InnerBackend>::load(&starts, config.samples, &self.device) else {
            return Ok(());
        };
        let left = jobs_left(config, seed, starts[0].num_jobs());
        let tensors = self.policy.leaves().inner();
        let network = FrontNetwork { config: &self.network, tensors: &tensors, sums: self.sums };
        let drawn = shops.draw(&network, seed.child("orders"), &left, config.finish())?;
        self.learn(drawn.states.into_iter().map(States::differentiated), rate);
        Ok(())
    }
}

impl<B: AutodiffBackend> Learn for FrontLearner<B> {
    fn losses(&self) -> Result<Vec<f32>, TrainingError> {
        to_vec(self.loss.clone())
    }

    fn set_losses(&mut self, losses: &[f32]) {
        self.loss = Tensor::from_data(TensorData::new(losses.to_vec(), [1]), &self.device);
    }

    fn pupils(&self) -> Vec<&dyn Pupil> {
        vec![&self.policy]
    }

    fn pupils_mut(&mut self) -> Vec<&mut dyn Pupil> {
        vec![&mut self.policy]
    }
}
