//! Insertion pricing with Taillard's acceleration: all places of one job at once.

mod kernel;
mod lanes;
#[cfg(target_arch = "x86_64")]
mod lanes_x86;
mod reference;
mod wavefront;

#[doc(hidden)]
pub use kernel::Kernel;
pub use kernel::SimdPath;
pub(crate) use kernel::{integer_kernel, real_kernel};
pub use reference::ReferencePricer;

use crate::{InsertionPricer, InsertionProblem, Instance, JobId, Time};

/// Prices insertions and moves of jobs in a flow shop sequence.
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
    kernel: Box<dyn Kernel<T> + 'p>,
}

impl<'p, T: Time> FlowShopPricer<'p, T> {
    /// A pricer that holds the empty sequence.
    pub fn new(instance: &'p Instance<T>) -> Self {
        Self::with_path(instance, SimdPath::detect())
    }

    /// A pricer that uses only the instructions of `path`, which this machine must have.
    pub fn with_path(instance: &'p Instance<T>, path: SimdPath) -> Self {
        let path = if SimdPath::available().contains(&path) { path } else { SimdPath::Portable };
        let kernel: Box<dyn Kernel<T> + 'p> = match T::insertion_kernel(instance, path) {
            Some(kernel) => kernel,
            None => Box::new(ReferencePricer::new(instance)),
        };
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
}

impl<T: Time> InsertionPricer for FlowShopPricer<'_, T> {
    type Cost = T;

    fn order(&self) -> &[JobId] {
        &self.order
    }

    fn cost(&self) -> T {
        self.kernel.cost()
    }

    fn load(&mut self, order: &[JobId]) {
        self.kernel.load(order);
        self.order.clear();
        self.order.extend_from_slice(order);
    }

    fn price(&mut self, job: JobId) -> T {
        self.kernel.price(job)
    }

    fn price_removed(&mut self, position: usize) -> T {
        self.kernel.price_removed(self.order[position], position)
    }

    fn num_places(&self) -> usize {
        self.kernel.num_places()
    }

    fn price_at(&self, place: usize) -> T {
        self.kernel.price_at(place)
    }

    fn place_at_most(&self, limit: T, from: usize) -> Option<usize> {
        self.kernel.place_at_most(limit, from)
    }

    fn last_place_at_most(&self, limit: T) -> Option<usize> {
        self.kernel.last_place_at_most(limit)
    }

    fn count_at_most(&self, limit: T) -> usize {
        self.kernel.count_at_most(limit)
    }

    fn insert(&mut self, job: JobId, place: usize) {
        self.kernel.insert(job, place);
        self.order.insert(place, job);
    }

    fn remove(&mut self, position: usize) -> JobId {
        self.kernel.remove(position);
        self.order.remove(position)
    }
}

impl<T: Time> InsertionProblem for Instance<T> {
    type Pricer<'p> = FlowShopPricer<'p, T>;

    fn pricer(&self) -> FlowShopPricer<'_, T> {
        FlowShopPricer::new(self)
    }
}
