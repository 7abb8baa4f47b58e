//! A bidirectional policy as the guide of a beam.

use std::sync::Arc;

use pfss_core::{Instance, SolveError, Time};
use pfss_heuristics::beam::{Guide, OpenNode};
use pfss_neural::{FrontAdvisor, FrontPolicy};

use crate::models::{self, LoadedPolicy};

/// Probabilities of a bidirectional policy on one instance.
#[derive(Clone)]
pub(super) struct PolicyGuide(FrontAdvisor);

impl PolicyGuide {
    /// The policy of a model for this instance.
    pub(super) fn load<T: Time>(model: &str, instance: &Instance<T>) -> Result<Self, SolveError> {
        let refuse = |reason: String| SolveError::Unsupported { algorithm: "beam".to_string(), reason };
        match models::load_for(model, instance.num_machines()) {
            Ok(LoadedPolicy::Front(policy)) => Ok(Self::new(policy, instance)),
            Ok(LoadedPolicy::Network(_)) => Err(refuse(format!(
                "the model {model} builds orders from one end; a beam needs one that builds them from both, such as `front`"
            ))),
            Err(error) => Err(refuse(error.to_string())),
        }
    }

    /// This policy on this instance.
    pub(super) fn new<T: Time>(policy: Arc<FrontPolicy>, instance: &Instance<T>) -> Self {
        Self(FrontAdvisor::new(policy, instance))
    }
}

impl Guide for PolicyGuide {
    fn look(&mut self, node: &OpenNode<'_>, log_probabilities: &mut Vec<[f32; 2]>) {
        log_probabilities.clear();
        let likely = self.0.log_probabilities(node.front, node.back, node.work, node.jobs);
        log_probabilities.extend_from_slice(likely);
    }
}
