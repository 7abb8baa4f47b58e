//! The network's kernels for the jobs that fill no unit of lanes.

use pfss_core::simd::RealRegister;

use super::embedding::look;
use super::pack::JOBS;
use super::panels::UNIT;
use super::per_candidate::PerCandidate;
use super::rest::FEATURES;
use super::rows::{RowSink, apply_rows};
use super::scoring::EPSILON;
use super::scratch::Scratch;

/// Starts with a row of each end, and keeps what is positive.
struct Positive {
    starts: [*const f32; 2],
    target: *mut f32,
    row: usize,
}

impl<V: RealRegister> RowSink<V> for Positive {
    #[inline(always)]
    unsafe fn start(&self, candidate: usize, output: usize) -> V {
        // SAFETY: the caller's.
        unsafe { V::load(self.starts[candidate % 2].add(output)) }
    }

    #[inline(always)]
    unsafe fn take(&self, candidate: usize, output: usize, sum: V) {
        // SAFETY: the caller's.
        unsafe { sum.max(V::splat(0.0)).store(self.target.add(candidate * self.row + output)) }
    }
}

/// Sums and maxima over machines of what is positive.
struct Pool {
    bias: *const f32,
    target: *mut f32,
    hidden: usize,
}

impl<V: RealRegister> RowSink<V> for Pool {
    #[inline(always)]
    unsafe fn start(&self, _: usize, output: usize) -> V {
        // SAFETY: the caller's.
        unsafe { V::load(self.bias.add(output)) }
    }

    #[inline(always)]
    unsafe fn take(&self, candidate: usize, output: usize, sum: V) {
        // SAFETY: the caller's.
        unsafe {
            let value = sum.max(V::splat(0.0));
            let sums = self.target.add(candidate * 2 * self.hidden + output);
            let largest = sums.add(self.hidden);
            V::load(sums).add(value).store(sums);
            V::load(largest).max(value).store(largest);
        }
    }
}

/// Embeds the rest and sums it up.
///
/// # Safety
/// As for [`RealRegister`], here and below; the scratch must be prepared for the network.
#[inline(always)]
pub(super) unsafe fn embed_rest<V: RealRegister>(network: &PerCandidate, scratch: &mut Scratch) {
    let (m, hidden, width) = (scratch.num_machines, network.hidden, network.padded_width);
    let count = 2 * scratch.rest.num_jobs;
    let unit = scratch.pack.num_units() - 1;
    let stride = scratch.bases[0].len() / m;
    scratch.group.completion.fill(0.0);
    scratch.rest.pooled[..count * 2 * hidden].fill(0.0);
    // SAFETY: the caller's.
    unsafe {
        for machine in 0..m {
            look::<V, 1>(scratch, unit, machine);
            let (group, rest) = (&scratch.group, &mut scratch.rest);
            for (candidate, row) in rest.features.chunks_exact_mut(FEATURES).take(count).enumerate() {
                let lane = candidate / 2 + candidate % 2 * JOBS;
                for (index, feature) in row.iter_mut().enumerate() {
                    *feature = group.features[index * UNIT + lane];
                }
            }
            let starts = scratch.bases.each_ref().map(|base| base.as_ptr().add(machine * stride));
            let sink = Positive { starts, target: rest.hidden.as_mut_ptr(), row: hidden };
            apply_rows::<V>(&network.first, rest.features.as_ptr(), count, &sink);
            let sink = Pool { bias: network.second_bias.as_ptr(), target: rest.pooled.as_mut_ptr(), hidden };
            apply_rows::<V>(&network.second, rest.hidden.as_ptr(), count, &sink);
        }
        let (rest, share) = (&mut scratch.rest, V::splat(1.0 / m as f32));
        for candidate in 0..count {
            let sums = rest.pooled.as_mut_ptr().add(candidate * 2 * hidden);
            for at in (0..hidden).step_by(V::LANES) {
                V::load(sums.add(at)).mul(share).store(sums.add(at));
            }
        }
        let starts = scratch.starts.each_ref().map(|start| start.as_ptr());
        let sink = Positive { starts, target: rest.embeddings.as_mut_ptr(), row: width };
        apply_rows::<V>(&network.candidate, rest.pooled.as_ptr(), count, &sink);
        rest.gather::<V>(width);
    }
}

