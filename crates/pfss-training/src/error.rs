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
    /// The model to start from has another network.
    #[error("the model to start from has the network {found}, but {expected} was asked for")]
    Start {
        /// The model's.
        found: String,
        /// The training's.
        expected: String,
    },
    /// A fresh instance cannot be drawn.
    #[error("an instance cannot be drawn: {reason}")]
    Draw {
        /// Why.
        reason: String,
    },
    /// The numbers grew without bound.
    #[error("the loss of epoch {epoch} is not a number; try a smaller learning rate")]
    Diverged {
        /// The epoch, counted from one.
        epoch: usize,
    },
}

impl TrainingError {
    /// A setting that is out of its range.
    pub(crate) fn setting(name: &'static str, value: impl ToString, expected: &'static str) -> Self {
        Self::Setting { name, value: value.to_string(), expected }
    }
}
