//! Buffers of some units of candidates, which the kernels treat together.

use super::lines::Lines;
use super::panels::UNIT;
use super::per_candidate::PerCandidate;

/// The most units of a group.
pub(super) const GROUP: usize = 2;

/// What a group of candidates writes to on its way: rows of lanes.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) features: Lines,
    pub(super) completion: Lines,
    pub(super) first_time: Lines,
    pub(super) hidden: Lines,
    /// Sums, later means, over machines, then maxima.
    pub(super) pooled: Lines,
    pub(super) mixed: Lines,
}

impl Group {
    pub(super) fn prepare(&mut self, network: &PerCandidate) {
        const LANES: usize = GROUP * UNIT;
        self.features.resize(8 * LANES);
        self.completion.resize(LANES);
        self.first_time.resize(LANES);
        self.hidden.resize(network.hidden * LANES);
        self.pooled.resize(2 * network.hidden * LANES);
        self.mixed.resize(network.padded_width * LANES);
    }
}
