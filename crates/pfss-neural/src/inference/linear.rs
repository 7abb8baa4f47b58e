//! Linear maps of many rows.

use pfss_core::simd::{Instructions, RealRegister};

use pfss_core::kernel;

/// Rows are padded to a multiple of this, which every register divides.
pub(crate) const PAD: usize = 32;

/// Rows that are multiplied together: as many as keep all sums of a panel in registers.
const ROWS: usize = 6;

/// A linear map, stored in panels of [`PAD`] outputs. Inputs and outputs are rows, padded to a multiple of [`PAD`].
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    inputs: usize,
    input_stride: usize,
    num_panels: usize,
    /// Panel after panel: for each input, its weights for the panel's outputs.
    panels: Vec<f32>,
    bias: Vec<f32>,
}

impl Linear {
    /// Several maps of the same inputs side by side, each padded: `weights` with a row per output, and biases (none
    /// where empty).
    pub(crate) fn stacked(maps: &[(&[f32], &[f32])], inputs: usize, outputs: usize) -> Self {
        let padded = outputs.next_multiple_of(PAD);
        let num_panels = maps.len() * padded / PAD;
        let mut panels = vec![0.0; num_panels * inputs * PAD];
        let mut bias = vec![0.0; num_panels * PAD];
        for (map, (weights, biases)) in maps.iter().enumerate() {
            for output in 0..outputs {
                let column = map * padded + output;
                let panel = &mut panels[column / PAD * inputs * PAD..];
                for input in 0..inputs {
                    panel[input * PAD + column % PAD] = weights[output * inputs + input];
                }
                bias[column] = biases.get(output).copied().unwrap_or(0.0);
            }
        }
        Self { inputs, input_stride: inputs.next_multiple_of(PAD), num_panels, panels, bias }
    }

    /// The length of an output row.
    pub(crate) fn output_stride(&self) -> usize {
        self.num_panels * PAD
    }

    /// Every row of `input`, mapped.
    pub(crate) fn map(&self, instructions: Instructions, input: &[f32]) -> Vec<f32> {
        let mut output = vec![0.0; input.len() / self.input_stride * self.output_stride()];
        self.apply(instructions, input, &mut output);
        output
    }

    /// Maps every row of `input`.
    pub(crate) fn apply(&self, instructions: Instructions, input: &[f32], output: &mut [f32]) {
        let rows = input.len() / self.input_stride;
        assert!(input.len() == rows * self.input_stride && output.len() == rows * self.output_stride());
        multiply(instructions, self, input, output);
    }
}

kernel!(multiply, multiply_rows, fn(map: &Linear, input: &[f32], output: &mut [f32]));

/// `apply` checked the lengths.
#[inline(always)]
pub(super) unsafe fn multiply_rows<V: RealRegister>(map: &Linear, input: &[f32], output: &mut [f32]) {
    let rows = input.len() / map.input_stride;
    // Groups of about the same size: a row alone would wait for each sum before the next one.
    let groups = rows.div_ceil(ROWS);
    let mut row = 0;
    for group in 0..groups {
        let end = rows * (group + 1) / groups;
        // SAFETY: the caller's feature; all rows are inside.
        unsafe {
            match end - row {
                1 => multiply_row::<V>(map, input, output, row),
                2 => multiply_group::<V, 2>(map, input, output, row),
                3 => multiply_group::<V, 3>(map, input, output, row),
                4 => multiply_group::<V, 4>(map, input, output, row),
                5 => multiply_group::<V, 5>(map, input, output, row),
                _ => multiply_group::<V, ROWS>(map, input, output, row),
            }
        }
        row = end;
    }
}

/// One row alone: several panels side by side, since each sum has to wait for the one before.
#[inline(always)]
unsafe fn multiply_row<V: RealRegister>(map: &Linear, input: &[f32], output: &mut [f32], row: usize) {
    const PANELS: usize = 4;
    let whole = map.num_panels - map.num_panels % PANELS;
    // SAFETY: the caller's feature; the row and the panels are inside.
    unsafe {
        let source = input.as_ptr().add(row * map.input_stride);
        let target = output.as_mut_ptr().add(row * map.output_stride());
        for lane in (0..PAD).step_by(V::LANES) {
            for panel in (0..whole).step_by(PANELS) {
                multiply_panels::<V, PANELS>(map, source, target, panel, lane);
            }
            for panel in whole..map.num_panels {
                multiply_panels::<V, 1>(map, source, target, panel, lane);
            }
        }
    }
}

