//! How the bidirectional policy is trained.

use serde::{Deserialize, Serialize};

use crate::front::{Finish, FrontConfig};
use crate::training::TrainingError;

/// Where policy gradient draws its orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rollouts {
    /// On all cores, by the inference of shipped models.
    #[default]
    Host,
    /// As tensors, on the device that learns.
    Device,
}

/// The most partial orders of the search for the last jobs while the policy learns: most of what more would give, and
/// little beside the network.
const FINISH_NODES: usize = 512;

/// How the bidirectional policy is trained: first by imitation of an expert, then by policy gradient.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrontTrainingConfig {
    /// The network.
    pub network: FrontConfig,
    /// What tells the model that the first weights are taken from; none where they are drawn.
    pub start: Option<String>,
    /// The seed of the first weights and of all that is drawn.
    pub seed: u64,
    /// Epochs of imitation.
    pub imitation_epochs: usize,
    /// Epochs of policy gradient after them.
    pub gradient_epochs: usize,
    /// Steps of the optimiser in an epoch.
    pub batches: usize,
    /// How many sizes of states a step mixes.
    pub parts: usize,
    /// Imitation: at most so many candidates on machines in each part.
    pub rows: usize,
    /// Policy gradient: instances in a step.
    pub instances: usize,
    /// Policy gradient: orders drawn for each of them.
    pub samples: usize,
    /// Policy gradient: where they are drawn.
    pub rollouts: Rollouts,
    /// Policy gradient: at most so many of the last jobs are ordered by search, so that the policy learns which jobs to
    /// leave to it; none where it orders all.
    #[serde(default)]
    pub finish: usize,
    /// The first learning rate of imitation; it falls along a cosine to nothing.
    pub imitation_rate: f64,
    /// The first learning rate of policy gradient; it falls along a cosine to nothing.
    pub gradient_rate: f64,
    /// Gradients are scaled down to this norm.
    pub gradient_clip: f32,
}

impl FrontTrainingConfig {
    /// The defaults with this seed.
    pub fn new(seed: u64) -> Self {
        Self {
            network: FrontConfig::default(),
            start: None,
            seed,
            imitation_epochs: 20,
            gradient_epochs: 20,
            batches: 100,
            parts: 4,
            rows: 200_000,
            instances: 48,
            samples: 16,
            rollouts: Rollouts::Host,
            finish: Finish::default().jobs,
            imitation_rate: 1e-3,
            gradient_rate: 3e-4,
            gradient_clip: 1.0,
        }
    }

    /// How orders end while the policy learns.
    pub(super) fn finish(&self) -> Finish {
        Finish { jobs: self.finish, nodes: FINISH_NODES }
    }

    /// All epochs.
    pub fn epochs(&self) -> usize {
        self.imitation_epochs + self.gradient_epochs
    }

    /// The learning rate of a batch of an epoch, both counted from zero.
    pub(super) fn rate(&self, epoch: usize, batch: usize) -> f64 {
        let (first, done, epochs) = if epoch < self.imitation_epochs {
            (self.imitation_rate, epoch, self.imitation_epochs)
        } else {
            (self.gradient_rate, epoch - self.imitation_epochs, self.gradient_epochs)
        };
        let share = (done * self.batches + batch) as f64 / (epochs * self.batches).max(1) as f64;
        first * 0.5 * (1.0 + (std::f64::consts::PI * share).cos())
    }

    pub(super) fn check(&self) -> Result<(), TrainingError> {
        let wrong = |name, value: String, expected| Err(TrainingError::Setting { name, value, expected });
        let counts = [
            ("the number of epochs", self.epochs()),
            ("the number of batches", self.batches),
            ("the number of parts", self.parts),
            ("the number of rows", self.rows),
            ("the number of instances", self.instances),
        ];
        if let Some((name, _)) = counts.into_iter().find(|(_, count)| *count == 0) {
            return wrong(name, "0".to_string(), "at least 1");
        }
        if self.samples < 2 {
            return wrong("the number of samples", self.samples.to_string(), "at least 2, to compare them");
        }
        for (name, rate) in [
            ("the learning rate of imitation", self.imitation_rate),
            ("the learning rate of policy gradient", self.gradient_rate),
        ] {
            if !(rate > 0.0 && rate <= 1.0) {
                return wrong(name, rate.to_string(), "above 0 and at most 1");
            }
        }
        if !(self.gradient_clip > 0.0 && self.gradient_clip.is_finite()) {
            return wrong("the gradient clip", self.gradient_clip.to_string(), "above 0");
        }
        Ok(())
    }
}
