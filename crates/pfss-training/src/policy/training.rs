//! The training of the paper's policy and its rivals.

use std::rc::Rc;

use pfss_neural::{DatasetError, ModelError, NetworkConfig, Policy, PolicyInput, Weights};

use super::actor_critic::ActorCritic;
use super::behaviour_cloning::BehaviourCloning;
use super::config::{Method, PolicyTrainingConfig};
use super::lessons::PolicyLessons;
use super::sampling::Sampling;
use crate::config::{Greedy, TrainingConfig, check_clip, check_counts, check_shares};
#[cfg(feature = "cuda")]
use crate::engine::Cuda;
use crate::engine::{Backend, Cpu};
use crate::learner::{BatchNumber, Learner};
use crate::{Device, Training, TrainingError};

/// The training of the paper's policy or of one of its rivals.
pub type PolicyTraining = Training<PolicyTrainingConfig>;

impl TrainingConfig for PolicyTrainingConfig {
    type Network = NetworkConfig;
    type Lessons = PolicyLessons;

    fn check(&self) -> Result<(), TrainingError> {
        if let Some(problem) = self.network.problem() {
            return Err(ModelError::Shape { problem }.into());
        }
        check_counts(&[("the number of epochs", self.epochs), ("the batch size", self.batch_size)])?;
        let is_of_many = matches!(self.method, Method::SharedBaseline | Method::SelfLabelling);
        if is_of_many && self.samples < 2 {
            return Err(TrainingError::setting("the number of drawn orders", self.samples, "at least 2"));
        }
        check_shares(&[
            ("the learning rate", self.learning_rate),
            ("the decay of the learning rate", self.decay),
        ])?;
        check_clip(self.gradient_clip)
    }

    fn network(&self) -> &NetworkConfig {
        &self.network
    }

    fn epochs(&self) -> usize {
        self.epochs
    }

    fn rate(&self, number: BatchNumber, _: f64) -> f64 {
        self.learning_rate * self.decay.powi(number.epoch as i32)
    }

    /// The number of epochs may be another: no epoch depends on it.
    fn goes_on_from(&self, earlier: &Self) -> bool {
        Self { epochs: self.epochs, ..earlier.clone() } == *self
    }

    fn learner(&self, lessons: &PolicyLessons, device: Device) -> Result<Box<dyn Learner>, TrainingError> {
        if lessons.num_instances() == 0 {
            return Err(DatasetError::Empty.into());
        }
        let example = lessons.example()?;
        self.network.features(&example)?;
        if example.len() < 2 {
            return Err(TrainingError::setting("the number of jobs", example.len(), "at least 2"));
        }
        match device {
            Device::Cpu => self.learner_on(lessons, Cpu::new()),
            #[cfg(feature = "cuda")]
            Device::Cuda => self.learner_on(lessons, Cuda::new()?),
        }
    }

    fn greedy(weights: &Weights) -> Box<Greedy> {
        let policy = Policy::new(weights);
        Box::new(move |instance| policy.greedy(instance))
    }
}

impl PolicyTrainingConfig {
    fn learner_on<B: Backend>(
        &self,
        lessons: &PolicyLessons,
        backend: B,
    ) -> Result<Box<dyn Learner>, TrainingError> {
        let backend = Rc::new(backend);
        match (self.method, lessons) {
            (Method::BehaviourCloning, PolicyLessons::Labelled(set)) => {
                Ok(Box::new(BehaviourCloning::new(self, set, backend)?))
            }
            (Method::ActorCritic, PolicyLessons::Fresh(fresh)) => {
                Ok(Box::new(ActorCritic::new(self, fresh, backend)))
            }
            (Method::SharedBaseline | Method::SelfLabelling, PolicyLessons::Fresh(fresh)) => {
                Ok(Box::new(Sampling::new(self, fresh, backend)))
            }
            (method, _) => {
                let method = format!("{method:?}");
                Err(TrainingError::setting("the method", method, "one that suits the instances"))
            }
        }
    }
}
