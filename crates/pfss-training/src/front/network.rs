//! The bidirectional scorer, on states of one size.

use pfss_neural::FrontConfig;

use crate::engine::{Backend, Matrix, Norm, Rest, Statistics, Taken, Tape, Var};
use crate::parameters::Tensors;

/// How many numbers stand for a candidate on a machine.
pub(super) const FEATURES: usize = 16;

/// States with as many jobs and machines, and as many jobs left, on the host.
#[derive(Clone, Debug, Default)]
pub(super) struct HostStates {
    /// Jobs of the instances, machines, and jobs that are left.
    pub(super) size: (usize, usize, usize),
    /// By state, end, candidate, machine and feature.
    pub(super) features: Vec<f32>,
    /// By state and action (candidates at the front, then those at the back): one for those that are taught.
    pub(super) taught: Vec<f32>,
    /// By state: how much the taught actions are wanted.
    pub(super) weights: Vec<f32>,
}

impl HostStates {
    /// The same on a device.
    pub(super) fn load<B: Backend>(&self, backend: &B) -> States<B> {
        let left = self.size.2;
        States {
            size: self.size,
            features: backend.upload(&self.features, FEATURES),
            taught: backend.upload(&self.taught, 2 * left),
            weights: backend.upload(&self.weights, 1),
        }
    }
}

/// States on a device, as [`HostStates`] has them.
pub(super) struct States<B: Backend> {
    pub(super) size: (usize, usize, usize),
    /// A row for each machine of each candidate.
    pub(super) features: Matrix<B>,
    pub(super) taught: Matrix<B>,
    pub(super) weights: Matrix<B>,
}

/// The scorer's tensors and how they are used.
pub(super) struct FrontNetwork<'a, B: Backend> {
    pub(super) config: &'a FrontConfig,
    pub(super) tape: &'a Tape<B>,
    pub(super) tensors: &'a Tensors<B>,
}

impl<B: Backend> FrontNetwork<'_, B> {
    fn linear(&self, name: &str, rows: &Var<B>) -> Var<B> {
        let part = |part: &str| self.tensors.get(&format!("{name}.{part}"));
        self.tape.linear(rows, part("weight"), Some(part("bias")))
    }

    /// `own` map of each of `left` candidates plus the map of what they are told of all: the mean and the maximum of
    /// their own end, and the mean of the other one.
    fn mixed(&self, name: &str, candidates: &Var<B>, left: usize) -> Var<B> {
        let context = self.tape.pool(candidates, left, Rest::Other);
        let context = self.tape.linear(&context, self.tensors.get(&format!("{name}.context.weight")), None);
        self.tape.sum_by_group(&self.linear(&format!("{name}.own"), candidates), &context, left)
    }

    /// How likely it is that one of the taught actions is taken: by state.
    pub(super) fn take(&self, states: &States<B>) -> Taken<B> {
        let (n, m, r) = states.size;
        let rows = self.tape.constant(states.features.clone());
        let rows = self.tape.relu(&self.linear("machine.0", &rows));
        let rows = self.tape.relu(&self.linear("machine.1", &rows));
        let size = [r as f32 / n as f32, (r as f32).ln() / 4.0, (n as f32).ln() / 4.0, (m as f32).ln() / 3.0];
        let seen = self.tape.pool(&rows, m, Rest::Numbers(size));
        let z = self.tape.relu(&self.linear("candidate", &seen));
        let inner = self.tape.sum(&z, &self.tape.relu(&self.mixed("mix", &z, r)));
        let part = |part: &str| self.tensors.get(&format!("norm.{part}")).clone();
        let norm = Norm { statistics: Statistics::Rows, weight: part("weight"), bias: part("bias") };
        let z = self.tape.normalise(&inner, Some(norm), false, None);
        let logits = self.linear("score.output", &self.tape.relu(&self.mixed("score", &z, r)));
        self.tape.take(&logits, &states.taught, self.config.clip)
    }
}
