//! What `auto` knows of an instance when it chooses a plan: its size, its times, how good its starts are, and the time that is left.

use std::time::Duration;

use pfss_core::{Instance, Limits, Run, Seed, SolveError, Time, open};
use pfss_heuristics::beam::Shape;

use super::prices::{Prices, Unit};
use crate::starts;

/// How far apart two situations are before one says little of the other, by coordinate. So plans that were chosen by one half of the
/// measured instances lost least on the other half (docs/notes/tried.md).
const WIDTHS: [f64; 5] = [0.6, 0.25, 0.6, 0.5, 1.0];

/// Which coordinate is the time.
const TIME: usize = 4;

/// An instance, or the mean of some that are alike, and a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Situation {
    /// The number of jobs.
    pub num_jobs: usize,
    /// The number of machines.
    pub num_machines: usize,
    /// The standard deviation of the times, as a share of their mean.
    pub variation: f64,
    /// By how many percent the best of the starts is above the bound; both are known after the first milliseconds.
    pub start_gap: f64,
    /// The time that is left, in seconds.
    pub seconds: f64,
}

impl Situation {
    /// How `auto` would find itself on an instance with this limit.
    ///
    /// # Errors
    /// [`SolveError`] where it cannot run on that.
    pub fn of<T: Time>(instance: &Instance<T>, time: Duration) -> Result<Self, SolveError> {
        let run = Run::new(Seed::new(0), Limits { time: Some(time), ..Limits::default() });
        open("auto", instance, &run)?;
        starts::offer_starts(instance, &run);
        Ok(Self { seconds: time.as_secs_f64(), ..Self::after_starts(instance, &run) })
    }

    /// How a run finds itself that has offered its starts.
    pub(super) fn after_starts<T: Time>(instance: &Instance<T>, run: &Run<'_, T>) -> Self {
        let Shape { num_jobs, num_machines, variation } = Shape::of(instance);
        let (start, bound) = (run.best_cost().to_f64(), run.bound().to_f64());
        let start_gap = if bound > 0.0 { 100.0 * (start / bound - 1.0).max(0.0) } else { 0.0 };
        let seconds = Prices::new(instance, run).remaining(Unit::Place, run);
        Self { num_jobs, num_machines, variation, start_gap, seconds }
    }

    pub(super) fn coordinates(&self) -> Coordinates {
        let (jobs, machines) = (self.num_jobs as f64, self.num_machines as f64);
        let per_operation = self.seconds / (jobs * machines);
        Coordinates([
            jobs.ln(),
            machines.ln(),
            self.variation,
            (1.0 + self.start_gap).ln(),
            per_operation.ln(),
        ])
    }
}

/// Where a situation is: logarithms of jobs and machines, variation, logarithms of the gap and of the seconds per operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Coordinates([f64; 5]);

impl Coordinates {
    /// The same with a time no longer than the longest of others and no shorter than the shortest.
    pub(super) fn with_time_within<'a>(self, others: impl Iterator<Item = &'a Self>) -> Self {
        let wider =
            |(least, most): (f64, f64), Self(other): &Self| (least.min(other[TIME]), most.max(other[TIME]));
        let (least, most) = others.fold((f64::MAX, f64::MIN), wider);
        let mut place = self;
        place.0[TIME] = place.0[TIME].max(least).min(most);
        place
    }

    /// The square of how far apart two situations are.
    pub(super) fn distance(&self, other: &Self) -> f64 {
        let apart = self.0.iter().zip(other.0).zip(WIDTHS);
        apart.map(|((here, there), width)| ((here - there) / width).powi(2)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::taillard_benchmark;

    #[test]
    fn starts_and_times_tell_situations_apart() {
        let time = Duration::from_secs(1);
        let few = Situation::of(&taillard_benchmark(51).unwrap(), time).unwrap();
        let many = Situation::of(&taillard_benchmark(111).unwrap(), time).unwrap();
        assert_eq!((few.num_jobs, few.num_machines, few.seconds), (50, 20, 1.0));
        assert!((0.5..0.65).contains(&few.variation), "{few:?}");
        assert!(few.start_gap > 5.0 && many.start_gap < 5.0, "{few:?} {many:?}");
        // One job: the start is the optimum.
        let one = Situation::of(&Instance::new("", 3, vec![4u32, 5, 6]).unwrap(), time).unwrap();
        assert_eq!(one.start_gap, 0.0);
        let nothing = Situation::of(&Instance::new("", 2, vec![0u32; 6]).unwrap(), time).unwrap();
        assert_eq!((nothing.start_gap, nothing.variation), (0.0, 0.0));
    }

    #[test]
    fn times_beyond_the_others_are_moved_to_their_end() {
        let of = |seconds| {
            Situation { num_jobs: 10, num_machines: 5, variation: 0.5, start_gap: 1.0, seconds }.coordinates()
        };
        let others = [of(1.0), of(3.0)];
        for (seconds, moved) in [(0.0, 1.0), (2.0, 2.0), (f64::INFINITY, 3.0)] {
            assert!((of(seconds).with_time_within(others.iter()).distance(&of(moved))) < 1e-9);
        }
        assert!(of(1.0).distance(&of(3.0)) > 0.0);
    }
}
