//! The training of the paper's policy and its rivals.

use pfss_neural::{DatasetError, ModelError, NetworkConfig, Policy, PolicyInput, Weights};

use super::actor_critic::ActorCritic;
use super::behaviour_cloning::BehaviourCloning;
use super::config::{Method, PolicyTrainingConfig};
use super::lessons::PolicyLessons;
use super::network::Lookup;
use crate::config::{Greedy, TrainingConfig, check_clip, check_counts, check_shares};
use crate::device::Cpu;
#[cfg(feature = "cuda")]
use crate::device::{Gpu, on_gpu};
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
        match (self.method, lessons, device) {
            (Method::BehaviourCloning, PolicyLessons::Labelled(set), Device::Cpu) => {
                Ok(Box::new(BehaviourCloning::<Cpu>::new(self, set, Lookup::Index)?))
            }
            (Method::ActorCritic, PolicyLessons::Fresh(fresh), Device::Cpu) => {
                Ok(Box::new(ActorCritic::<Cpu>::new(self, fresh, Lookup::Index)))
            }
            #[cfg(feature = "cuda")]
            (Method::BehaviourCloning, PolicyLessons::Labelled(set), Device::Cuda) => {
                on_gpu(|| BehaviourCloning::<Gpu>::new(self, set, Lookup::Product))
            }
            #[cfg(feature = "cuda")]
            (Method::ActorCritic, PolicyLessons::Fresh(fresh), Device::Cuda) => {
                on_gpu(|| Ok(ActorCritic::<Gpu>::new(self, fresh, Lookup::Product)))
            }
            (method, ..) => {
                let method = format!("{method:?}");
                Err(TrainingError::setting("the method", method, "one that suits the instances"))
            }
        }
    }

    fn greedy(weights: &Weights) -> Box<Greedy> {
        let policy = Policy::new(weights);
        Box::new(move |instance| policy.greedy(instance))
    }
}
