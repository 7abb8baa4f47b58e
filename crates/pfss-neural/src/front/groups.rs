//! The network's kernels: some units of candidates at a time, so that all they need stays near.

use super::embedding::embed_group;
use super::lines::Lines;
use super::panels::{Panels, Sink, UNIT};
use super::rest::{embed_rest, mix_rest, score_rest};
use super::scoring::{mix_group, score_group};
use super::scratch::Scratch;
use crate::inference::lanes::Lanes;

/// The most units of a group.
const GROUP: usize = 2;

/// The maps of single candidates; channels are padded.
#[derive(Clone, Debug)]
pub(super) struct PerCandidate {
    pub(super) hidden: usize,
    /// The width of embeddings without padding.
    pub(super) width: usize,
    pub(super) padded_width: usize,
    pub(super) first: Panels,
    pub(super) second: Panels,
    pub(super) second_bias: Vec<f32>,
    pub(super) candidate: Panels,
    pub(super) mix: Panels,
    pub(super) norm_weight: Vec<f32>,
    pub(super) norm_bias: Vec<f32>,
    /// One for each channel of an embedding, zero for those that only fill up registers.
    pub(super) present: Vec<f32>,
    pub(super) score: Panels,
    pub(super) output: Vec<f32>,
    pub(super) output_bias: f32,
}

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

/// Calls a kernel for one group of units after the other.
macro_rules! for_groups {
    ($kernel:ident::<$lanes:ident>($network:ident, $scratch:ident)) => {
        let num_units = $scratch.num_whole_units();
        let mut unit = 0;
        while unit < num_units {
            // SAFETY: the caller's.
            unsafe {
                if num_units - unit >= GROUP {
                    $kernel::<$lanes, GROUP>($network, $scratch, unit);
                    unit += GROUP;
                } else {
                    $kernel::<$lanes, 1>($network, $scratch, unit);
                    unit += 1;
                }
            }
        }
    };
}

/// Embeds all candidates and sums them up.
///
/// # Safety
/// As for [`Lanes`], here and below; the scratch must be prepared for the network.
#[inline(always)]
pub(super) unsafe fn embed<V: Lanes>(network: &PerCandidate, scratch: &mut Scratch) {
    for_groups!(embed_group::<V>(network, scratch));
    if scratch.rest.num_jobs > 0 {
        // SAFETY: the caller's.
        unsafe { embed_rest::<V>(network, scratch) };
    }
}

/// Lets embeddings know their context, and sums them up again.
#[inline(always)]
pub(super) unsafe fn mix<V: Lanes>(network: &PerCandidate, scratch: &mut Scratch) {
    for_groups!(mix_group::<V>(network, scratch));
    if scratch.rest.num_jobs > 0 {
        // SAFETY: the caller's.
        unsafe { mix_rest::<V>(network, scratch) };
    }
}

/// Scores all candidates.
#[inline(always)]
pub(super) unsafe fn score<V: Lanes>(network: &PerCandidate, scratch: &mut Scratch) {
    for_groups!(score_group::<V>(network, scratch));
    if scratch.rest.num_jobs > 0 {
        // SAFETY: the caller's.
        unsafe { score_rest::<V>(network, scratch) };
    }
}

/// Starts with a number of each end, and keeps what is positive.
pub(super) struct Positive {
    pub(super) starts: [*const f32; 2],
    pub(super) target: *mut f32,
    pub(super) row: usize,
}

impl<V: Lanes> Sink<V> for Positive {
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
pub(super) unsafe fn gather<V: Lanes, const U: usize>(
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
