//! Why there is no policy.

use std::path::PathBuf;

use pfss_neural::ModelError;
use thiserror::Error;

use super::names::{BUILT_IN_MODELS, MODEL_FOLDER};

/// Why there is no policy.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadModelError {
    /// The file cannot be read.
    #[error(
        "{}: cannot read the model: {source}; {MODEL_FOLDER} has none of this name either, and {} are built in (scripts/models brings back those of the reproduction)",
        path.display(),
        BUILT_IN_MODELS.join(" and ")
    )]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is no model.
    #[error("{}: {source}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ModelError,
    },
    /// A built-in model is damaged.
    #[error("the model {name} is damaged, which is a defect worth reporting: {source}")]
    BuiltIn {
        /// Its name.
        name: &'static str,
        /// What is wrong with it.
        source: ModelError,
    },
}
