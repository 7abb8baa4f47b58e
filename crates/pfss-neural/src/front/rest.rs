//! The jobs that fill no unit of lanes. A unit with a few jobs would cost as much as a whole one.

use pfss_core::simd::{Aligned, RealRegister};

use super::pack::JOBS;
use super::per_candidate::PerCandidate;

/// More jobs than this are cheaper as a unit.
const MOST: usize = 6;

/// Features that differ between candidates.
pub(super) const FEATURES: usize = 8;

/// What the candidates of the last jobs write to on their way: rows of channels. Each job has a row for the front and
/// one for the back.
#[derive(Clone, Debug, Default)]
pub(super) struct Rest {
    pub(super) num_jobs: usize,
    pub(super) features: Aligned<f32>,
    pub(super) hidden: Aligned<f32>,
    /// Sums, later means, over machines, then maxima.
    pub(super) pooled: Aligned<f32>,
    pub(super) embeddings: Aligned<f32>,
    pub(super) mixed: Aligned<f32>,
    /// By end: sums and maxima over the jobs.
    pub(super) sums: [Aligned<f32>; 2],
    pub(super) largest: [Aligned<f32>; 2],
}

impl Rest {
    pub(super) fn prepare(&mut self, num_left: usize, network: &PerCandidate) {
        let left_over = num_left % JOBS;
        self.num_jobs = if left_over <= MOST { left_over } else { 0 };
        let width = network.padded_width;
        self.features.set_len(2 * MOST * FEATURES);
        self.hidden.set_len(2 * MOST * network.hidden);
        self.pooled.set_len(2 * MOST * 2 * network.hidden);
        self.embeddings.set_len(2 * MOST * width);
        self.mixed.set_len(2 * MOST * width);
        for row in self.sums.iter_mut().chain(&mut self.largest) {
            row.set_len(width);
        }
    }

    pub(super) fn forget_context(&mut self) {
        self.sums.iter_mut().for_each(|row| row.fill(0.0));
        self.largest.iter_mut().for_each(|row| row.fill(f32::NEG_INFINITY));
    }

    /// Sums and maxima of the embeddings.
    #[inline(always)]
    pub(super) unsafe fn gather<V: RealRegister>(&mut self, width: usize) {
        // SAFETY: the caller's; rows are whole registers.
        unsafe {
            for candidate in 0..2 * self.num_jobs {
                let source = self.embeddings.as_ptr().add(candidate * width);
                let sums = self.sums[candidate % 2].as_mut_ptr();
                let largest = self.largest[candidate % 2].as_mut_ptr();
                for at in (0..width).step_by(V::LANES) {
                    let value = V::load(source.add(at));
                    V::load(sums.add(at)).add(value).store(sums.add(at));
                    V::load(largest.add(at)).max(value).store(largest.add(at));
                }
            }
        }
    }
}
