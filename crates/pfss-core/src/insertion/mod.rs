//! Insertion pricing with Taillard's acceleration: all places of one job at once.

mod reference;

pub use reference::ReferencePricer;

use crate::{InsertionPricer, InsertionProblem, Instance, JobId, Time};

/// Prices insertions and moves of jobs in a flow shop sequence.
pub struct FlowShopPricer<'p, T: Time> {
    inner: ReferencePricer<'p, T>,
}

impl<T: Time> FlowShopPricer<'_, T> {
    /// The completion time on `machine` of the job at `position` (`e` in the literature).
    pub fn head(&self, position: usize, machine: usize) -> T {
        self.inner.head(position, machine)
    }

    /// The time from the start of the job at `position` on `machine` to the end of the schedule (`q`);
    /// zero at `position == len`.
    pub fn tail(&self, position: usize, machine: usize) -> T {
        self.inner.tail(position, machine)
    }
}

impl<T: Time> InsertionPricer for FlowShopPricer<'_, T> {
    type Cost = T;

    fn order(&self) -> &[JobId] {
        self.inner.order()
    }

    fn cost(&self) -> T {
        self.inner.cost()
    }

    fn load(&mut self, order: &[JobId]) {
        self.inner.load(order);
    }

    fn price(&mut self, job: JobId) -> T {
        self.inner.price(job)
    }

    fn price_removed(&mut self, position: usize) -> T {
        self.inner.price_removed(position)
    }

    fn num_places(&self) -> usize {
        self.inner.num_places()
    }

    fn price_at(&self, place: usize) -> T {
        self.inner.price_at(place)
    }

    fn place_with_price(&self, price: T, from: usize) -> Option<usize> {
        self.inner.place_with_price(price, from)
    }

    fn last_place_with_price(&self, price: T) -> Option<usize> {
        self.inner.last_place_with_price(price)
    }

    fn count_price(&self, price: T) -> usize {
        self.inner.count_price(price)
    }

    fn insert(&mut self, job: JobId, place: usize) {
        self.inner.insert(job, place);
    }

    fn remove(&mut self, position: usize) -> JobId {
        self.inner.remove(position)
    }
}

impl<T: Time> InsertionProblem for Instance<T> {
    type Pricer<'p> = FlowShopPricer<'p, T>;

    fn pricer(&self) -> FlowShopPricer<'_, T> {
        FlowShopPricer { inner: ReferencePricer::new(self) }
    }
}
