//! The gated graph convolution (Eq. 1 of the paper) on a batch of instances of one size.

use burn::tensor::activation::{relu, sigmoid};
use burn::tensor::backend::Backend;
use burn::tensor::{Int, Tensor};
use pfss_neural::Aggregation;

use super::network::{Batch, Lookup, Network};

impl<B: Backend> Network<'_, B> {
    pub(super) fn convolve(&self, batch: &Batch<B>) -> Tensor<B, 3> {
        let [count, n, _] = batch.features.dims();
        let degree = batch.neighbours.dims()[1] / n;
        let (jobs_in_all, d) = (count * n, self.config.width);
        let neighbours = Neighbours::new(batch, self.lookup);
        let mut jobs = self.embed(batch);
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
