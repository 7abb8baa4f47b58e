//! What an epoch led to.

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
    /// The learning rate.
    pub learning_rate: f64,
    /// How long its batches took.
    pub seconds: f64,
}
