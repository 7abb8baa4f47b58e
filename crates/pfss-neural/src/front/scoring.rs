//! From embeddings to scores, by way of what the candidates have in common.

use pfss_core::simd::RealRegister;

use super::gathering::{Positive, gather};
use super::panels::{UNIT, apply};
use super::per_candidate::PerCandidate;
use super::scratch::Scratch;

/// What layer normalisation adds to a variance.
pub(super) const EPSILON: f32 = 1e-5;

/// Partial sums over channels, so that no sum waits for the one before.
const PARTS: usize = 4;

/// Lets the embeddings of a group know their context, and adds them to the sums and maxima of all.
///
/// # Safety
/// As for [`RealRegister`]; the scratch must be prepared for the network, and have the group's units.
#[inline(always)]
pub(super) unsafe fn mix_group<V: RealRegister, const U: usize>(
    network: &PerCandidate,
    scratch: &mut Scratch,
    unit: usize,
) {
    let row = U * UNIT;
    // SAFETY: the caller's.
    unsafe {
        let own = scratch.embeddings.as_mut_ptr().add(unit * UNIT * network.padded_width);
        let starts = scratch.starts.each_ref().map(|start| start.as_ptr());
        let mixed = scratch.group.mixed.as_mut_ptr();
        apply::<V, U>(&network.mix, own, &Positive { starts, target: mixed, row });
        for place in (0..row).step_by(V::LANES) {
            normalize::<V>(network, own.add(place), mixed.add(place), row);
        }
        gather::<V, U>(network, scratch, unit);
    }
}

/// Layer normalisation of the sum of two columns of registers, into the first.
#[inline(always)]
unsafe fn normalize<V: RealRegister>(network: &PerCandidate, own: *mut f32, mixed: *const f32, row: usize) {
    let share = 1.0 / network.width as f32;
    // SAFETY: the caller's.
    unsafe {
        let mut sums = [V::splat(0.0); PARTS];
        for base in (0..network.width).step_by(PARTS) {
            for (part, sum) in sums.iter_mut().enumerate().take(network.width - base) {
                let at = (base + part) * row;
                let value = V::load(own.add(at)).add(V::load(mixed.add(at)));
                value.store(own.add(at));
                *sum = sum.add(value);
            }
        }
        let mean = sums[0].add(sums[1]).add(sums[2].add(sums[3])).mul(V::splat(share));
        let mut squares = [V::splat(0.0); PARTS];
        for base in (0..network.width).step_by(PARTS) {
            for (part, square) in squares.iter_mut().enumerate().take(network.width - base) {
                let value = V::load(own.add((base + part) * row)).sub(mean);
                *square = value.fma(value, *square);
            }
        }
        let variance = squares[0].add(squares[1]).add(squares[2].add(squares[3])).mul(V::splat(share));
        let scale = V::splat(1.0).div(variance.add(V::splat(EPSILON)).sqrt());
        for channel in 0..network.width {
            let value = V::load(own.add(channel * row)).sub(mean).mul(scale);
            let (weight, bias) = (network.norm_weight[channel], network.norm_bias[channel]);
            value.fma(V::splat(weight), V::splat(bias)).store(own.add(channel * row));
        }
    }
}

/// Scores a group.
///
/// # Safety
/// As for [`RealRegister`]; the scratch must be prepared for the network, and have the group's units.
#[inline(always)]
pub(super) unsafe fn score_group<V: RealRegister, const U: usize>(
    network: &PerCandidate,
    scratch: &mut Scratch,
    unit: usize,
) {
    let row = U * UNIT;
    // SAFETY: the caller's.
    unsafe {
        let own = scratch.embeddings.as_ptr().add(unit * UNIT * network.padded_width);
        let starts = scratch.starts.each_ref().map(|start| start.as_ptr());
        let mixed = scratch.group.mixed.as_mut_ptr();
        apply::<V, U>(&network.score, own, &Positive { starts, target: mixed, row });
        for place in (0..row).step_by(V::LANES) {
            let mut sums = [V::splat(0.0); PARTS];
            for base in (0..network.padded_width).step_by(PARTS) {
                for (part, sum) in sums.iter_mut().enumerate() {
                    let value = V::load(mixed.add((base + part) * row + place));
                    *sum = value.fma(V::splat(network.output[base + part]), *sum);
                }
            }
            let sum = sums[0].add(sums[1]).add(sums[2].add(sums[3]));
            let logit = sum.add(V::splat(network.output_bias));
            logit.store(scratch.logits.as_mut_ptr().add(unit * UNIT + place));
        }
    }
}
