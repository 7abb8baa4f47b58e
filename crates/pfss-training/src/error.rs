//! Why a training cannot go on.

use pfss_neural::{DatasetError, ModelError};
use thiserror::Error;

/// Why a training cannot start or go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// A setting is out of its range.
    #[error("{name} is {value}; it must be {expected}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: String,
        /// What would be accepted.
        expected: &'static str,
    },
    /// The network and the data do not fit.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The data cannot be used.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The bytes are no checkpoint.
    #[error("this is not a checkpoint of pfss: {reason}")]
    Checkpoint {
        /// What is missing or unreadable.
        reason: String,
    },
    /// The checkpoint belongs to another training.
    #[error(
        "the checkpoint was made with {what}; start anew in another folder, or train with the same settings"
    )]
    Different {
        /// What differs.
        what: String,
    },
    /// The device is missing or failed.
    #[error("the device cannot be used: {reason}")]
    Device {
        /// What it said.
        reason: String,
    },
    /// More epochs are done than are asked for.
    #[error("{done} epochs are done already, but {asked} were asked for; ask for at least {done}")]
    Fewer {
        /// How many are done.
        done: usize,
        /// How many were asked for.
        asked: usize,
    },
    /// The model to start from has another network.
    #[error("the model to start from has the network of another shape: {what}")]
    Start {
        /// What differs, and how.
        what: String,
    },
    /// The network cannot be built.
    #[error("there is no network of this shape: {problem}")]
    Network {
        /// What is wrong.
        problem: String,
    },
    /// A fresh instance cannot be drawn.
    #[error("an instance cannot be drawn: {reason}")]
    Draw {
        /// Why.
        reason: String,
    },
    /// Who draws instances was told to stop.
    #[error("interrupted")]
    Interrupted,
    /// The numbers grew without bound.
    #[error("{what} is not a number after batch {batch} of epoch {epoch}; {advice}")]
    Diverged {
        /// What is no number.
        what: &'static str,
        /// The epoch, counted from one.
        epoch: usize,
        /// The batch, counted from one.
        batch: usize,
        /// What to try.
        advice: &'static str,
    },
}

impl TrainingError {
    /// A setting that is out of its range.
    pub(crate) fn setting(name: &'static str, value: impl ToString, expected: &'static str) -> Self {
        Self::Setting { name, value: value.to_string(), expected }
    }
}
