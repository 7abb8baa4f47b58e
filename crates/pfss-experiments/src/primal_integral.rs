//! The primal integral: how good a run was on average over its whole time.

use std::sync::{Mutex, PoisonError};

use pfss_core::{Improvement, Observer, Time};

/// The gap in percent while there is no order yet.
pub(crate) const NO_ORDER: f64 = 100.0;

/// The mean gap to `reference`, in percent, over `0..=horizon` (Berthold 2013, "Measuring the impact of primal
/// heuristics"). `points` are the moments of new best orders and their costs, both in the order of finding.
///
/// The gap is 100 before the first order and never more than that; a cost below the reference counts
/// negative. What happens after the horizon does not count. `None` when the reference or the horizon is not
/// positive.
pub fn primal_integral(points: &[(f64, f64)], reference: f64, horizon: f64) -> Option<f64> {
    if !(reference > 0.0 && horizon > 0.0 && horizon.is_finite()) {
        return None;
    }
    let (mut area, mut gap, mut since) = (0.0, NO_ORDER, 0.0);
    for &(moment, cost) in points {
        let moment = moment.clamp(since, horizon);
        area += gap * (moment - since);
        gap = ((cost - reference) / reference * 100.0).min(NO_ORDER);
        since = moment;
    }
    area += gap * (horizon - since);
    Some(area / horizon)
}

/// One new best order of a run.
#[derive(Clone, Copy, Debug)]
struct Point {
    seconds: f64,
    evaluations: u64,
    cost: f64,
}

/// Collects the moments and costs of all new best orders of one run.
#[derive(Debug, Default)]
pub struct Trace(Mutex<Vec<Point>>);

impl Trace {
    /// Seconds and cost of each new best order.
    pub fn by_time(&self) -> Vec<(f64, f64)> {
        self.points(|point| point.seconds)
    }

    /// Evaluations and cost of each new best order.
    pub fn by_evaluations(&self) -> Vec<(f64, f64)> {
        self.points(|point| point.evaluations as f64)
    }

    fn points(&self, moment: impl Fn(&Point) -> f64) -> Vec<(f64, f64)> {
        let points = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        points.iter().map(|point| (moment(point), point.cost)).collect()
    }
}

impl<T: Time> Observer<T> for Trace {
    fn on_improvement(&self, improvement: &Improvement<'_, T>) {
        let point = Point {
            seconds: improvement.runtime.as_secs_f64(),
            evaluations: improvement.evaluations,
            cost: improvement.cost.to_f64(),
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(point);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::{Limits, Run, Seed};

    #[test]
    fn a_trace_by_hand() {
        // 100 % for 1 s, 10 % for 3 s, 0 % for 6 s.
        let points = [(1.0, 110.0), (4.0, 100.0)];
        assert_eq!(primal_integral(&points, 100.0, 10.0), Some(13.0));
        // The second order comes after the horizon.
        assert_eq!(primal_integral(&points, 100.0, 2.0), Some(55.0));
        assert_eq!(primal_integral(&[], 100.0, 10.0), Some(100.0));
        // Ten times the reference is as bad as nothing; better than the reference is negative.
        assert_eq!(primal_integral(&[(0.0, 1000.0)], 100.0, 1.0), Some(100.0));
        assert_eq!(primal_integral(&[(0.0, 99.0)], 100.0, 1.0), Some(-1.0));
        assert_eq!(primal_integral(&points, 0.0, 1.0), None);
        assert_eq!(primal_integral(&points, 100.0, 0.0), None);
    }

    #[test]
    fn a_run_fills_the_trace() {
        let trace = Trace::default();
        let run = Run::<u32>::new(Seed::new(1), Limits::default()).with_observer(&trace);
        run.count(3);
        run.offer(&[0, 1], 12);
        run.count(2);
        run.offer(&[1, 0], 10);
        run.offer(&[1, 0], 11);
        assert_eq!(trace.by_evaluations(), [(3.0, 12.0), (5.0, 10.0)]);
        assert_eq!(trace.by_time().len(), 2);
    }
}
