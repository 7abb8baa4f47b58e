//! The attention decoder (Eq. 2 to 5 of the paper) on a batch of instances of one size.

use burn::tensor::activation::{log_softmax, softmax};
use burn::tensor::backend::Backend;
use burn::tensor::{Int, Tensor, TensorData};

use super::network::Network;

/// What a job that is placed gets added to its logit.
const PLACED: f32 = -1e9;

/// What the decoder needs to know of a batch of encoded instances.
struct Keys<B: Backend> {
    /// By instance, head, job and feature.
    keys: Tensor<B, 4>,
    values: Tensor<B, 4>,
    /// By instance, job and feature.
    logit_keys: Tensor<B, 3>,
    /// By instance, one row: the graph's part of every query.
    graph: Tensor<B, 3>,
    /// The part of the first step.
    start: Tensor<B, 3>,
    as_first: Tensor<B, 3>,
    as_last: Tensor<B, 3>,
}

impl<B: Backend> Network<'_, B> {
    fn keys(&self, jobs: Tensor<B, 3>) -> Keys<B> {
        let d = self.config.width;
        let maps = self.tensors.get("decoder.jobs.weight");
        let part = |which: usize| self.map(jobs.clone(), maps.clone().narrow(0, which * d, d));
        let step = self.tensors.get("decoder.step_context.weight");
        let placeholders = self.tensors.get("decoder.placeholders").reshape([1, 1, 2 * d]);
        let half = |which: usize| self.map(jobs.clone(), step.clone().narrow(1, which * d, d));
        Keys {
            keys: self.heads(part(0)),
            values: self.heads(part(1)),
            logit_keys: part(2),
            graph: self.map(jobs.clone().mean_dim(1), self.tensors.get("decoder.graph_context.weight")),
            start: self.map(placeholders, step.clone()),
            as_first: half(0),
            as_last: half(1),
        }
    }

    /// Clipped logits of all jobs for some queries (Eq. 3 and 4), by instance, query and job. `placed` is added
    /// before each softmax.
    fn logits(&self, keys: &Keys<B>, query: Tensor<B, 3>, placed: Tensor<B, 3>) -> Tensor<B, 3> {
        let ([count, queries, d], heads) = (query.dims(), self.config.heads);
        let scale = 1.0 / ((d / heads) as f32).sqrt();
        let scores = self.heads(query).matmul(keys.keys.clone().swap_dims(2, 3)).mul_scalar(scale);
        let weights = softmax(scores + placed.clone().unsqueeze_dim::<4>(1), 3);
        let glimpse = weights.matmul(keys.values.clone()).swap_dims(1, 2).reshape([count, queries, d]);
        let glimpse = self.map(glimpse, self.tensors.get("decoder.output.weight"));
        let inner = glimpse.matmul(keys.logit_keys.clone().swap_dims(1, 2));
        inner.mul_scalar(1.0 / (d as f32).sqrt()).tanh().mul_scalar(self.config.clip) + placed
    }

    /// The log-probabilities of all jobs at each step, where each instance's jobs are placed in the order of their
    /// numbers: by instance, step and job. All steps are computed at once, since the order is known.
    pub(super) fn teacher_forced(&self, jobs: Tensor<B, 3>) -> Tensor<B, 3> {
        let [count, n, d] = jobs.dims();
        let device = jobs.device();
        let keys = self.keys(jobs);
        // Step t follows job t - 1, and the first one follows nothing.
        let first = keys.as_first.clone().narrow(1, 0, 1);
        let query = if n > 1 {
            let later = keys.as_last.clone().narrow(1, 0, n - 1) + first;
            Tensor::cat(vec![keys.start.clone().expand([count, 1, d]), later], 1)
        } else {
            keys.start.clone().expand([count, 1, d])
        };
        let placed: Vec<f32> = (0..n * n).map(|at| if at % n < at / n { PLACED } else { 0.0 }).collect();
        let placed = Tensor::<B, 3>::from_data(TensorData::new(placed, [1, n, n]), &device);
        log_softmax(self.logits(&keys, query + keys.graph.clone(), placed), 2)
    }

    /// The log-probability, by instance, of placing the jobs in the order in which they are given.
    pub(super) fn log_likelihood(&self, jobs: Tensor<B, 3>) -> Tensor<B, 1> {
        let [count, n, _] = jobs.dims();
        let chosen = Tensor::<B, 2>::eye(n, &jobs.device()).unsqueeze_dim::<3>(0);
        (self.teacher_forced(jobs) * chosen).reshape([count, n * n]).sum_dim(1).reshape([count])
    }

    /// The most likely job at each step, step by step: by instance and step.
    pub(super) fn greedy(&self, jobs: Tensor<B, 3>) -> Tensor<B, 2, Int> {
        self.roll_out(jobs, None)
    }

    /// A job drawn at each step, with the probabilities of the policy: the largest sum of a logit and of noise, where
    /// `noise` (by instance, step and job) follows the standard Gumbel distribution.
    pub(super) fn sample(&self, jobs: Tensor<B, 3>, noise: Tensor<B, 3>) -> Tensor<B, 2, Int> {
        self.roll_out(jobs, Some(noise))
    }

    fn roll_out(&self, jobs: Tensor<B, 3>, noise: Option<Tensor<B, 3>>) -> Tensor<B, 2, Int> {
        let [count, n, d] = jobs.dims();
        let device = jobs.device();
        let keys = self.keys(jobs);
        let numbers =
            Tensor::<B, 1, Int>::arange(0..n as i64, &device).reshape([1, 1, n]).expand([count, 1, n]);
        let mut query = keys.start.clone().expand([count, 1, d]) + keys.graph.clone();
        let mut placed = Tensor::<B, 3>::zeros([count, 1, n], &device);
        let mut first: Option<Tensor<B, 3>> = None;
        let mut steps = Vec::with_capacity(n);
        for step in 0..n {
            let mut logits = self.logits(&keys, query, placed.clone());
            if let Some(noise) = &noise {
                logits = logits + noise.clone().narrow(1, step, 1);
            }
            let job = logits.argmax(2);
            let row = |rows: &Tensor<B, 3>| rows.clone().gather(1, job.clone().expand([count, 1, d]));
            let first = first.get_or_insert_with(|| row(&keys.as_first)).clone();
            query = first + row(&keys.as_last) + keys.graph.clone();
            let is_new = job.clone().expand([count, 1, n]).equal(numbers.clone());
            placed = placed + is_new.float().mul_scalar(PLACED);
            steps.push(job.reshape([count, 1]));
        }
        Tensor::cat(steps, 1)
    }
}
