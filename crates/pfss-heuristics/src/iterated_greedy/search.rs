//! One iterated greedy search, iteration by iteration.

use pfss_core::{FlowShopPricer, Instance, JobId, Rng, Run, Time};
use rand::RngExt;
use rand::seq::SliceRandom;

use super::block::best_block_place;
use super::common::longest_common_subsequence;
use super::descent::Descent;
use super::{Acceptance, Destruction, IteratedGreedyConfig, Reinsertion};

/// The state of an iterated greedy search, so that it can be run in slices and handed better sequences.
pub struct IteratedGreedySearch<'p, T: Time> {
    instance: &'p Instance<T>,
    config: IteratedGreedyConfig,
    usual_temperature: f64,
    temperature: f64,
    rng: Rng,
    pricer: FlowShopPricer<'p, T>,
    descent: Descent,
    current: Vec<JobId>,
    current_cost: T,
    best: Vec<JobId>,
    best_cost: T,
    since_best: u64,
    removed: Vec<JobId>,
    front: Vec<T>,
}

impl<'p, T: Time> IteratedGreedySearch<'p, T> {
    /// A search that starts from `order`, which is first improved to a local optimum.
    pub fn new(
        instance: &'p Instance<T>,
        config: IteratedGreedyConfig,
        rng: Rng,
        order: &[JobId],
        run: &Run<'_, T>,
    ) -> Self {
        let temperature = config.temperature(instance.num_jobs(), instance.mean_time());
        let mut search = Self {
            instance,
            usual_temperature: temperature,
            temperature,
            rng,
            pricer: instance.pricer(),
            descent: Descent::new(&config, instance),
            current: Vec::new(),
            current_cost: T::MAX,
            best: Vec::new(),
            best_cost: T::MAX,
            since_best: 0,
            removed: Vec::new(),
            front: Vec::new(),
            config,
        };
        search.restart(order, run);
        search
    }

    /// Goes on from `order`, which is first improved to a local optimum.
    pub fn restart(&mut self, order: &[JobId], run: &Run<'_, T>) {
        self.pricer.load(order);
        self.descent.look(run);
        self.descent.descend_from_afar(&mut self.pricer, self.instance, &mut self.rng, run);
        self.keep(run);
        self.descent.look(run);
    }

    /// The cost of the best sequence of this search.
    pub fn best_cost(&self) -> T {
        self.best_cost
    }

    /// Sets the temperature to a multiple of the one that the parameters name.
    pub fn set_temperature(&mut self, multiple: f64) {
        self.temperature = multiple * self.usual_temperature;
    }

    /// How many evaluations were made so far.
    pub fn evaluations(&self) -> u64 {
        self.descent.evaluations()
    }

    /// The best sequence of this search.
    pub fn best(&self) -> &[JobId] {
        &self.best
    }

    /// Begins anew with a child of two orders: what both agree on (a longest common subsequence) is kept and improved,
    /// the other jobs are put back at their best places, in random order. What was found before is forgotten.
    pub fn restart_between(&mut self, one: &[JobId], other: &[JobId], run: &Run<'_, T>) {
        self.forget();
        let common = longest_common_subsequence(one, other);
        self.pricer.load(&common);
        self.descent.look(run);
        let mut is_common = vec![false; one.len()];
        common.iter().for_each(|&job| is_common[job as usize] = true);
        self.removed.clear();
        self.removed.extend(one.iter().filter(|&&job| !is_common[job as usize]));
        self.removed.shuffle(&mut self.rng);
        if !self.pricer.order().is_empty() {
            self.descent.descend_from_afar(&mut self.pricer, self.instance, &mut self.rng, run);
        }
        self.put_back(run);
        self.descent.descend_from_afar(&mut self.pricer, self.instance, &mut self.rng, run);
        self.keep(run);
        self.descent.look(run);
    }

    fn forget(&mut self) {
        self.best.clear();
        self.best_cost = T::MAX;
        self.since_best = 0;
    }

    /// The cost of the sequence that the next iteration starts from.
    pub fn current_cost(&self) -> T {
        self.current_cost
    }

