//! A step of Adam.

use pfss_core::kernel;
use pfss_core::simd::{Instructions, RealRegister};

use super::pieces::sums_in_pieces;
use crate::engine::Step;
use crate::engine::backend::{EPSILON, KEPT};

/// The norm of the gradient before it is scaled down.
pub(super) fn adam(
    instructions: Instructions,
    step: Step,
    gradient: &[f32],
    moments: [&mut [f32]; 2],
    weights: &mut [f32],
) -> f32 {
    let mut square = [0.0];
    sums_in_pieces(gradient.len(), 1, 1, &mut square, |part, sum| {
        // Eight sums side by side on every path.
        let mut sums = [0.0f32; 8];
        let (chunks, rest) = gradient[part].as_chunks::<8>();
        for chunk in chunks {
            sums.iter_mut().zip(chunk).for_each(|(sum, x)| *sum += x * x);
        }
        sum[0] = sums.iter().sum::<f32>() + rest.iter().map(|x| x * x).sum::<f32>();
    });
    let norm = square[0].sqrt();
    let [first, second] = moments;
    update(instructions, (step.share(norm), step.factors()), gradient, first, second, weights);
    norm
}

kernel!(
    update,
    update_all,
    fn(
        factors: (f32, (f32, f32)),
        gradient: &[f32],
        first: &mut [f32],
        second: &mut [f32],
        weights: &mut [f32],
    )
);

#[inline(always)]
unsafe fn update_all<V: RealRegister>(
    (share, (rate, second_factor)): (f32, (f32, f32)),
    gradient: &[f32],
    first: &mut [f32],
    second: &mut [f32],
    weights: &mut [f32],
) {
    let [kept_1, kept_2] = KEPT;
    let moments = first.iter_mut().zip(second);
    for ((gradient, (first, second)), weight) in gradient.iter().zip(moments).zip(weights) {
        let slope = share * gradient;
        *first = kept_1 * *first + (1.0 - kept_1) * slope;
        *second = kept_2 * *second + (1.0 - kept_2) * slope * slope;
        *weight -= rate * *first / (second_factor * second.sqrt() + EPSILON);
    }
}
