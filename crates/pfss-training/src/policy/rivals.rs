//! The encoders that the paper compares its graph convolution with: self-attention with a recurrent layer, and a
//! Transformer.

use burn::tensor::Tensor;
use burn::tensor::activation::{relu, sigmoid, softmax};
use burn::tensor::backend::Backend;

use super::network::{Batch, Network};

impl<B: Backend> Network<'_, B> {
    /// Self-attention of all jobs with residual and normalisation.
    fn attend(&self, layer: usize, jobs: Tensor<B, 3>) -> Tensor<B, 3> {
        let [count, n, d] = jobs.dims();
        let map = |name: &str, rows: Tensor<B, 3>| {
            self.map(rows, self.tensors.get(&format!("layers.{layer}.attention.{name}.weight")))
        };
        let part = |name: &str| self.heads(map(name, jobs.clone()));
        let scale = 1.0 / ((d / self.config.heads) as f32).sqrt();
        let scores = part("query").matmul(part("key").swap_dims(2, 3)).mul_scalar(scale);
        let seen = softmax(scores, 3).matmul(part("value")).swap_dims(1, 2).reshape([count, n, d]);
        let inner = (jobs.clone() + map("output", seen)).reshape([count * n, d]);
        self.norm(&format!("layers.{layer}.attention_norm"), inner).reshape([count, n, d])
    }

    /// Attention, then a long short-term memory that passes over the jobs in the order in which they are given.
    pub(super) fn recur(&self, batch: &Batch<B>) -> Tensor<B, 3> {
        let ([count, n, _], d) = (batch.features.dims(), self.config.width);
        let mut jobs = self.embed(batch).reshape([count, n, d]);
        for layer in 0..self.config.layers {
            let name = |what: &str| format!("layers.{layer}.lstm.{what}");
            jobs = self.attend(layer, jobs);
            let sent = self.linear(&name("input"), jobs.clone().reshape([count * n, d]));
            // The bias of the hidden map is the same at every step.
            let sent = (sent + self.tensors.get(&name("hidden.bias"))).reshape([count, n, 4 * d]);
            let weight = self.tensors.get(&name("hidden.weight")).transpose();
            let mut state: Option<(Tensor<B, 2>, Tensor<B, 2>)> = None;
            let mut passed = Vec::with_capacity(n);
            for job in 0..n {
                let mut gates = sent.clone().narrow(1, job, 1).reshape([count, 4 * d]);
                if let Some((hidden, _)) = &state {
                    gates = gates + hidden.clone().matmul(weight.clone());
                }
                let open = sigmoid(gates.clone().narrow(1, 0, 3 * d));
                let new = gates.narrow(1, 3 * d, d).tanh();
                let gate = |which: usize| open.clone().narrow(1, which * d, d);
                let cell = match state {
                    Some((_, cell)) => gate(1) * cell + gate(0) * new,
                    None => gate(0) * new,
                };
                let hidden = gate(2) * cell.clone().tanh();
                passed.push(hidden.clone().reshape([count, 1, d]));
                state = Some((hidden, cell));
            }
            jobs = jobs + Tensor::cat(passed, 1);
        }
        jobs
    }

    /// A Transformer's layers: attention, then two maps of each job, both with residual and normalisation.
    pub(super) fn transform(&self, batch: &Batch<B>) -> Tensor<B, 3> {
        let ([count, n, _], d) = (batch.features.dims(), self.config.width);
        let mut jobs = self.embed(batch).reshape([count, n, d]);
        for layer in 0..self.config.layers {
            let name = |what: &str| format!("layers.{layer}.{what}");
            let looked = self.attend(layer, jobs).reshape([count * n, d]);
            let wide = relu(self.linear(&name("expand"), looked.clone()));
            let inner = looked + self.linear(&name("contract"), wide);
            jobs = self.norm(&name("feed_forward_norm"), inner).reshape([count, n, d]);
        }
        jobs
    }
}
