//! How far a run is: by the clock, or by evaluations where it must come out the same everywhere.

use pfss_core::Run;
use pfss_core::timing::Score;

/// Seconds so far, or evaluations so far in millions.
pub(super) fn now(run: &Run<'_, Score>) -> f64 {
    match run.limits().is_reproducible() {
        true => run.evaluations() as f64 * 1e-6,
        false => run.elapsed().as_secs_f64(),
    }
}

/// What is left, in the same unit; infinite without a limit.
pub(super) fn remaining(run: &Run<'_, Score>) -> f64 {
    match (run.evaluations_left(), run.remaining()) {
        (Some(left), _) => left as f64 * 1e-6,
        (None, Some(left)) => left.as_secs_f64(),
        (None, None) => f64::INFINITY,
    }
}
