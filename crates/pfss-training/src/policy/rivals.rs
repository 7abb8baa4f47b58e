//! The encoders that the paper compares its graph convolution with: self-attention with a recurrent layer, and a
//! Transformer.

use pfss_neural::Glimpse;

use super::network::{Batch, Network};
use crate::engine::{Backend, Var};

impl<B: Backend> Network<'_, B> {
    /// Self-attention of all jobs with residual and normalisation.
    fn attend(&self, layer: usize, jobs: &Var<B>, n: usize) -> Var<B> {
        let map = |name: &str, rows: &Var<B>| self.map(&format!("layers.{layer}.attention.{name}"), rows);
        let [query, key, value] = ["query", "key", "value"].map(|name| map(name, jobs));
        let seen = self.tape.attend([&query, &key, &value], (n, self.config.heads), Glimpse::All);
        let inner = self.tape.sum(&map("output", &seen), jobs);
        self.norm(&format!("layers.{layer}.attention_norm"), &inner, false, None)
    }

    /// Attention, then a long short-term memory that passes over the jobs in the order in which they are given.
    pub(super) fn recur(&self, batch: &Batch<B>) -> Var<B> {
        let mut jobs = self.embed(batch);
        for layer in 0..self.config.layers {
            let name = |what: &str| format!("layers.{layer}.lstm.{what}");
            jobs = self.attend(layer, &jobs, batch.jobs);
            let sent = self.linear(&name("input"), &jobs);
            let [weight, bias] = ["hidden.weight", "hidden.bias"].map(|part| self.tensor(&name(part)));
            let passed = self.tape.recur(sent, weight, bias, batch.jobs);
            jobs = self.tape.sum(&jobs, &passed);
        }
        jobs
    }

    /// A Transformer's layers: attention, then two maps of each job, both with residual and normalisation.
    pub(super) fn transform(&self, batch: &Batch<B>) -> Var<B> {
        let mut jobs = self.embed(batch);
        for layer in 0..self.config.layers {
            let name = |what: &str| format!("layers.{layer}.{what}");
            let looked = self.attend(layer, &jobs, batch.jobs);
            let wide = self.tape.relu(&self.linear(&name("expand"), &looked));
            let inner = self.tape.sum(&self.linear(&name("contract"), &wide), &looked);
            jobs = self.norm(&name("feed_forward_norm"), &inner, false, None);
        }
        jobs
    }
}
