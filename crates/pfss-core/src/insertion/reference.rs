//! The plain form of Taillard's acceleration: the slow twin of the wavefront kernels, and the path for
//! instances with very many machines.

use super::kernel::PricingKernel;
use crate::{Instance, JobId, Time};

/// Insertion pricing by the textbook recurrences, one cell at a time.
///
/// `e` heads, `q` tails, `f` the inserted job: `f(i) = max(f(i - 1), e(l - 1, i)) + p(i)`, and the makespan
/// with the job at place `l` is `max_i f(i) + q(l, i)` (Taillard 1990).
pub(super) struct ReferencePricer<'p, T: Time> {
    instance: &'p Instance<T>,
    order: Vec<JobId>,
    /// Row `l + 1` holds the heads of position `l`; row 0 is zero.
    heads: Vec<T>,
    /// Row `l` holds the tails of position `l`; row `len` is zero.
    tails: Vec<T>,
    prices: Vec<T>,
}

impl<'p, T: Time> ReferencePricer<'p, T> {
    /// Holds the empty sequence.
    pub(super) fn new(instance: &'p Instance<T>) -> Self {
        let zero = vec![T::ZERO; instance.num_machines()];
        Self { instance, order: Vec::new(), heads: zero.clone(), tails: zero, prices: Vec::new() }
    }

    fn rebuild(&mut self) {
        let m = self.instance.num_machines();
        let n = self.order.len();
        self.heads.clear();
        self.heads.resize((n + 1) * m, T::ZERO);
        self.tails.clear();
        self.tails.resize((n + 1) * m, T::ZERO);
        for (l, &job) in self.order.iter().enumerate() {
            let mut left = T::ZERO;
            for (i, &time) in self.instance.job(job).iter().enumerate() {
                left = left.maximum(self.heads[l * m + i]) + time;
                self.heads[(l + 1) * m + i] = left;
            }
        }
        for (l, &job) in self.order.iter().enumerate().rev() {
            let mut right = T::ZERO;
            for (i, &time) in self.instance.job(job).iter().enumerate().rev() {
                right = right.maximum(self.tails[(l + 1) * m + i]) + time;
                self.tails[l * m + i] = right;
            }
        }
    }
}

impl<T: Time> PricingKernel<T> for ReferencePricer<'_, T> {
    fn cost(&self) -> T {
        self.heads[self.heads.len() - 1]
    }

    fn head(&self, position: usize, machine: usize) -> T {
        self.heads[(position + 1) * self.instance.num_machines() + machine]
    }

    fn tail(&self, position: usize, machine: usize) -> T {
        self.tails[position * self.instance.num_machines() + machine]
    }

    fn load(&mut self, order: &[JobId]) {
        assert!(order.len() <= self.instance.num_jobs(), "a sequence holds each job at most once");
        assert!(order.iter().all(|&job| (job as usize) < self.instance.num_jobs()), "no such job");
        self.order.clear();
        self.order.extend_from_slice(order);
        self.rebuild();
    }

    fn price(&mut self, job: JobId) -> T {
        assert!((job as usize) < self.instance.num_jobs(), "no such job");
        let m = self.instance.num_machines();
        self.prices.clear();
        let mut least = T::MAX;
        for l in 0..=self.order.len() {
            let (mut f, mut price) = (T::ZERO, T::ZERO);
            for (i, &time) in self.instance.job(job).iter().enumerate() {
                f = f.maximum(self.heads[l * m + i]) + time;
                price = price.maximum(f + self.tails[l * m + i]);
            }
            least = least.minimum(price);
            self.prices.push(price);
        }
        least
    }

    fn price_removed(&mut self, job: JobId, position: usize) -> T {
        assert!((job as usize) < self.instance.num_jobs(), "no such job");
        self.remove(position);
        let least = self.price(job);
        self.insert(job, position);
        least
    }

    fn num_places(&self) -> usize {
        self.prices.len()
    }

    fn price_at(&self, place: usize) -> T {
        self.prices[place]
    }

    fn place_at_most(&self, limit: T, from: usize) -> Option<usize> {
        self.prices.iter().skip(from).position(|&price| price <= limit).map(|place| place + from)
    }

    fn last_place_at_most(&self, limit: T) -> Option<usize> {
        self.prices.iter().rposition(|&price| price <= limit)
    }

    fn count_at_most(&self, limit: T) -> usize {
        self.prices.iter().filter(|&&price| price <= limit).count()
    }

    fn insert(&mut self, job: JobId, place: usize) {
        assert!(self.order.len() < self.instance.num_jobs(), "the sequence is full");
        assert!((job as usize) < self.instance.num_jobs(), "no such job");
        self.order.insert(place, job);
        self.rebuild();
    }

    fn remove(&mut self, position: usize) {
        self.order.remove(position);
        self.rebuild();
    }
}
