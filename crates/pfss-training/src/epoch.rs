//! What a batch and an epoch led to.

use serde::{Deserialize, Serialize};

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
    /// The same as `gap` for each set of validation instances, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<f64>,
    /// The learning rate.
    pub learning_rate: f64,
    /// How long its batches took.
    pub seconds: f64,
}

/// What a batch led to.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its number in the whole training, counted from one.
    pub step: usize,
    /// Its epoch, counted from one.
    pub epoch: usize,
    /// Its number in the epoch, counted from one.
    pub batch: usize,
    /// Its loss.
    pub loss: f64,
    /// The critic's loss, where there is one.
    pub critic_loss: Option<f64>,
    /// The norm of the gradient before it was scaled down, where the learner tells it.
    pub gradient_norm: Option<f64>,
    /// The mean entropy of the policy's choices, where the learner tells it: zero where it is sure of all of them.
    pub entropy: Option<f64>,
    /// The learning rate.
    pub learning_rate: f64,
    /// How long it took.
    pub seconds: f64,
}
