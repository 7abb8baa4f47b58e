//! The training of the policy that builds orders from both ends.

use std::rc::Rc;

use pfss_neural::{
    DatasetError, FrontConfig, FrontPolicy, FrontWeights, ModelError, PolicyInput, ProblemKind,
};

use super::config::{FrontTrainingConfig, Rollouts};
use super::learner::FrontLearner;
use super::lessons::{FrontLessons, flow_shop};
use crate::config::{Greedy, TrainingConfig, check_clip, check_counts, check_shares};
use crate::engine::Cpu;
#[cfg(feature = "cuda")]
use crate::engine::Cuda;
use crate::learner::{BatchNumber, Learner};
use crate::{Device, Training, TrainingError};

/// The training of a policy that builds orders from both ends.
pub type FrontTraining = Training<FrontTrainingConfig>;

impl TrainingConfig for FrontTrainingConfig {
    type Network = FrontConfig;
    type Lessons = FrontLessons;

    fn check(&self) -> Result<(), TrainingError> {
        check_counts(&[
            ("the number of epochs", self.epochs()),
            ("the number of batches", self.batches),
            ("the number of parts", self.parts),
            ("the number of rows", self.rows),
            ("the number of kinds", self.kinds),
            ("the number of instances", self.instances),
        ])?;
        if self.samples < 2 {
            let expected = "at least 2, to compare them";
            return Err(TrainingError::setting("the number of samples", self.samples, expected));
        }
        check_shares(&[
            ("the learning rate of imitation", self.imitation_rate),
            ("the learning rate of policy gradient", self.gradient_rate),
        ])?;
        check_clip(self.gradient_clip)?;
        if self.rollouts == Rollouts::Device {
            let expected = "host: orders are drawn on all cores, whatever the device is that learns";
            return Err(TrainingError::setting("the place of rollouts", "device", expected));
        }
        if !(0.0..1.0).contains(&self.average) {
            let expected = "at least 0 and below 1";
            return Err(TrainingError::setting("the share of the average", self.average, expected));
        }
        match self.time_limit {
            Some(limit) if !(limit > 0.0 && limit.is_finite()) => {
                Err(TrainingError::setting("the time limit", limit, "above 0"))
            }
            Some(limit) if self.imitation_epochs > 0 => {
                let expected = "absent where there is imitation, whose rate falls with its epochs";
                Err(TrainingError::setting("the time limit", limit, expected))
            }
            _ => Ok(()),
        }
    }

    fn network(&self) -> &FrontConfig {
        &self.network
    }

    fn epochs(&self) -> usize {
        self.imitation_epochs + self.gradient_epochs
    }

    fn time_limit(&self) -> Option<f64> {
        self.time_limit
    }

    fn goes_on_from(&self, earlier: &Self) -> bool {
        Self { time_limit: self.time_limit, ..earlier.clone() } == *self
    }

    fn rate(&self, number: BatchNumber, seconds: f64) -> f64 {
        let BatchNumber { epoch, batch } = number;
        let (first, done, epochs) = if epoch < self.imitation_epochs {
            (self.imitation_rate, epoch, self.imitation_epochs)
        } else {
            (self.gradient_rate, epoch - self.imitation_epochs, self.gradient_epochs)
        };
        let share = (done * self.batches + batch) as f64 / (epochs * self.batches).max(1) as f64;
        let of_time = self.time_limit.map_or(0.0, |limit| (seconds / limit).min(1.0));
        first * 0.5 * (1.0 + (std::f64::consts::PI * share.max(of_time)).cos())
    }

    fn learner(&self, lessons: &FrontLessons, device: Device) -> Result<Box<dyn Learner>, TrainingError> {
        let has_labels = lessons.sources.iter().any(|source| source.labelled.is_some());
        let has_weight = lessons.sources.iter().any(|source| source.weight > 0.0);
        if !has_weight || self.imitation_epochs > 0 && !has_labels {
            return Err(DatasetError::Empty.into());
        }
        match device {
            Device::Cpu => Ok(Box::new(FrontLearner::new(self, lessons, Rc::new(Cpu::new())))),
            #[cfg(feature = "cuda")]
            Device::Cuda => Ok(Box::new(FrontLearner::new(self, lessons, Rc::new(Cuda::new()?)))),
        }
    }

    fn grown(&self, start: &FrontWeights) -> Option<FrontWeights> {
        start.widened(&self.network, self.seed)
    }

    fn greedy(weights: &FrontWeights) -> Box<Greedy> {
        let policy = FrontPolicy::new(weights);
        Box::new(move |instance| match flow_shop(instance) {
            Some(shop) => Ok(policy.greedy(shop)),
            None => Err(ModelError::Problem { expected: ProblemKind::FLOW_SHOP, found: instance.kind() }),
        })
    }
}
