//! Johnson's rule beyond two machines.

use pfss_core::Time;

/// Kalczynski and Kamburowski's `a` and `b`: how much of a job lies early and late. A job with `a <= b`
/// belongs to the front, as in Johnson's rule.
pub(super) fn johnson_weights<T: Time>(times: &[T]) -> (f64, f64) {
    let m = times.len() as f64;
    let base = (m - 1.0) * (m - 2.0) / 2.0;
    times.iter().enumerate().fold((0.0, 0.0), |(a, b), (machine, time)| {
        let (machine, time) = (machine as f64, time.to_f64());
        (a + (base + m - 1.0 - machine) * time, b + (base + machine) * time)
    })
}
