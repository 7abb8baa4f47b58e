//! The recurrent encoder: layers of self-attention and of a long short-term memory that passes over the jobs in turn.

use pfss_core::simd::{Instructions, RealRegister};

use super::self_attention::SelfAttention;
use crate::inference::linear::{Linear, multiply_rows};
use crate::network::Weights;
use pfss_core::kernel;
use pfss_core::simd::functions::{sigmoid, tanh};

#[derive(Clone, Debug)]
struct Layer {
    attention: SelfAttention,
    /// The four gates (input, forget, output, new content) from a job, and from the hidden state.
    input: Linear,
    hidden: Linear,
}

#[derive(Clone, Debug)]
pub(super) struct LstmEncoder {
    job_embedding: Linear,
    layers: Vec<Layer>,
}

impl LstmEncoder {
    pub(super) fn new(weights: &Weights) -> Self {
        let config = weights.config();
        let d = config.width;
        let gates = |layer: usize, name: &str| {
            let get = |what: &str| weights.get(&format!("layers.{layer}.lstm.{name}.{what}"));
            let maps: Vec<(&[f32], &[f32])> =
                get("weight").chunks_exact(d * d).zip(get("bias").chunks_exact(d)).collect();
            Linear::stacked(&maps, d, d)
        };
        let layer = |layer: usize| Layer {
            attention: SelfAttention::new(weights, layer),
            input: gates(layer, "input"),
            hidden: gates(layer, "hidden"),
        };
        let embedding = (weights.get("job_embedding.weight"), weights.get("job_embedding.bias"));
        Self {
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
            let mut gates = layer.input.map(instructions, &jobs);
            pass(instructions, layer, &mut gates, &mut jobs);
        }
        Some(jobs)
    }
}

kernel!(pass, pass_over, fn(layer: &Layer, gates: &mut [f32], jobs: &mut [f32]));

/// Passes over the jobs and adds the hidden state after each to its embedding. `gates` holds what the jobs send to the
/// gates.
#[inline(always)]
unsafe fn pass_over<V: RealRegister>(layer: &Layer, gates: &mut [f32], jobs: &mut [f32]) {
    let width = layer.hidden.output_stride();
    let stride = width / 4;
    let (mut hidden, mut cell) = (vec![0.0f32; stride], vec![0.0f32; stride]);
    let mut recurrent = vec![0.0f32; width];
    for (gates, job) in gates.chunks_exact_mut(width).zip(jobs.chunks_exact_mut(stride)) {
        // SAFETY: the caller's feature; all rows are padded.
        unsafe {
            multiply_rows::<V>(&layer.hidden, &hidden, &mut recurrent);
            for column in (0..stride).step_by(V::LANES) {
                let gate = |which: usize| {
                    let at = which * stride + column;
                    V::load(gates.as_ptr().add(at)).add(V::load(recurrent.as_ptr().add(at)))
                };
                let (input, forget, output) = (sigmoid(gate(0)), sigmoid(gate(1)), sigmoid(gate(2)));
                let old = V::load(cell.as_ptr().add(column));
                let new = forget.fma(old, input.mul(tanh(gate(3))));
                new.store(cell.as_mut_ptr().add(column));
                let seen = output.mul(tanh(new));
                seen.store(hidden.as_mut_ptr().add(column));
                let target = job.as_mut_ptr().add(column);
                V::load(target).add(seen).store(target);
            }
        }
    }
}
