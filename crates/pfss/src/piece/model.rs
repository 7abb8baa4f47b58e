//! A trained policy that others use.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::models::{self, LoadModelError};

/// A model in a form that travels: a name that tells it from others, and once its content, which need not go with every piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PortableModel {
    key: String,
    /// None where it is part of every program.
    #[serde(skip)]
    content: Option<Arc<[u8]>>,
}

impl PortableModel {
    /// The model of a file, of the folder of a training, or of a name, as [`load_model`](crate::load_model) finds it.
    ///
    /// # Errors
    /// [`LoadModelError`] tells what there is instead.
    pub fn find(model: &str) -> Result<Self, LoadModelError> {
        Ok(match models::content(model)? {
            Some((file, content)) => Self::of_content(&file.display().to_string(), content),
            None => Self::built_in(if model.is_empty() { models::BUILT_IN_MODEL } else { model }),
        })
    }

    /// A model that is part of the program.
    pub fn built_in(name: &str) -> Self {
        Self { key: name.to_string(), content: None }
    }

    /// The content of a model file; `key` tells it from others.
    pub fn of_content(key: &str, content: Vec<u8>) -> Self {
        Self { key: format!("file {key}"), content: Some(content.into()) }
    }

    /// What tells it from others.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What a process must be given before it can use the model; `None` where it is part of every program.
    pub fn content(&self) -> Option<&[u8]> {
        self.content.as_deref()
    }
}
