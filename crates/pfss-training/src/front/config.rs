//! How the bidirectional policy is trained.

use pfss_neural::{Finish, FrontConfig};
use serde::{Deserialize, Serialize};

/// Where policy gradient draws its orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rollouts {
    /// On all cores, by the inference of shipped models.
    #[default]
    Host,
    /// On the device that learns: what earlier programs could do, and their records say.
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
    /// Policy gradient: how many sources a step learns from, each as often as its weight says.
    #[serde(default = "one")]
    pub kinds: usize,
    /// Policy gradient: instances of each source in a step, where the source does not say how many.
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
    /// The share of the averaged weights that each step keeps: they are what is measured and handed on, since those of
    /// single steps are noisy. Without an average at 0.
    #[serde(default)]
    pub average: f32,
    /// Seconds after which the training ends, at the end of an epoch, if it has not ended before; the rate falls in step.
    /// Only for a training without imitation.
    #[serde(default)]
    pub time_limit: Option<f64>,
}

fn one() -> usize {
    1
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
            kinds: 1,
            instances: 48,
            samples: 16,
            rollouts: Rollouts::Host,
            finish: Finish::default().jobs,
            imitation_rate: 1e-3,
            gradient_rate: 3e-4,
            gradient_clip: 1.0,
            average: 0.0,
            time_limit: None,
        }
    }

    /// How orders end while the policy learns.
    pub(super) fn finish(&self) -> Finish {
        Finish { jobs: self.finish, nodes: FINISH_NODES }
    }
}
