//! The critic of actor-critic learning: what an instance will cost.

use burn::tensor::Tensor;
use burn::tensor::activation::relu;
use burn::tensor::backend::Backend;

use super::network::{Batch, Network};

impl<B: Backend> Network<'_, B> {
    /// By instance: two maps of the mean embedding.
    pub(super) fn value(&self, batch: &Batch<B>) -> Tensor<B, 1> {
        let [count, _, _] = batch.features.dims();
        let mean = self.encode(batch).mean_dim(1).reshape([count, self.config.width]);
        let hidden = relu(self.linear("value.hidden", mean));
        self.linear("value.output", hidden).reshape([count])
    }
}
