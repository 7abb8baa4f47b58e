//! How a policy of some kind is trained.

use std::collections::BTreeSet;

use pfss_core::JobId;
use pfss_neural::{ModelConfig, ModelError, ModelWeights, ProblemInstance};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::learner::{BatchNumber, Learner};
use crate::{Device, TrainingError};

/// Builds the order of an instance that a policy takes to be best.
pub type Greedy = dyn Fn(&ProblemInstance) -> Result<Vec<JobId>, ModelError> + Sync;

/// What a policy learns from.
pub trait Lessons {
    /// What tells these lessons from others, so that a training only goes on with its own.
    fn fingerprint(&self) -> String;
}

/// How a policy of some kind is trained: all that is its own in a [`Training`](crate::Training).
pub trait TrainingConfig: Clone + PartialEq + Serialize + DeserializeOwned {
    /// The shape of the network.
    type Network: ModelConfig + Clone + PartialEq;
    /// What it learns from.
    type Lessons: Lessons;

    /// Whether all settings are within their ranges.
    ///
    /// # Errors
    /// [`TrainingError`] tells which is not.
    fn check(&self) -> Result<(), TrainingError>;

    /// The network.
    fn network(&self) -> &Self::Network;

    /// How many epochs there are.
    fn epochs(&self) -> usize;

    /// The learning rate of a batch before which the training took so many seconds.
    fn rate(&self, number: BatchNumber, seconds: f64) -> f64;

    /// Seconds after which the training ends, at the end of an epoch; none where only epochs end it.
    fn time_limit(&self) -> Option<f64> {
        None
    }

    /// Whether a training with these settings can go on from one with `earlier` ones.
    fn goes_on_from(&self, earlier: &Self) -> bool {
        self == earlier
    }

    /// What learns, with its first weights.
    ///
    /// # Errors
    /// [`TrainingError`] when settings and lessons do not fit, or the device is missing.
    fn learner(&self, lessons: &Self::Lessons, device: Device) -> Result<Box<dyn Learner>, TrainingError>;

    /// The weights of a smaller network in this one's shape, where there is a way that keeps what they compute.
    fn grown(&self, _: &ModelWeights<Self::Network>) -> Option<ModelWeights<Self::Network>> {
        None
    }

    /// What builds orders with these weights.
    fn greedy(weights: &ModelWeights<Self::Network>) -> Box<Greedy>;
}

/// In what two settings differ: by name, what the first has and what the second has.
pub fn differences(first: &impl Serialize, second: &impl Serialize) -> Vec<String> {
    let mut found = Vec::new();
    if let (Ok(first), Ok(second)) = (serde_json::to_value(first), serde_json::to_value(second)) {
        differ("", &first, &second, &mut found);
    }
    found
}

fn differ(name: &str, first: &Value, second: &Value, found: &mut Vec<String>) {
    if let (Value::Object(first), Value::Object(second)) = (first, second) {
        let names: BTreeSet<&String> = first.keys().chain(second.keys()).collect();
        for key in names {
            let path = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
            differ(
                &path,
                first.get(key).unwrap_or(&Value::Null),
                second.get(key).unwrap_or(&Value::Null),
                found,
            );
        }
    } else if first != second {
        found.push(format!("{name} is {first} there and {second} here"));
    }
}

/// Each of these must be at least one.
pub(crate) fn check_counts(counts: &[(&'static str, usize)]) -> Result<(), TrainingError> {
    match counts.iter().find(|(_, count)| *count == 0) {
        Some((name, _)) => Err(TrainingError::setting(name, 0, "at least 1")),
        None => Ok(()),
    }
}

/// Each of these must be above zero and at most one.
pub(crate) fn check_shares(shares: &[(&'static str, f64)]) -> Result<(), TrainingError> {
    match shares.iter().find(|(_, share)| !(*share > 0.0 && *share <= 1.0)) {
        Some((name, share)) => Err(TrainingError::setting(name, share, "above 0 and at most 1")),
        None => Ok(()),
    }
}

/// The norm that gradients are scaled down to.
pub(crate) fn check_clip(clip: f32) -> Result<(), TrainingError> {
    if clip > 0.0 && clip.is_finite() {
        Ok(())
    } else {
        Err(TrainingError::setting("the gradient clip", clip, "above 0"))
    }
}
