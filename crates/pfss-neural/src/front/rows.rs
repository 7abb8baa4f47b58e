//! Linear maps of single candidates: every lane is an output.
//!
//! Sums are made in the same order as where every lane is a candidate, and so have the same bits.

use pfss_core::simd::RealRegister;

use super::panels::{PANEL, Panels};

/// Where the outputs of a map start, and what becomes of them.
///
/// # Safety
/// As for [`RealRegister`]; what an implementation points to must have all outputs of the map for each candidate.
pub(super) trait RowSink<V: RealRegister> {
    /// What a map adds its products to, for the register at `output` of a candidate.
    unsafe fn start(&self, candidate: usize, output: usize) -> V;

    /// Takes a finished register.
    unsafe fn take(&self, candidate: usize, output: usize, sum: V);
}

/// Maps an even number of candidates, each of which has a row of inputs in `x`.
///
/// # Safety
/// As for [`RealRegister`], and `x` must have these rows.
#[inline(always)]
pub(super) unsafe fn apply_rows<V: RealRegister>(
    map: &Panels,
    x: *const f32,
    num_candidates: usize,
    sink: &impl RowSink<V>,
) {
    let mut first = 0;
    // The more candidates share a weight the better; sums must stay within the registers.
    // SAFETY: the caller's.
    unsafe {
        while num_candidates - first >= 8 {
            if V::LANES == PANEL {
                block::<V, 8, 2>(map, x, first, sink);
            } else {
                block::<V, 8, 1>(map, x, first, sink);
            }
            first += 8;
        }
        if num_candidates - first >= 4 {
            if V::LANES == PANEL {
                block::<V, 4, 4>(map, x, first, sink);
            } else {
                block::<V, 4, 2>(map, x, first, sink);
            }
            first += 4;
        }
        if num_candidates - first >= 2 {
            block::<V, 2, 4>(map, x, first, sink);
        }
    }
}

/// All outputs of `C` candidates, `R` registers at a time as far as that goes.
#[inline(always)]
unsafe fn block<V: RealRegister, const C: usize, const R: usize>(
    map: &Panels,
    x: *const f32,
    first: usize,
    sink: &impl RowSink<V>,
) {
    let whole = map.outputs() / (R * V::LANES) * (R * V::LANES);
    // SAFETY: the caller's; panels are whole, and registers divide them.
    unsafe {
        for output in (0..whole).step_by(R * V::LANES) {
            tile::<V, C, R>(map, x, first, output, sink);
        }
        for output in (whole..map.outputs()).step_by(V::LANES) {
            tile::<V, C, 1>(map, x, first, output, sink);
        }
    }
}

#[inline(always)]
unsafe fn tile<V: RealRegister, const C: usize, const R: usize>(
    map: &Panels,
    x: *const f32,
    first: usize,
    output: usize,
    sink: &impl RowSink<V>,
) {
    let inputs = map.inputs();
    // SAFETY: the caller's.
    unsafe {
        let mut sums = [[V::splat(0.0); R]; C];
        for (c, sums) in sums.iter_mut().enumerate() {
            for (k, sum) in sums.iter_mut().enumerate() {
                *sum = sink.start(first + c, output + k * V::LANES);
            }
        }
        let mut panels = [map.weights(); R];
        for (k, panel) in panels.iter_mut().enumerate() {
            let output = output + k * V::LANES;
            *panel = panel.add(output / PANEL * PANEL * inputs + output % PANEL);
        }
        let x = x.add(first * inputs);
        for input in 0..inputs {
            let mut weights = [V::splat(0.0); R];
            for (weight, panel) in weights.iter_mut().zip(panels) {
                *weight = V::load(panel.add(input * PANEL));
            }
            for (c, sums) in sums.iter_mut().enumerate() {
                let value = V::splat(*x.add(c * inputs + input));
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum = value.fma(weight, *sum);
                }
            }
        }
        for (c, sums) in sums.iter().enumerate() {
            for (k, sum) in sums.iter().enumerate() {
                sink.take(first + c, output + k * V::LANES, *sum);
            }
        }
    }
}
