//! The gated graph convolution (Eq. 1 of the paper) on a batch of instances of one size.

use std::cell::RefCell;
use std::collections::HashMap;

use burn::tensor::activation::{relu, sigmoid};
use burn::tensor::backend::Backend;
use burn::tensor::{Int, Tensor};

use super::parameters::Tensors;
use crate::{Aggregation, NetworkConfig, Normalization};

/// What normalisation adds to a variance.
const EPSILON: f32 = 1e-5;

/// Instances of one size.
#[derive(Clone)]
pub(super) struct Batch<B: Backend> {
    /// By instance, job and machine.
    pub(super) features: Tensor<B, 3>,
    /// By instance, and job and neighbour.
    pub(super) neighbours: Tensor<B, 2, Int>,
    pub(super) distances: Tensor<B, 2>,
}

impl<B: Backend> Batch<B> {
    /// Some of the instances.
    pub(super) fn select(&self, instances: &Tensor<B, 1, Int>) -> Self {
        Self {
            features: self.features.clone().select(0, instances.clone()),
            neighbours: self.neighbours.clone().select(0, instances.clone()),
            distances: self.distances.clone().select(0, instances.clone()),
        }
    }
}

/// How a job's neighbours are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lookup {
    /// By index: best on the CPU.
    Index,
    /// By a product with a matrix of zeros and ones: on a GPU its gradient, a product too, is ten times as fast as
    /// the scattered sums that the other one needs.
    #[cfg_attr(not(any(feature = "cuda", test)), allow(dead_code))]
    Product,
}

/// The statistics of batch normalisation.
pub(super) enum Statistics<'a, B: Backend> {
    /// Those of the batch; they are noted by name.
    OfBatch(RefCell<HashMap<String, Tensor<B, 2>>>),
    /// Given ones.
    Running(&'a Tensors<B>),
}

impl<B: Backend> Statistics<'_, B> {
    pub(super) fn of_batch() -> Self {
        Self::OfBatch(RefCell::default())
    }
}

/// A network's tensors and how they are used.
pub(super) struct Network<'a, B: Backend> {
    pub(super) config: &'a NetworkConfig,
    pub(super) tensors: &'a Tensors<B>,
    pub(super) statistics: &'a Statistics<'a, B>,
    pub(super) lookup: Lookup,
}

impl<B: Backend> Network<'_, B> {
    fn linear(&self, name: &str, input: Tensor<B, 2>) -> Tensor<B, 2> {
        let weight = self.tensors.get(&format!("{name}.weight"));
        input.matmul(weight.transpose()) + self.tensors.get(&format!("{name}.bias"))
    }

    fn norm(&self, name: &str, input: Tensor<B, 2>) -> Tensor<B, 2> {
        let (variance, centred) = match (self.config.normalization, self.statistics) {
            (Normalization::None, _) => return input,
            (Normalization::Layer, _) => {
                let mean = input.clone().mean_dim(1);
                let centred = input - mean;
                ((centred.clone() * centred.clone()).mean_dim(1), centred)
            }
            (Normalization::Batch, Statistics::Running(running)) => {
                let centred = input - running.get(&format!("{name}.running_mean"));
                (running.get(&format!("{name}.running_var")), centred)
            }
            (Normalization::Batch, Statistics::OfBatch(noted)) => {
                let count = input.dims()[0] as f32;
                let mean = input.clone().mean_dim(0);
                let centred = input - mean.clone();
                let variance = (centred.clone() * centred.clone()).mean_dim(0);
                let unbiased = variance.clone().mul_scalar(count / (count - 1.0).max(1.0));
                let mut noted = noted.borrow_mut();
                noted.insert(format!("{name}.running_mean"), mean);
                noted.insert(format!("{name}.running_var"), unbiased);
                (variance, centred)
            }
        };
        let scaled = centred * variance.add_scalar(EPSILON).sqrt().recip();
        scaled * self.tensors.get(&format!("{name}.weight")) + self.tensors.get(&format!("{name}.bias"))
    }

    /// The embeddings of all jobs: by instance, job and feature.
    pub(super) fn encode(&self, batch: &Batch<B>) -> Tensor<B, 3> {
        let [count, n, m] = batch.features.dims();
        let degree = batch.neighbours.dims()[1] / n;
        let (jobs_in_all, d) = (count * n, self.config.width);
        let neighbours = Neighbours::new(batch, self.lookup);
        let mut jobs = self.linear("job_embedding", batch.features.clone().reshape([jobs_in_all, m]));
        let distances = batch.distances.clone().reshape([jobs_in_all * degree, 1]);
        let mut edges =
            distances * self.tensors.get("edge_embedding.weight") + self.tensors.get("edge_embedding.bias");
        for layer in 0..self.config.layers {
            let map = |name: &str, input: &Tensor<B, 2>| {
                self.linear(&format!("layers.{layer}.{name}"), input.clone())
            };
            let sent = sigmoid(edges.clone()) * neighbours.of(map("c", &jobs));
            let sent = sent.reshape([jobs_in_all, degree, d]);
            let gathered = match self.config.aggregation {
                Aggregation::Mean => sent.mean_dim(1),
                Aggregation::Sum => sent.sum_dim(1),
                Aggregation::Max => sent.max_dim(1),
            };
            let inner = map("b", &jobs) + gathered.reshape([jobs_in_all, d]);
            let next = jobs.clone() + relu(self.norm(&format!("layers.{layer}.job_norm"), inner));
            // What the last layer makes of the edges is never used.
            if layer + 1 < self.config.layers {
                let own = map("e", &jobs).reshape([jobs_in_all, 1, d]);
                let mapped = map("d", &edges).reshape([jobs_in_all, degree, d]) + own;
                let inner = mapped.reshape([jobs_in_all * degree, d]) + neighbours.of(map("f", &jobs));
                edges = edges + relu(self.norm(&format!("layers.{layer}.edge_norm"), inner));
            }
            jobs = next;
        }
        jobs.reshape([count, n, d])
    }
}

/// Looks up rows of neighbours.
enum Neighbours<B: Backend> {
    /// The row of every neighbour.
    Index(Tensor<B, 1, Int>),
    /// By instance: a row per neighbour with a one at its job.
    Product(Tensor<B, 3>),
}

impl<B: Backend> Neighbours<B> {
    fn new(batch: &Batch<B>, lookup: Lookup) -> Self {
        let [count, n, _] = batch.features.dims();
        let edges = batch.neighbours.dims()[1];
        let device = batch.features.device();
        match lookup {
            Lookup::Index => {
                let first = Tensor::<B, 1, Int>::arange(0..count as i64, &device).mul_scalar(n as i64);
                let rows = batch.neighbours.clone() + first.reshape([count, 1]);
                Self::Index(rows.reshape([count * edges]))
            }
            Lookup::Product => {
                let jobs = Tensor::<B, 1, Int>::arange(0..n as i64, &device).reshape([1, 1, n]);
                let rows = batch.neighbours.clone().reshape([count, edges, 1]);
                let jobs = jobs.expand([count, edges, n]);
                Self::Product(rows.expand([count, edges, n]).equal(jobs).float())
            }
        }
    }

    /// The rows of all neighbours, from the rows of all jobs.
    fn of(&self, rows: Tensor<B, 2>) -> Tensor<B, 2> {
        match self {
            Self::Index(index) => rows.select(0, index.clone()),
            Self::Product(ones) => {
                let ([count, edges, n], d) = (ones.dims(), rows.dims()[1]);
                ones.clone().matmul(rows.reshape([count, n, d])).reshape([count * edges, d])
            }
        }
    }
}
