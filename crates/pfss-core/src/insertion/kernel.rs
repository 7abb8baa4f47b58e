//! What a pricer asks of a kernel.

use crate::{Instance, JobId, Time};

/// A kernel behind one virtual call per pricing, with `T` as its outside number type.
pub(super) trait PricingKernel<T: Time>: Send {
    /// Replaces the sequence.
    fn load(&mut self, order: &[JobId]);
    /// Prices `job` at every place; returns the least price.
    fn price(&mut self, job: JobId) -> T;
    /// Prices the `job` at `position` at every place without it; returns the least price.
    fn price_removed(&mut self, job: JobId, position: usize) -> T;
    /// Puts `job` at `place`.
    fn insert(&mut self, job: JobId, place: usize);
    /// Takes out the job at `position`.
    fn remove(&mut self, position: usize);
    /// The makespan of the sequence.
    fn cost(&self) -> T;
    /// Completion time of `position` on `machine`.
    fn head(&self, position: usize, machine: usize) -> T;
    /// Time from the start of `position` on `machine` to the end.
    fn tail(&self, position: usize, machine: usize) -> T;
    /// How many places were priced last.
    fn num_places(&self) -> usize;
    /// A price of the last pricing.
    fn price_at(&self, place: usize) -> T;
    /// The first place at or after `from` that costs at most `limit`.
    fn place_at_most(&self, limit: T, from: usize) -> Option<usize>;
    /// The last place that costs at most `limit`.
    fn last_place_at_most(&self, limit: T) -> Option<usize>;
    /// How many places cost at most `limit`.
    fn count_at_most(&self, limit: T) -> usize;

    /// See [`FlowShopPricer::idle_time_added`](super::pricer::FlowShopPricer::idle_time_added). Here, so that the
    /// cells are read without a virtual call each.
    fn idle_time_added(&self, place: usize, inserted: &[T], pushed: Option<&[T]>) -> f64 {
        // `e` heads before the place, `f` completion of the inserted job, `g` of the job that it pushes back.
        let e = |machine| if place == 0 { 0.0 } else { self.head(place - 1, machine).to_f64() };
        let mut f = e(0) + inserted[0].to_f64();
        let mut idle = 0.0;
        let Some(pushed) = pushed else {
            for (machine, time) in inserted.iter().enumerate().skip(1) {
                let (free, time) = (e(machine), time.to_f64());
                f = f.max(free) + time;
                idle += f - free - time;
            }
            return idle;
        };
        let mut g = f + pushed[0].to_f64();
        for machine in 1..inserted.len() {
            let (x, y) = (inserted[machine].to_f64(), pushed[machine].to_f64());
            f = f.max(e(machine)) + x;
            idle += f - self.head(place, machine).to_f64() + y - x + (g - f).max(0.0);
            g = g.max(f) + y;
        }
        idle
    }

    /// The first place of least idle time among those that cost at most `limit`.
    fn least_idle_place(&self, limit: T, job: JobId, order: &[JobId], instance: &Instance<T>) -> usize {
        let Some(first) = self.place_at_most(limit, 0) else { return 0 };
        if self.count_at_most(limit) == 1 {
            return first;
        }
        let (mut best, mut least) = (first, f64::INFINITY);
        for place in first..self.num_places() {
            if self.price_at(place) <= limit {
                let pushed = order.get(place).map(|&pushed| instance.job(pushed));
                let idle = self.idle_time_added(place, instance.job(job), pushed);
                if idle < least {
                    (best, least) = (place, idle);
                }
            }
        }
        best
    }
}
