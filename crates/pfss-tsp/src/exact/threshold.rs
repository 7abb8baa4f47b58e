//! From which bound on nothing better than the best tour can follow.

use crate::{Metric, TspInstance};

/// Rounded lengths above this are treated like real ones: their sums lose the last integer digits.
const MOST_EXACT: f64 = 1e8;

/// The bound from which on no tour can be better than one of length `best`.
pub(super) fn threshold(instance: &TspInstance, best: f64) -> f64 {
    match instance.metric() {
        // The next better tour is shorter by one; a bound above that by more than rounding excludes it.
        Metric::Rounded if best < MOST_EXACT => best - 1.0 + 1e-6 + 1e-11 * best,
        _ => best - 1e-9 * best,
    }
}

/// A proven bound on the lengths of tours, from the computed `bound` and what rounding may have added to it.
pub(super) fn certified(instance: &TspInstance, bound: f64, error: f64) -> f64 {
    match instance.metric() {
        Metric::Rounded if bound < MOST_EXACT => (bound - error - 1e-6).ceil(),
        _ => bound - error,
    }
}