#[inline(always)]
unsafe fn multiply_panels<V: RealRegister, const P: usize>(
    map: &Linear,
    source: *const f32,
    target: *mut f32,
    panel: usize,
    lane: usize,
) {
    let size = map.inputs * PAD;
    // SAFETY: as in `multiply_row`.
    unsafe {
        let mut sums = [V::splat(0.0); P];
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum = V::load(map.bias.as_ptr().add((panel + index) * PAD + lane));
        }
        let weights = map.panels.as_ptr().add(panel * size + lane);
        for input in 0..map.inputs {
            let value = V::splat(*source.add(input));
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = value.fma(V::load(weights.add(index * size + input * PAD)), *sum);
            }
        }
        for (index, sum) in sums.iter().enumerate() {
            sum.store(target.add((panel + index) * PAD + lane));
        }
    }
}

#[inline(always)]
unsafe fn multiply_group<V: RealRegister, const R: usize>(
    map: &Linear,
    input: &[f32],
    output: &mut [f32],
    row: usize,
) {
    let (input_stride, output_stride) = (map.input_stride, map.output_stride());
    // SAFETY: the caller's feature; `R` rows from `row` on are inside, and so are the panels.
    unsafe {
        let source = input.as_ptr().add(row * input_stride);
        // Registers of a panel that are summed at a time: two, so that all sums of the rows stay in registers.
        for column in (0..output_stride).step_by(2 * V::LANES) {
            let panel = map.panels.as_ptr().add(column / PAD * map.inputs * PAD + column % PAD);
            let bias = map.bias.as_ptr().add(column);
            let mut sums = [[V::load(bias), V::load(bias.add(V::LANES))]; R];
            for input in 0..map.inputs {
                let weights = panel.add(input * PAD);
                let (first, second) = (V::load(weights), V::load(weights.add(V::LANES)));
                for (row, sums) in sums.iter_mut().enumerate() {
                    let value = V::splat(*source.add(row * input_stride + input));
                    sums[0] = value.fma(first, sums[0]);
                    sums[1] = value.fma(second, sums[1]);
                }
            }
            for (index, sums) in sums.iter().enumerate() {
                let target = output.as_mut_ptr().add((row + index) * output_stride + column);
                sums[0].store(target);
                sums[1].store(target.add(V::LANES));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::Seed;
    use rand::RngExt;

    #[test]
    fn every_path_is_the_same_and_close_to_the_definition() {
        let mut rng = Seed::new(1).rng();
        for (rows, inputs, outputs) in [(1, 1, 1), (5, 3, 7), (13, 40, 33), (20, 128, 128), (1, 20, 100)] {
            let mut draw =
                |count: usize| -> Vec<f32> { (0..count).map(|_| rng.random_range(-1.0..1.0)).collect() };
            let (weights, bias, other) = (draw(inputs * outputs), draw(outputs), draw(inputs * outputs));
            let map = Linear::stacked(&[(&weights, &bias), (&other, &[])], inputs, outputs);
            let stride = inputs.next_multiple_of(PAD);
            let mut input = vec![f32::NAN; rows * stride];
            for row in input.chunks_exact_mut(stride) {
                row[..inputs].copy_from_slice(&draw(inputs));
            }
            let results = Instructions::available().into_iter().map(|instructions| {
                let mut output = vec![0.0; rows * map.output_stride()];
                map.apply(instructions, &input, &mut output);
                output
            });
            let results: Vec<Vec<f32>> = results.collect();
            assert!(results.iter().all(|result| *result == results[0]));
            for (row, output) in input.chunks_exact(stride).zip(results[0].chunks_exact(map.output_stride()))
            {
                for column in 0..outputs {
                    let dot = |weights: &[f32]| -> f32 {
                        (0..inputs).map(|input| row[input] * weights[column * inputs + input]).sum()
                    };
                    let padded = outputs.next_multiple_of(PAD);
                    assert!((output[column] - dot(&weights) - bias[column]).abs() < 1e-5);
                    assert!((output[padded + column] - dot(&other)).abs() < 1e-5);
                }
            }
        }
    }
}