    /// Runs for this many evaluations, or until the run must end. Returns how many were made.
    pub fn run_for(&mut self, evaluations: u64, run: &Run<'_, T>) -> u64 {
        self.descent.look(run);
        let start = self.descent.evaluations();
        while !self.descent.ended() && self.descent.evaluations() - start < evaluations {
            self.iterate(run);
        }
        self.descent.look(run);
        self.descent.evaluations() - start
    }

    /// One iteration. When the run ends in the middle of it, the sequence is still completed.
    pub fn iterate(&mut self, run: &Run<'_, T>) {
        self.destroy();
        if self.config.partial_local_search && !self.pricer.order().is_empty() {
            self.descent.descend(&mut self.pricer, self.instance, &mut self.rng, run);
        }
        self.reinsert(run);
        self.descent.descend(&mut self.pricer, self.instance, &mut self.rng, run);
        self.decide(run);
    }

    fn destroy(&mut self) {
        self.removed.clear();
        let len = self.pricer.order().len();
        let size = self.config.destruction_size.min(len);
        match self.config.destruction {
            Destruction::Random => {
                for taken in 0..size {
                    let position = self.rng.random_range(0..len - taken);
                    self.remove(position);
                }
            }
            Destruction::Block => {
                let position = self.rng.random_range(0..=len - size);
                for _ in 0..size {
                    self.remove(position);
                }
            }
        }
    }

    fn remove(&mut self, position: usize) {
        self.removed.push(self.pricer.remove(position));
        self.descent.open_around(position, self.pricer.order());
    }

    fn reinsert(&mut self, run: &Run<'_, T>) {
        match self.config.reinsertion {
            Reinsertion::Jobs => self.put_back(run),
            Reinsertion::Block => {
                let places = self.pricer.order().len() + 1;
                let (place, _) =
                    best_block_place(&self.pricer, self.instance, &self.removed, &mut self.front);
                self.descent.count(places * self.removed.len(), run);
                for (offset, &job) in self.removed.iter().enumerate() {
                    self.pricer.insert(job, place + offset);
                    self.descent.open_around(place + offset, self.pricer.order());
                }
            }
        }
    }

    /// Puts the removed jobs back, one after the other, each at its best place; where nobody waits any longer, the others
    /// behind all.
    fn put_back(&mut self, run: &Run<'_, T>) {
        for (index, &job) in self.removed.iter().enumerate() {
            if self.descent.ended() && run.is_called_off() {
                let order = [self.pricer.order(), &self.removed[index..]].concat();
                self.pricer.load(&order);
                return;
            }
            let least = self.pricer.price(job);
            self.descent.count(self.pricer.num_places(), run);
            let place = self.descent.place(&self.pricer, self.instance, job, least, &mut self.rng);
            self.pricer.insert(job, place);
            self.descent.open_around(place, self.pricer.order());
        }
    }

    /// Keeps the new sequence or returns to an earlier one.
    fn decide(&mut self, run: &Run<'_, T>) {
        let cost = self.pricer.cost();
        self.since_best += 1;
        if cost <= self.current_cost || self.accepts(cost) {
            self.keep(run);
        } else {
            self.pricer.load(&self.current);
            self.descent.close();
        }
        if self.config.restart > 0 && self.since_best >= self.config.restart {
            self.since_best = 0;
            self.current.clone_from(&self.best);
            self.current_cost = self.best_cost;
            self.pricer.load(&self.current);
            self.descent.close();
        }
    }

    fn accepts(&mut self, cost: T) -> bool {
        match self.config.acceptance {
            Acceptance::Better => false,
            Acceptance::Metropolis => {
                let difference = cost.to_f64() - self.current_cost.to_f64();
                self.rng.random::<f64>() < (-difference / self.temperature).exp()
            }
        }
    }

    fn keep(&mut self, run: &Run<'_, T>) {
        self.current_cost = self.pricer.cost();
        self.current.clear();
        self.current.extend_from_slice(self.pricer.order());
        if self.current_cost < self.best_cost {
            self.since_best = 0;
            self.best_cost = self.current_cost;
            self.best.clone_from(&self.current);
            run.offer(&self.best, self.best_cost);
        }
    }
}
