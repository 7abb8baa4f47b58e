//! What made the models of a plan.

use serde::{Deserialize, Serialize};

use super::model::Models;
use super::plan::Plan;
use super::training_record::TrainingStage;

/// What made a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelSummary {
    /// Its name.
    pub model: String,
    /// Its trainings, the first one first.
    #[serde(default)]
    pub stages: Vec<TrainingStage>,
    /// The model of another seed that it is averaged with.
    #[serde(default)]
    pub beside: Option<String>,
    /// In what its training differs from that one's beside the seed.
    #[serde(default)]
    pub differences: Vec<String>,
}

/// The models of a plan that have a record, each followed by those of the other seeds.
pub(super) fn model_summaries(plan: &Plan, seeds: &[u64], models: &Models) -> Vec<ModelSummary> {
    let mut found = Vec::new();
    for model in plan.models() {
        found.extend(summary(models, model.clone(), None));
        for seed in seeds {
            let other = format!("{model}-seed{seed}");
            if models.has(&other) {
                found.extend(summary(models, other, Some(model.clone())));
            }
        }
    }
    found
}

fn summary(models: &Models, model: String, beside: Option<String>) -> Option<ModelSummary> {
    let stages = models.training(&model).ok().flatten()?.stages;
    let differences = beside.as_ref().and_then(|first| models.differences(first, &model).ok());
    Some(ModelSummary { model, stages, beside, differences: differences.unwrap_or_default() })
}
