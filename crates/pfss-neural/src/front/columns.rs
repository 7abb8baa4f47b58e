//! Linear maps of what both ends have once: every lane is an output.

use pfss_core::simd::{Aligned, RealRegister};

/// Outputs whose weights are stored side by side.
const BLOCK: usize = 64;

/// Registers that are summed at a time for each end.
const REGISTERS: usize = 4;

/// A linear map of one row for the front and one for the back. Outputs are padded to whole blocks.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    inputs: usize,
    outputs: usize,
    /// Block after block: for each input, its weights for the block's outputs.
    weights: Aligned<f32>,
    bias: Aligned<f32>,
}

impl Columns {
    /// A map with the weight of each output and input, and biases; outputs beyond these get zeros.
    pub(super) fn new(bias: &[f32], inputs: usize, weight: impl Fn(usize, usize) -> f32) -> Self {
        let outputs = bias.len().next_multiple_of(BLOCK);
        let weight = |output, input| if output < bias.len() { weight(output, input) } else { 0.0 };
        let mut weights = Vec::with_capacity(outputs * inputs);
        for block in (0..outputs).step_by(BLOCK) {
            for input in 0..inputs {
                weights.extend((block..block + BLOCK).map(|output| weight(output, input)));
            }
        }
        let mut bias = bias.to_vec();
        bias.resize(outputs, 0.0);
        Self { inputs, outputs, weights: weights.as_slice().into(), bias: bias.as_slice().into() }
    }

    /// The length of an output row.
    pub(super) fn outputs(&self) -> usize {
        self.outputs
    }

    /// Maps a row of each end.
    ///
    /// # Safety
    /// As for [`RealRegister`].
    #[inline(always)]
    pub(super) unsafe fn apply<V: RealRegister>(&self, x: [&[f32]; 2], target: [&mut [f32]; 2]) {
        assert!(x.iter().all(|x| x.len() == self.inputs));
        assert!(target.iter().all(|target| target.len() == self.outputs));
        for column in (0..self.outputs).step_by(REGISTERS * V::LANES) {
            // SAFETY: the caller's feature; all rows were checked, and the registers divide a block.
            unsafe {
                let block = self.weights.as_ptr().add(column / BLOCK * BLOCK * self.inputs + column % BLOCK);
                let mut sums = [[V::splat(0.0); 2]; REGISTERS];
                for (k, sums) in sums.iter_mut().enumerate() {
                    *sums = [V::load(self.bias.as_ptr().add(column + k * V::LANES)); 2];
                }
                for (input, (&front, &back)) in x[0].iter().zip(x[1]).enumerate() {
                    let (front, back) = (V::splat(front), V::splat(back));
                    let weights = block.add(input * BLOCK);
                    for (k, sums) in sums.iter_mut().enumerate() {
                        let weight = V::load(weights.add(k * V::LANES));
                        sums[0] = weight.fma(front, sums[0]);
                        sums[1] = weight.fma(back, sums[1]);
                    }
                }
                for (k, sums) in sums.iter().enumerate() {
                    sums[0].store(target[0].as_mut_ptr().add(column + k * V::LANES));
                    sums[1].store(target[1].as_mut_ptr().add(column + k * V::LANES));
                }
            }
        }
    }
}
