//! What the kernels of groups share: how an output starts, and how embeddings are summed up.

use pfss_core::simd::RealRegister;

use super::panels::{Sink, UNIT};
use super::per_candidate::PerCandidate;
use super::scratch::Scratch;

/// Starts with a number of each end, and keeps what is positive.
pub(super) struct Positive {
    pub(super) starts: [*const f32; 2],
    pub(super) target: *mut f32,
    pub(super) row: usize,
}

impl<V: RealRegister> Sink<V> for Positive {
    #[inline(always)]
    unsafe fn start(&self, output: usize, place: usize) -> V {
        // SAFETY: the caller's.
        unsafe { V::halves(*self.starts[0].add(output), *self.starts[1].add(output), place) }
    }

    #[inline(always)]
    unsafe fn take(&self, output: usize, place: usize, sum: V) {
        // SAFETY: the caller's.
        unsafe { sum.max(V::splat(0.0)).store(self.target.add(output * self.row + place)) }
    }
}

/// Adds a group's embeddings to the sums and maxima of all.
#[inline(always)]
pub(super) unsafe fn gather<V: RealRegister, const U: usize>(
    network: &PerCandidate,
    scratch: &mut Scratch,
    unit: usize,
) {
    let row = U * UNIT;
    let weights = scratch.pack.weights()[unit * UNIT..].as_ptr();
    let (sums, largest) = (scratch.sums.as_mut_ptr(), scratch.largest.as_mut_ptr());
    // SAFETY: the caller's.
    unsafe {
        let source = scratch.embeddings.as_ptr().add(unit * UNIT * network.padded_width);
        for channel in 0..network.padded_width {
            for place in (0..row).step_by(V::LANES) {
                let at = channel * UNIT + place % UNIT;
                let value = V::load(source.add(channel * row + place));
                value.fma(V::load(weights.add(place)), V::load(sums.add(at))).store(sums.add(at));
                V::load(largest.add(at)).max(value).store(largest.add(at));
            }
        }
    }
}
