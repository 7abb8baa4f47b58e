//! The gated graph convolution (Eq. 1 of the paper) on a batch of instances of one size.

use super::network::{Batch, Network};
use crate::engine::{Backend, Var};

impl<B: Backend> Network<'_, B> {
    pub(super) fn convolve(&self, batch: &Batch<B>) -> Var<B> {
        let mut jobs = self.embed(batch);
        let embedding = |part: &str| self.tensor(&format!("edge_embedding.{part}"));
        let mut edges = self.tape.outer(&batch.distances, embedding("weight"), embedding("bias"));
        for layer in 0..self.config.layers {
            let name = |part: &str| format!("layers.{layer}.{part}");
            let map = |map: &str| self.linear(&name(map), &jobs);
            let inner = self.tape.gate(&batch.graph, &edges, &map("c"), &map("b"));
            let next = self.norm(&name("job_norm"), &inner, true, Some(&jobs));
            // What the last layer makes of the edges is never used.
            if layer + 1 < self.config.layers {
                let own = (self.tensor(&name("d.weight")), self.tensor(&name("d.bias")));
                let inner = self.tape.meet(&batch.graph, &edges, own, &map("e"), &map("f"));
                edges = self.norm(&name("edge_norm"), &inner, true, Some(&edges));
            }
            jobs = next;
        }
        jobs
    }
}