/// Lets the rest know its context, and sums it up again.
#[inline(always)]
pub(super) unsafe fn mix_rest<V: RealRegister>(network: &PerCandidate, scratch: &mut Scratch) {
    let (rest, width) = (&mut scratch.rest, network.padded_width);
    let starts = scratch.starts.each_ref().map(|start| start.as_ptr());
    // SAFETY: the caller's.
    unsafe {
        let sink = Positive { starts, target: rest.mixed.as_mut_ptr(), row: width };
        apply_rows::<V>(&network.mix, rest.embeddings.as_ptr(), 2 * rest.num_jobs, &sink);
        for candidate in 0..2 * rest.num_jobs {
            let own = rest.embeddings.as_mut_ptr().add(candidate * width);
            normalize::<V>(network, own, rest.mixed.as_ptr().add(candidate * width));
        }
        rest.gather::<V>(width);
    }
}

/// Layer normalisation of the sum of two rows, into the first.
#[inline(always)]
unsafe fn normalize<V: RealRegister>(network: &PerCandidate, own: *mut f32, mixed: *const f32) {
    let (width, share) = (network.padded_width, 1.0 / network.width as f32);
    // SAFETY: the caller's.
    unsafe {
        let sum = sum_up::<V>(width, |at, sum| {
            let value = V::load(own.add(at)).add(V::load(mixed.add(at)));
            value.store(own.add(at));
            sum.add(value)
        });
        let mean = V::splat(sum * share);
        // Channels that only fill up registers stay zero.
        let deviation = |at: usize| {
            let present = V::load(network.present.as_ptr().add(at));
            V::load(own.add(at)).sub(mean).mul(present)
        };
        let squares = sum_up::<V>(width, |at, sum| {
            let value = deviation(at);
            value.fma(value, sum)
        });
        let scale = V::splat(1.0 / (squares * share + EPSILON).sqrt());
        for at in (0..width).step_by(V::LANES) {
            let weight = V::load(network.norm_weight.as_ptr().add(at));
            let bias = V::load(network.norm_bias.as_ptr().add(at));
            deviation(at).mul(scale).fma(weight, bias).store(own.add(at));
        }
    }
}

/// Scores the rest.
#[inline(always)]
pub(super) unsafe fn score_rest<V: RealRegister>(network: &PerCandidate, scratch: &mut Scratch) {
    let (rest, width) = (&mut scratch.rest, network.padded_width);
    let starts = scratch.starts.each_ref().map(|start| start.as_ptr());
    let unit = scratch.pack.num_units() - 1;
    // SAFETY: the caller's.
    unsafe {
        let sink = Positive { starts, target: rest.mixed.as_mut_ptr(), row: width };
        apply_rows::<V>(&network.score, rest.embeddings.as_ptr(), 2 * rest.num_jobs, &sink);
        for candidate in 0..2 * rest.num_jobs {
            let mixed = rest.mixed.as_ptr().add(candidate * width);
            let sum = sum_up::<V>(width, |at, sum| {
                V::load(mixed.add(at)).fma(V::load(network.output.as_ptr().add(at)), sum)
            });
            let lane = candidate / 2 + candidate % 2 * JOBS;
            scratch.logits[unit * UNIT + lane] = sum + network.output_bias;
        }
    }
}

/// Sums up the registers of a row in sixteen parts, whatever the registers are: the same bits on every path.
#[inline(always)]
unsafe fn sum_up<V: RealRegister>(width: usize, mut add: impl FnMut(usize, V) -> V) -> f32 {
    let mut parts = [0.0f32; UNIT];
    // SAFETY: the caller's; rows are whole units.
    unsafe {
        for part in (0..UNIT).step_by(V::LANES) {
            let mut sum = V::splat(0.0);
            for at in (part..width).step_by(UNIT) {
                sum = add(at, sum);
            }
            sum.store(parts.as_mut_ptr().add(part));
        }
    }
    let eight: [f32; 8] = std::array::from_fn(|i| parts[i] + parts[i + 8]);
    let four: [f32; 4] = std::array::from_fn(|i| eight[i] + eight[i + 4]);
    (four[0] + four[2]) + (four[1] + four[3])
}
