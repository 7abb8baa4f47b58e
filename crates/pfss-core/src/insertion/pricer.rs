//! A flow shop sequence and the prices of changes.

use super::choice;
use super::kernel::PricingKernel;
use super::reference::ReferencePricer;
use crate::simd::Instructions;
use crate::{Instance, JobId, Time};

/// Holds a flow shop sequence and prices insertions and moves of jobs.
///
/// After [`price`](Self::price) or [`price_removed`](Self::price_removed) the prices of all places can be read until
/// the next call that prices or changes the sequence.
///
/// All places of a job are priced at once (Taillard 1990) by a vector kernel that is chosen at run time from
/// the number type, the number of machines and the CPU; every kernel gives the same numbers.
///
/// # Panics
/// Where a job, place or position does not exist, or the sequence would get more jobs than the instance has. The
/// kernels check that before they touch their tables, so the sequence is then what it was before the call.
pub struct FlowShopPricer<'p, T: Time> {
    instance: &'p Instance<T>,
    order: Vec<JobId>,
    kernel: Box<dyn PricingKernel<T> + 'p>,
}

impl<'p, T: Time> FlowShopPricer<'p, T> {
    /// A pricer that holds the empty sequence.
    pub fn new(instance: &'p Instance<T>) -> Self {
        Self::with(instance, Instructions::detect())
    }

    /// A pricer that uses no wider instructions than these.
    pub fn with(instance: &'p Instance<T>, instructions: Instructions) -> Self {
        let kernel = choice::kernel(instance, instructions);
        Self { instance, order: Vec::with_capacity(instance.num_jobs()), kernel }
    }

    /// A pricer by the textbook recurrences, one cell at a time: slow, for comparisons.
    pub fn plain(instance: &'p Instance<T>) -> Self {
        let kernel = Box::new(ReferencePricer::new(instance));
        Self { instance, order: Vec::with_capacity(instance.num_jobs()), kernel }
    }

    /// The completion time on `machine` of the job at `position` (`e` in the literature).
    pub fn head(&self, position: usize, machine: usize) -> T {
        self.kernel.head(position, machine)
    }

    /// The time from the start of the job at `position` on `machine` to the end of the schedule (`q`);
    /// zero at `position == len`.
    pub fn tail(&self, position: usize, machine: usize) -> T {
        self.kernel.tail(position, machine)
    }

    /// The idle time that `job` at `place` adds on all machines but the first, by the estimate of
    /// Fernandez-Viagas and Framinan 2014 ("On insertion tie-breaking rules in heuristics for the permutation
    /// flowshop scheduling problem"): exact up to the job that it pushes back.
    pub fn idle_time_added(&self, job: JobId, place: usize) -> f64 {
        let pushed = self.order.get(place).map(|&pushed| self.instance.job(pushed));
        self.kernel.idle_time_added(place, self.instance.job(job), pushed)
    }

    /// The place for `job` that adds the least idle time among those that cost `least` in the pricing just
    /// made; the first of several.
    pub fn least_idle_place(&self, job: JobId, least: T) -> usize {
        self.kernel.least_idle_place(least.with_tolerance(), job, &self.order, self.instance)
    }

    /// The sequence held now.
    pub fn order(&self) -> &[JobId] {
        &self.order
    }

    /// The makespan of the sequence held now.
    pub fn cost(&self) -> T {
        self.kernel.cost()
    }

    /// Replaces the sequence.
    pub fn load(&mut self, order: &[JobId]) {
        self.kernel.load(order);
        self.order.clear();
        self.order.extend_from_slice(order);
    }

    /// Prices inserting `job`, which is not in the sequence, at each of the `len + 1` places.
    /// Returns the least price.
    pub fn price(&mut self, job: JobId) -> T {
        self.kernel.price(job)
    }

    /// Prices taking out the job at `position` and putting it back at each of the `len` places of the
    /// shortened sequence. The sequence stays as it is. Returns the least price.
    pub fn price_removed(&mut self, position: usize) -> T {
        self.kernel.price_removed(self.order[position], position)
    }

    /// How many places the last pricing priced.
    pub fn num_places(&self) -> usize {
        self.kernel.num_places()
    }

    /// The price of one place in the last pricing.
    pub fn price_at(&self, place: usize) -> T {
        self.kernel.price_at(place)
    }

    /// The first place at or after `from` that costs at most `limit`.
    pub fn place_at_most(&self, limit: T, from: usize) -> Option<usize> {
        self.kernel.place_at_most(limit, from)
    }

    /// The last place that costs at most `limit`.
    pub fn last_place_at_most(&self, limit: T) -> Option<usize> {
        self.kernel.last_place_at_most(limit)
    }

    /// How many places cost at most `limit`.
    pub fn count_at_most(&self, limit: T) -> usize {
        self.kernel.count_at_most(limit)
    }

    /// Puts `job` at `place`.
    pub fn insert(&mut self, job: JobId, place: usize) {
        self.kernel.insert(job, place);
        self.order.insert(place, job);
    }

    /// Takes out the job at `position`.
    pub fn remove(&mut self, position: usize) -> JobId {
        self.kernel.remove(position);
        self.order.remove(position)
    }
}

impl<T: Time> Instance<T> {
    /// A pricer that holds the empty sequence.
    pub fn pricer(&self) -> FlowShopPricer<'_, T> {
        FlowShopPricer::new(self)
    }
}
