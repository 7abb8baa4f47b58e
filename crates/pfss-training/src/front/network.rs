//! The bidirectional scorer in burn, on states of one size.

use burn::tensor::activation::{log_softmax, relu};
use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::tensor::{Tensor, TensorData};
use pfss_neural::FrontConfig;

use crate::blocks::Sums;
use crate::parameters::Tensors;

/// What layer normalisation adds to a variance.
const EPSILON: f32 = 1e-5;

/// How many numbers stand for a candidate on a machine.
pub(super) const FEATURES: usize = 16;

/// States with as many jobs and machines, and as many jobs left, on the host.
#[derive(Clone, Debug, Default)]
pub(super) struct HostStates {
    /// Jobs of the instances, machines, and jobs that are left.
    pub(super) size: (usize, usize, usize),
    /// How many states there are.
    pub(super) count: usize,
    /// By state, end, candidate, machine and feature.
    pub(super) features: Vec<f32>,
    /// By state and action (candidates at the front, then those at the back): one for those that are taught.
    pub(super) taught: Vec<f32>,
    /// By state: how much the taught actions are wanted.
    pub(super) weights: Vec<f32>,
}

impl HostStates {
    /// The same on a device.
    pub(super) fn load<B: Backend>(self, device: &B::Device) -> States<B> {
        let (_, m, r) = self.size;
        let rows = self.count * 2 * r * m;
        let tensor = |values: Vec<f32>, shape: [usize; 2]| {
            Tensor::<B, 2>::from_data(TensorData::new(values, shape), device)
        };
        States {
            size: self.size,
            features: tensor(self.features, [rows, FEATURES]),
            taught: tensor(self.taught, [self.count, 2 * r]),
            weights: tensor(self.weights, [self.count, 1]),
        }
    }
}

/// States on a device, as [`HostStates`] has them.
pub(super) struct States<B: Backend> {
    pub(super) size: (usize, usize, usize),
    /// A row for each machine of each candidate.
    pub(super) features: Tensor<B, 2>,
    pub(super) taught: Tensor<B, 2>,
    pub(super) weights: Tensor<B, 2>,
}

impl<B: Backend> States<B> {
    /// The same, for a computation that is differentiated.
    pub(super) fn differentiated<A: AutodiffBackend<InnerBackend = B>>(self) -> States<A> {
        States {
            size: self.size,
            features: Tensor::from_inner(self.features),
            taught: Tensor::from_inner(self.taught),
            weights: Tensor::from_inner(self.weights),
        }
    }
}

/// The scorer's tensors and how they are used.
pub(super) struct FrontNetwork<'a, B: Backend> {
    pub(super) config: &'a FrontConfig,
    pub(super) tensors: &'a Tensors<B>,
    pub(super) sums: Sums,
}

impl<B: Backend> FrontNetwork<'_, B> {
    fn map(&self, name: &str, rows: Tensor<B, 2>) -> Tensor<B, 2> {
        self.sums.map(rows, self.tensors.get(&format!("{name}.weight")))
    }

    fn linear(&self, name: &str, rows: Tensor<B, 2>) -> Tensor<B, 2> {
        let part = |part: &str| self.tensors.get(&format!("{name}.{part}"));
        self.sums.linear(rows, part("weight"), part("bias"))
    }

    /// What candidates are told of all: the mean and the maximum of their own end, and the mean of the other one; by
    /// state and end.
    fn context(&self, candidates: Tensor<B, 4>) -> Tensor<B, 2> {
        let [count, _, _, d] = candidates.dims();
        let mean = candidates.clone().mean_dim(2).reshape([count, 2, d]);
        let most = candidates.max_dim(2).reshape([count, 2, d]);
        let other = mean.clone().flip([1]);
        Tensor::cat(vec![mean, most, other], 2).reshape([count * 2, 3 * d])
    }

    /// `own` map of each candidate plus the map of its end's context.
    fn mixed(&self, name: &str, candidates: Tensor<B, 4>) -> Tensor<B, 4> {
        let [count, ends, r, d] = candidates.dims();
        let context = self.map(&format!("{name}.context"), self.context(candidates.clone()));
        let own = self.linear(&format!("{name}.own"), candidates.reshape([count * ends * r, d]));
        own.reshape([count, ends, r, d]) + context.reshape([count, ends, 1, d])
    }

    /// The log-probabilities of all actions: by state, then candidates at the front and those at the back. `rows` are
    /// the features of states of this size.
    pub(super) fn log_probabilities(
        &self,
        rows: Tensor<B, 2>,
        (n, m, r): (usize, usize, usize),
    ) -> Tensor<B, 2> {
        let (h, d) = (self.config.hidden, self.config.width);
        let device = rows.device();
        let candidates = rows.dims()[0] / m;
        let count = candidates / (2 * r);
        let rows = relu(self.linear("machine.1", relu(self.linear("machine.0", rows))));
        let rows = rows.reshape([candidates, m, h]);
        let mean = rows.clone().mean_dim(1).reshape([candidates, h]);
        let most = rows.max_dim(1).reshape([candidates, h]);
        let size = [r as f32 / n as f32, (r as f32).ln() / 4.0, (n as f32).ln() / 4.0, (m as f32).ln() / 3.0];
        let size = Tensor::<B, 2>::from_data(TensorData::new(size.to_vec(), [1, 4]), &device);
        let seen = Tensor::cat(vec![mean, most, size.expand([candidates, 4])], 1);
        let z = relu(self.linear("candidate", seen)).reshape([count, 2, r, d]);
        let inner = z.clone() + relu(self.mixed("mix", z));
        let mean = inner.clone().mean_dim(3);
        let centred = inner - mean;
        let variance = (centred.clone() * centred.clone()).mean_dim(3);
        let scaled = centred * variance.add_scalar(EPSILON).sqrt().recip();
        let affine = |name: &str| self.tensors.get(name).reshape([1, 1, 1, d]);
        let z = scaled * affine("norm.weight") + affine("norm.bias");
        let inner = relu(self.mixed("score", z)).reshape([candidates, d]);
        let logits = self.linear("score.output", inner).reshape([count, 2 * r]);
        let clip = self.config.clip;
        log_softmax(logits.div_scalar(clip).tanh().mul_scalar(clip), 1)
    }

    /// Minus the mean over states of the weighted log-probability of taking one of the taught actions: with one action
    /// and an advantage as weight the loss of policy gradient, with two actions and weights of one that of imitation.
    pub(super) fn loss(&self, states: States<B>) -> Tensor<B, 1> {
        let log_likely = self.log_probabilities(states.features, states.size);
        let likely = (log_likely.exp() * states.taught).sum_dim(1);
        // Far from zero: the logits are clipped.
        (likely.log() * states.weights).mean().neg()
    }
}
