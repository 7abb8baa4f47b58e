//! Buffers of some units of candidates, which the kernels treat together.

use pfss_core::simd::Aligned;

use super::panels::UNIT;
use super::per_candidate::PerCandidate;

/// The most units of a group.
pub(super) const GROUP: usize = 2;

/// What a group of candidates writes to on its way: rows of lanes.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) features: Aligned<f32>,
    pub(super) completion: Aligned<f32>,
    pub(super) first_time: Aligned<f32>,
    pub(super) hidden: Aligned<f32>,
    /// Sums, later means, over machines, then maxima.
    pub(super) pooled: Aligned<f32>,
    pub(super) mixed: Aligned<f32>,
}

impl Group {
    pub(super) fn prepare(&mut self, network: &PerCandidate) {
        const LANES: usize = GROUP * UNIT;
        self.features.set_len(8 * LANES);
        self.completion.set_len(LANES);
        self.first_time.set_len(LANES);
        self.hidden.set_len(network.hidden * LANES);
        self.pooled.set_len(2 * network.hidden * LANES);
        self.mixed.set_len(network.padded_width * LANES);
    }
}
