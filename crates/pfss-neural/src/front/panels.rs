//! Linear maps of candidates that lie side by side: every lane is a candidate.

use pfss_core::simd::{Aligned, RealRegister};

/// Candidates of a unit: eight jobs for the front, and the same eight for the back.
pub(super) const UNIT: usize = 16;

/// Outputs whose weights are stored side by side.
pub(super) const PANEL: usize = 16;

/// A linear map without its bias; inputs and outputs are rows of candidates. Outputs are padded to whole panels.
#[derive(Clone, Debug)]
pub(super) struct Panels {
    inputs: usize,
    outputs: usize,
    /// Panel after panel: for each input, its weights for the panel's outputs.
    weights: Aligned<f32>,
}

impl Panels {
    /// A map with the weight of each output and input; `outputs` must be whole panels.
    pub(super) fn new(outputs: usize, inputs: usize, weight: impl Fn(usize, usize) -> f32) -> Self {
        let mut weights = Vec::with_capacity(outputs * inputs);
        for panel in (0..outputs).step_by(PANEL) {
            for input in 0..inputs {
                weights.extend((panel..panel + PANEL).map(|output| weight(output, input)));
            }
        }
        Self { inputs, outputs, weights: weights.as_slice().into() }
    }

    pub(super) fn inputs(&self) -> usize {
        self.inputs
    }

    pub(super) fn outputs(&self) -> usize {
        self.outputs
    }

    /// For each panel and input, the weights of the panel's outputs.
    pub(super) fn weights(&self) -> *const f32 {
        self.weights.as_ptr()
    }
}

/// Where the outputs of a map start, and what becomes of them.
///
/// # Safety
/// As for [`RealRegister`]; what an implementation points to must have a row for each output of the map.
pub(super) trait Sink<V: RealRegister> {
    /// What a map adds its products to, for the register at `place` of an output's row.
    unsafe fn start(&self, output: usize, place: usize) -> V;

    /// Takes a finished register. Outputs come in order.
    unsafe fn take(&self, output: usize, place: usize, sum: V);
}

/// Maps the candidates of `U` units: `x` has a row of them for each input.
///
/// # Safety
/// As for [`RealRegister`], and `x` must have these rows.
#[inline(always)]
pub(super) unsafe fn apply<V: RealRegister, const U: usize>(
    map: &Panels,
    x: *const f32,
    sink: &impl Sink<V>,
) {
    // Fewer than eight sums would wait for each other; with more than sixteen the compiler moves them about.
    // SAFETY: the caller's.
    unsafe {
        if V::LANES == UNIT {
            match U {
                1 => sweep::<V, U, 1, 8>(map, x, 0, sink),
                2 => sweep::<V, U, 2, 8>(map, x, 0, sink),
                _ => sweep::<V, U, 3, 8>(map, x, 0, sink),
            }
        } else {
            for place in (0..U * UNIT).step_by(UNIT) {
                sweep::<V, U, 2, 4>(map, x, place, sink);
            }
        }
    }
}

/// All outputs for `N` registers from `place` on, `T` at a time.
#[inline(always)]
unsafe fn sweep<V: RealRegister, const U: usize, const N: usize, const T: usize>(
    map: &Panels,
    x: *const f32,
    place: usize,
    sink: &impl Sink<V>,
) {
    for output in (0..map.outputs).step_by(T) {
        // SAFETY: the caller's feature; panels are whole, and `T` divides them.
        unsafe {
            let weights = map.weights.as_ptr().add(output / PANEL * PANEL * map.inputs + output % PANEL);
            let mut sums = [[V::splat(0.0); N]; T];
            for (t, sums) in sums.iter_mut().enumerate() {
                for (k, sum) in sums.iter_mut().enumerate() {
                    *sum = sink.start(output + t, place + k * V::LANES);
                }
            }
            for input in 0..map.inputs {
                let row = x.add(input * U * UNIT + place);
                let mut values = [V::splat(0.0); N];
                for (k, value) in values.iter_mut().enumerate() {
                    *value = V::load(row.add(k * V::LANES));
                }
                let weights = weights.add(input * PANEL);
                for (t, sums) in sums.iter_mut().enumerate() {
                    let weight = V::splat(*weights.add(t));
                    for (sum, value) in sums.iter_mut().zip(values) {
                        *sum = value.fma(weight, *sum);
                    }
                }
            }
            for (t, sums) in sums.iter().enumerate() {
                for (k, sum) in sums.iter().enumerate() {
                    sink.take(output + t, place + k * V::LANES, *sum);
                }
            }
        }
    }
}
