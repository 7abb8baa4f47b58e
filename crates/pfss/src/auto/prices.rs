//! What work costs: seconds by the clock, or evaluations at fixed prices where a run must come out the same everywhere.

use std::time::Duration;

use pfss_core::{Instance, Run, Time};

/// What counts as work of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// A place of a job, priced by iterated greedy.
    Place,
    /// A child of a node, bounded at both ends.
    Child,
}

/// Seconds that a unit takes on one machine of the shop, as measured on one core with 512-bit registers. Only the ratio of
/// both matters where evaluations are limited; the clock decides elsewhere.
const PLACE: f64 = 0.12e-9;
const CHILD: f64 = 0.7e-9;

/// How seconds are counted for one run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prices {
    reproducible: bool,
    machines: f64,
}

impl Prices {
    /// For a run on an instance.
    pub(super) fn new<T: Time>(instance: &Instance<T>, run: &Run<'_, T>) -> Self {
        Self { reproducible: run.limits().is_reproducible(), machines: instance.num_machines() as f64 }
    }

    /// Whether the clock has no say.
    pub(super) fn is_reproducible(&self) -> bool {
        self.reproducible
    }

    /// What so many evaluations cost by the table.
    pub(super) fn expected(&self, unit: Unit, evaluations: f64) -> f64 {
        let price = match unit {
            Unit::Place => PLACE,
            Unit::Child => CHILD,
        };
        // A few nanoseconds go to what does not depend on the machines.
        evaluations * price * (self.machines + 5.0)
    }

    /// What a turn cost that made so many evaluations between two looks at the clock.
    pub(super) fn spent(&self, unit: Unit, evaluations: u64, time: Duration) -> f64 {
        if self.reproducible { self.expected(unit, evaluations as f64) } else { time.as_secs_f64() }
    }

    /// What is left of the limit, for work of this unit.
    pub(super) fn remaining<T: Time>(&self, unit: Unit, run: &Run<'_, T>) -> f64 {
        match (run.limits().evaluations, run.remaining()) {
            (Some(limit), _) => self.expected(unit, limit.saturating_sub(run.evaluations()) as f64),
            (None, Some(remaining)) if !self.reproducible => remaining.as_secs_f64(),
            _ => f64::INFINITY,
        }
    }
}

/// The speed of a part, learnt from its turns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Speed {
    evaluations: f64,
    seconds: f64,
}

impl Speed {
    /// A turn made so many evaluations in so many seconds.
    pub(super) fn record(&mut self, evaluations: u64, seconds: f64) {
        self.evaluations += evaluations as f64;
        self.seconds += seconds;
    }

    /// Evaluations per second; by the table before the first turn.
    pub(super) fn per_second(&self, unit: Unit, prices: &Prices) -> f64 {
        if self.evaluations > 0.0 && self.seconds > 0.0 {
            self.evaluations / self.seconds
        } else {
            1.0 / prices.expected(unit, 1.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::{Limits, Seed};

    #[test]
    fn limits_of_evaluations_never_look_at_the_clock() {
        let instance = Instance::new("", 20, vec![1u32; 1000]).unwrap();
        let run = |limits| Run::<u32>::new(Seed::new(1), limits);
        let counted = run(Limits { evaluations: Some(1000), ..Limits::default() });
        counted.count(400);
        let prices = Prices::new(&instance, &counted);
        let spent = |seconds| prices.spent(Unit::Child, 100, Duration::from_secs(seconds));
        assert_eq!(spent(1), spent(9));
        assert_eq!(prices.remaining(Unit::Child, &counted), prices.expected(Unit::Child, 600.0));
        assert!(prices.expected(Unit::Child, 1.0) > 2.0 * prices.expected(Unit::Place, 1.0));

        let timed = run(Limits { time: Some(Duration::from_secs(100)), ..Limits::default() });
        let prices = Prices::new(&instance, &timed);
        assert_eq!(prices.spent(Unit::Place, 7, Duration::from_secs(3)), 3.0);
        assert!(prices.remaining(Unit::Place, &timed) > 90.0);
        let free = run(Limits::default());
        assert_eq!(Prices::new(&instance, &free).remaining(Unit::Place, &free), f64::INFINITY);
    }

    #[test]
    fn speeds_are_learnt() {
        let instance = Instance::new("", 20, vec![1u32; 1000]).unwrap();
        let run = Run::<u32>::new(Seed::new(1), Limits::default());
        let prices = Prices::new(&instance, &run);
        let mut speed = Speed::default();
        assert!(speed.per_second(Unit::Place, &prices) > 1e7);
        speed.record(500, 0.25);
        assert_eq!(speed.per_second(Unit::Place, &prices), 2000.0);
    }
}
