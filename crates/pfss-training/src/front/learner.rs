//! What a batch teaches the bidirectional policy.

use burn::tensor::backend::AutodiffBackend;
use burn::tensor::{Tensor, TensorData};
use pfss_core::{Instance, Seed};
use pfss_neural::{FrontPolicy, FrontState};

use super::config::{FrontTrainingConfig, Rollouts};
use super::lessons::{FrontLessons, jobs_left, trial};
use super::network::{FrontNetwork, HostStates, States};
use super::rollout::Shops;
use crate::TrainingError;
use crate::blocks::Sums;
use crate::device::to_vec;
use crate::learner::{BatchNumber, Learner, Pupil};
use crate::module::Module;
use crate::parameters::model;

pub(super) struct FrontLearner<B: AutodiffBackend> {
    config: FrontTrainingConfig,
    lessons: FrontLessons,
    sums: Sums,
    device: B::Device,
    pub(super) policy: Module<B>,
    loss: Tensor<B::InnerBackend, 1>,
    /// Of the states of this step so far.
    gradient: Option<Tensor<B::InnerBackend, 1>>,
}

impl<B: AutodiffBackend> FrontLearner<B> {
    pub(super) fn new(config: &FrontTrainingConfig, lessons: &FrontLessons, sums: Sums) -> Self {
        let device = B::Device::default();
        Self {
            config: config.clone(),
            lessons: lessons.clone(),
            sums,
            policy: Module::new(&config.network.tensors(), &[], Seed::new(config.seed), &device)
                .with_average(config.average),
            loss: Tensor::zeros([1], &device),
            gradient: None,
            device,
        }
    }

    /// The loss of some states and its gradient.
    pub(super) fn lesson(
        &self,
        states: States<B>,
    ) -> (Tensor<B::InnerBackend, 1>, Tensor<B::InnerBackend, 1>) {
        let leaves = self.policy.leaves();
        let network = FrontNetwork { config: &self.config.network, tensors: &leaves, sums: self.sums };
        let loss = network.loss(states);
        let gradient = self.policy.gradient(&leaves, &loss);
        (loss.inner(), gradient)
    }

    /// Adds the gradients of states to those of this step; `share` is that of each part in the whole.
    fn add(&mut self, parts: impl Iterator<Item = States<B>>, share: f32) {
        for states in parts {
            let (loss, gradient) = self.lesson(states);
            self.loss = self.loss.clone() + loss.mul_scalar(share);
            let gradient = gradient.mul_scalar(share);
            self.gradient = Some(match self.gradient.take() {
                Some(sum) => sum + gradient,
                None => gradient,
            });
        }
    }

    /// A step of the optimiser with the gradients that were added up.
    fn learn(&mut self, rate: f64) {
        if let Some(gradient) = self.gradient.take() {
            self.policy.learn(gradient, rate, self.config.gradient_clip);
        }
    }

    /// Learns from states that are on the host.
    fn learn_from(&mut self, parts: Vec<HostStates>, rate: f64) {
        let (device, share) = (self.device.clone(), share(parts.len()));
        self.add(parts.into_iter().map(|states| states.load(&device)), share);
        self.learn(rate);
    }

    /// Adds what orders teach that it draws itself for instances of one size, on its own device.
    fn trial(&mut self, shops: &[Instance<f64>], seed: Seed, lots: usize) -> Result<(), TrainingError> {
        let starts: Vec<FrontState> = shops.iter().map(FrontState::of).collect();
        let Some(shops) = Shops::<B::InnerBackend>::load(&starts, self.config.samples, &self.device) else {
            return Ok(());
        };
        let left = jobs_left(&self.config, seed, starts[0].num_jobs());
        let tensors = self.policy.leaves().inner();
        let network = FrontNetwork { config: &self.config.network, tensors: &tensors, sums: self.sums };
        let drawn = shops.draw(&network, seed.child("orders"), &left, self.config.finish())?;
        let share = share(lots * drawn.states.len());
        self.add(drawn.states.into_iter().map(States::differentiated), share);
        Ok(())
    }
}

/// The share of each of so many parts.
fn share(parts: usize) -> f32 {
    1.0 / parts.max(1) as f32
}

impl<B: AutodiffBackend> Learner for FrontLearner<B> {
    fn batches(&self) -> usize {
        self.config.batches
    }

    fn step(&mut self, number: BatchNumber, rate: f64) -> Result<(), TrainingError> {
        let (config, BatchNumber { epoch, batch }) = (&self.config, number);
        let seed = Seed::new(config.seed).child("batches").nth(epoch as u64).nth(batch as u64);
        if epoch < config.imitation_epochs {
            let parts = (0..config.parts as u64)
                .filter_map(|part| self.lessons.imitation(config, seed.nth(part)))
                .collect();
            self.learn_from(parts, rate);
            return Ok(());
        }
        let done = (epoch - config.imitation_epochs) * config.batches + batch;
        let lots = self.lessons.fresh(config, seed, done)?;
        // The first has the step's own seed, as where it is the only one.
        let seed_of = |lot: usize| if lot == 0 { seed } else { seed.nth(lot as u64) };
        match config.rollouts {
            Rollouts::Host => {
                let weights = model(&config.network, &self.policy.current()?)?;
                let policy = FrontPolicy::new(&weights).with_finish(config.finish());
                let of = |(lot, shops): (usize, &Vec<_>)| trial(config, &policy, shops, seed_of(lot));
                let parts = lots.iter().enumerate().flat_map(of).collect();
                self.learn_from(parts, rate);
            }
            Rollouts::Device => {
                for (lot, shops) in lots.iter().enumerate() {
                    self.trial(shops, seed_of(lot), lots.len())?;
                }
                self.learn(rate);
            }
        }
        Ok(())
    }

    fn losses(&self) -> Result<Vec<f32>, TrainingError> {
        to_vec(self.loss.clone())
    }

    fn set_losses(&mut self, losses: &[f32]) {
        self.loss = Tensor::from_data(TensorData::new(losses.to_vec(), [1]), &self.device);
    }

    fn policy(&self) -> &dyn Pupil {
        &self.policy
    }

    fn pupils_mut(&mut self) -> Vec<&mut dyn Pupil> {
        vec![&mut self.policy]
    }
}
