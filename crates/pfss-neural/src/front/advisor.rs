//! A front policy that advises a tree search.

use std::sync::Arc;

use pfss_core::{Instance, JobId, Time};

use super::decoding::log_softmax;
use super::scratch::Scratch;
use super::{FrontPolicy, FrontState};

/// A front policy at work on the partial orders of one instance that a search holds. Its memory is kept from one to the
/// next.
#[derive(Clone, Debug)]
pub struct FrontAdvisor {
    policy: Arc<FrontPolicy>,
    state: FrontState,
    /// What the policy's unit of time is in those of the instance.
    unit: f64,
    scratch: Scratch,
    likely: Vec<f32>,
}

impl FrontAdvisor {
    /// For searches over an instance.
    pub fn new<T: Time>(policy: Arc<FrontPolicy>, instance: &Instance<T>) -> Self {
        let mean = instance.mean_time();
        let unit = if mean > 0.0 { mean } else { 1.0 };
        Self {
            policy,
            state: FrontState::of(instance),
            unit,
            scratch: Scratch::default(),
            likely: Vec::new(),
        }
    }

    /// The logarithms of the probabilities of the open jobs at the front and at the back, in their order, where the
    /// machines are free at `front`, are needed `back` before the end, and have `work` left, all in the
    /// instance's time. Nothing where that is no partial order of the instance.
    pub fn log_probabilities(
        &mut self,
        front: &[f64],
        back: &[f64],
        work: &[f64],
        open: &[JobId],
    ) -> &[[f32; 2]] {
        let share = 1.0 / self.unit;
        let rows = [front, back, work].map(|row| row.iter().map(move |time| time * share));
        if open.is_empty() || !self.state.assume(rows, open) {
            return &[];
        }
        self.policy.scorer.score(self.policy.instructions, &self.state, &mut self.scratch);
        log_softmax(&self.policy.scorer, &self.scratch, open.len(), 1.0, &mut self.likely);
        self.likely.as_chunks::<2>().0
    }
}
