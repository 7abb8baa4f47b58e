//! The network's kernels: some units of candidates at a time, so that all they need stays near.

use pfss_core::simd::RealRegister;

use super::embedding::embed_group;
use super::group::GROUP;
use super::per_candidate::PerCandidate;
use super::rest_kernels::{embed_rest, mix_rest, score_rest};
use super::scoring::{mix_group, score_group};
use super::scratch::Scratch;

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
/// As for [`RealRegister`], here and below; the scratch must be prepared for the network.
#[inline(always)]
pub(super) unsafe fn embed<V: RealRegister>(network: &PerCandidate, scratch: &mut Scratch) {
    for_groups!(embed_group::<V>(network, scratch));
    if scratch.rest.num_jobs > 0 {
        // SAFETY: the caller's.
        unsafe { embed_rest::<V>(network, scratch) };
    }
}

/// Lets embeddings know their context, and sums them up again.
#[inline(always)]
pub(super) unsafe fn mix<V: RealRegister>(network: &PerCandidate, scratch: &mut Scratch) {
    for_groups!(mix_group::<V>(network, scratch));
    if scratch.rest.num_jobs > 0 {
        // SAFETY: the caller's.
        unsafe { mix_rest::<V>(network, scratch) };
    }
}

/// Scores all candidates.
#[inline(always)]
pub(super) unsafe fn score<V: RealRegister>(network: &PerCandidate, scratch: &mut Scratch) {
    for_groups!(score_group::<V>(network, scratch));
    if scratch.rest.num_jobs > 0 {
        // SAFETY: the caller's.
        unsafe { score_rest::<V>(network, scratch) };
    }
}
