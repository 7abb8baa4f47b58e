//! What a policy learns from: an expert's orders, or fresh instances.

use std::sync::Arc;

use pfss_neural::{DatasetError, LabelledSet, ProblemInstance};
use rayon::prelude::*;

use super::batches::Batches;
use crate::TrainingError;
use crate::config::Lessons;
use crate::learner::BatchNumber;

/// Draws the fresh instance of a number.
pub type Draw = dyn Fn(u64) -> Result<ProblemInstance, TrainingError> + Send + Sync;

/// Instances that are drawn anew for each epoch.
#[derive(Clone)]
pub struct Fresh {
    /// Draws them; all of one size.
    pub draw: Arc<Draw>,
    /// How many there are in an epoch.
    pub instances: usize,
    /// What tells them from others: their distribution, size and seed.
    pub description: String,
}

impl Fresh {
    /// The instances of a batch; no epoch has those of another.
    pub(super) fn batch(
        &self,
        batches: &Batches,
        number: BatchNumber,
    ) -> Result<Vec<ProblemInstance>, TrainingError> {
        let first = number.epoch as u64 * self.instances as u64;
        batches.range(number.batch).into_par_iter().map(|index| (self.draw)(first + index as u64)).collect()
    }
}

/// What a policy learns from.
pub enum PolicyLessons {
    /// An expert's orders, for behaviour cloning.
    Labelled(LabelledSet),
    /// Instances without orders, for learning by trial.
    Fresh(Fresh),
}

impl PolicyLessons {
    /// How many instances an epoch has.
    pub fn num_instances(&self) -> usize {
        match self {
            Self::Labelled(set) => set.items().len(),
            Self::Fresh(fresh) => fresh.instances,
        }
    }

    /// One of them.
    pub(super) fn example(&self) -> Result<ProblemInstance, TrainingError> {
        match self {
            Self::Labelled(set) => {
                set.items().first().map(|item| item.instance.clone()).ok_or(DatasetError::Empty.into())
            }
            Self::Fresh(fresh) => (fresh.draw)(0),
        }
    }
}

impl Lessons for PolicyLessons {
    fn fingerprint(&self) -> String {
        match self {
            Self::Labelled(set) => set.fingerprint(),
            Self::Fresh(fresh) => format!("{} x {}", fresh.instances, fresh.description),
        }
    }
}
