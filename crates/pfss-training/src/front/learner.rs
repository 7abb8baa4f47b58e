//! What a batch teaches the bidirectional policy.

use std::rc::Rc;

use pfss_core::Seed;
use pfss_neural::FrontPolicy;

use super::config::FrontTrainingConfig;
use super::lessons::{FrontLessons, trial};
use super::network::{FrontNetwork, HostStates};
use crate::TrainingError;
use crate::engine::{Backend, Matrix, Tape};
use crate::learner::{BatchNumber, Learner, Pupil, Told};
use crate::module::Module;
use crate::parameters::model;

pub(super) struct FrontLearner<B: Backend> {
    config: FrontTrainingConfig,
    lessons: FrontLessons,
    backend: Rc<B>,
    pub(super) policy: Module<B>,
    losses: Matrix<B>,
}

impl<B: Backend> FrontLearner<B> {
    pub(super) fn new(config: &FrontTrainingConfig, lessons: &FrontLessons, backend: Rc<B>) -> Self {
        Self {
            config: config.clone(),
            lessons: lessons.clone(),
            policy: Module::new(&backend, &config.network.tensors(), &[], Seed::new(config.seed))
                .with_average(config.average),
            losses: backend.upload(&[0.0], 1),
            backend,
        }
    }

    /// Adds the loss of some states, times `share`, to the losses, and its gradient to the policy's. The loss is minus the
    /// mean over states of the weighted log-probability of taking one of the taught actions: with one action and an
    /// advantage as weight that of policy gradient, with two actions and weights of one that of imitation.
    pub(super) fn lesson(&self, states: &HostStates, share: f32) {
        let states = states.load(&*self.backend);
        let tape = Tape::new(&self.backend);
        let tensors = self.policy.tensors(&tape);
        let network = FrontNetwork { config: &self.config.network, tape: &tape, tensors: &tensors };
        let likely = network.take(&states).likely;
        let weights = self.backend.matrix(likely.value.rows, 1);
        let share = -share / likely.value.rows.max(1) as f32;
        self.backend.scale(&states.weights, share, &weights, false);
        self.backend.add_dot(&weights, &likely.value, &self.losses, 0);
        tape.back(vec![(likely, weights)]);
    }

    /// Learns from states of several sizes.
    fn learn_from(&mut self, parts: &[HostStates], rate: f64) {
        if parts.is_empty() {
            return;
        }
        self.policy.begin();
        let share = 1.0 / parts.len() as f32;
        parts.iter().for_each(|states| self.lesson(states, share));
        self.policy.learn(rate, self.config.gradient_clip);
    }
}

impl<B: Backend> Learner for FrontLearner<B> {
    fn batches(&self) -> usize {
        self.config.batches
    }

    fn step(&mut self, number: BatchNumber, rate: f64) -> Result<(), TrainingError> {
        let (config, BatchNumber { epoch, batch }) = (&self.config, number);
        let seed = Seed::new(config.seed).child("batches").nth(epoch as u64).nth(batch as u64);
        if epoch < config.imitation_epochs {
            let parts: Vec<HostStates> = (0..config.parts as u64)
                .filter_map(|part| self.lessons.imitation(config, seed.nth(part)))
                .collect();
            self.learn_from(&parts, rate);
            return Ok(());
        }
        let done = (epoch - config.imitation_epochs) * config.batches + batch;
        let lots = self.lessons.fresh(config, seed, done)?;
        // The first has the step's own seed, as where it is the only one.
        let seed_of = |lot: usize| if lot == 0 { seed } else { seed.nth(lot as u64) };
        let weights = model(&config.network, &self.policy.current()?)?;
        let policy = FrontPolicy::new(&weights).with_finish(config.finish());
        let of = |(lot, shops): (usize, &Vec<_>)| trial(config, &policy, shops, seed_of(lot));
        let parts: Vec<HostStates> = lots.iter().enumerate().flat_map(of).collect();
        self.learn_from(&parts, rate);
        Ok(())
    }

    fn told(&self) -> Result<Told, TrainingError> {
        Ok(Told { gradient_norm: self.policy.gradient_norm()?, entropy: None })
    }

    fn losses(&self) -> Result<Vec<f32>, TrainingError> {
        self.backend.download(&self.losses)
    }

    fn set_losses(&mut self, losses: &[f32]) {
        self.losses = self.backend.upload(losses, losses.len());
    }

    fn policy(&self) -> &dyn Pupil {
        &self.policy
    }

    fn pupils_mut(&mut self) -> Vec<&mut dyn Pupil> {
        vec![&mut self.policy]
    }
}
