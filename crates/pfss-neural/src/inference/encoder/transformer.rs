//! The Transformer encoder: layers of self-attention and of a feed-forward map, each with residual and normalisation.

use pfss_core::simd::{Instructions, RealRegister};
use rayon::prelude::*;

use super::self_attention::{JOBS_PER_TASK, SelfAttention, add_and_normalise};
use crate::inference::linear::PAD;
use crate::inference::linear::{Linear, multiply_rows};
use crate::inference::norm::Norm;
use crate::network::Weights;
use pfss_core::kernel;

#[derive(Clone, Debug)]
struct Layer {
    attention: SelfAttention,
    expand: Linear,
    contract: Linear,
    norm: Norm,
}

#[derive(Clone, Debug)]
pub(super) struct TransformerEncoder {
    stride: usize,
    job_embedding: Linear,
    layers: Vec<Layer>,
}

impl TransformerEncoder {
    pub(super) fn new(weights: &Weights) -> Self {
        let config = weights.config();
        let d = config.width;
        let layer = |layer: usize| {
            let get = |name: &str| weights.get(&format!("layers.{layer}.{name}"));
            let wide = get("expand.bias").len();
            Layer {
                attention: SelfAttention::new(weights, layer),
                expand: Linear::stacked(&[(get("expand.weight"), get("expand.bias"))], d, wide),
                contract: Linear::stacked(&[(get("contract.weight"), get("contract.bias"))], wide, d),
                norm: Norm::new(weights, &format!("layers.{layer}.feed_forward_norm")),
            }
        };
        let embedding = (weights.get("job_embedding.weight"), weights.get("job_embedding.bias"));
        Self {
            stride: d.next_multiple_of(PAD),
            job_embedding: Linear::stacked(&[embedding], config.num_machines, d),
            layers: (0..config.layers).map(layer).collect(),
        }
    }

    pub(super) fn encode(
        &self,
        instructions: Instructions,
        features: &[f32],
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<f32>> {
        let mut jobs = self.job_embedding.map(instructions, features);
        for layer in &self.layers {
            if !layer.attention.apply(instructions, &mut jobs, goes_on) {
                return None;
            }
            jobs.par_chunks_mut(JOBS_PER_TASK * self.stride).for_each(|jobs| feed(instructions, layer, jobs));
        }
        Some(jobs)
    }
}

kernel!(feed, feed_forward, fn(layer: &Layer, jobs: &mut [f32]));

#[inline(always)]
unsafe fn feed_forward<V: RealRegister>(layer: &Layer, jobs: &mut [f32]) {
    let stride = layer.contract.output_stride();
    let mut wide = vec![0.0; jobs.len() / stride * layer.expand.output_stride()];
    let mut mapped = vec![0.0; jobs.len()];
    // SAFETY: the caller's feature; all rows have the strides of the maps.
    unsafe {
        multiply_rows::<V>(&layer.expand, jobs, &mut wide);
        wide.iter_mut().for_each(|value| *value = value.max(0.0));
        multiply_rows::<V>(&layer.contract, &wide, &mut mapped);
        add_and_normalise::<V>(&layer.norm, &mapped, jobs, stride);
    }
}
