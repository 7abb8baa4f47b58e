//! How the paper's policy and its rivals are trained.

use pfss_neural::NetworkConfig;
use serde::{Deserialize, Serialize};

/// What a policy learns from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// An expert's orders.
    #[default]
    BehaviourCloning,
    /// What its own orders of fresh instances cost, beside what a critic expected.
    ActorCritic,
    /// What several of its own orders of a fresh instance cost, beside their mean.
    SharedBaseline,
    /// The best of several of its own orders of a fresh instance.
    SelfLabelling,
}

/// What a policy that learns by trial is told of the cost of an order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CostScale {
    /// The cost divided by what the instance typically costs, so that one learning rate serves all sizes.
    #[default]
    Scaled,
    /// The cost itself, as in the paper.
    Raw,
}

/// How a policy is trained; the defaults are the paper's (section 5.1 and its released code).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyTrainingConfig {
    /// The network.
    pub network: NetworkConfig,
    /// What it learns from.
    pub method: Method,
    /// What is told of costs; imitation has no use for it.
    #[serde(default)]
    pub cost: CostScale,
    /// How many of its own orders of an instance a policy learns from, where that is not one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub samples: usize,
    /// What tells the model that the first weights are taken from; none where they are drawn.
    #[serde(default)]
    pub start: Option<String>,
    /// The seed of the first weights and of the order of the batches.
    pub seed: u64,
    /// How often all instances are seen.
    pub epochs: usize,
    /// Instances per step.
    pub batch_size: usize,
    /// The learning rate of the first epoch.
    pub learning_rate: f64,
    /// What it is multiplied by after each epoch.
    pub decay: f64,
    /// Gradients are scaled down to this norm.
    pub gradient_clip: f32,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl PolicyTrainingConfig {
    /// The paper's training of this network.
    pub fn new(network: NetworkConfig, seed: u64) -> Self {
        Self {
            network,
            method: Method::BehaviourCloning,
            cost: CostScale::Scaled,
            samples: 0,
            start: None,
            seed,
            epochs: 50,
            batch_size: 128,
            learning_rate: 1e-4,
            decay: 0.96,
            gradient_clip: 1.0,
        }
    }
}
