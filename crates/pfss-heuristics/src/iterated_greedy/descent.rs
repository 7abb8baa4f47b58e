//! The insertion descent inside iterated greedy.

use pfss_core::{FlowShopPricer, Instance, JobId, Rng, Run, Time, evaluations_per_look};
use rand::RngExt;
use rand::seq::SliceRandom;

use super::Tie;
use crate::TieRule;
use crate::neh::tie::first_tied;

/// Evaluations between two looks at the clock on few machines: below a millisecond.
const EVALUATIONS_PER_LOOK: u64 = 1 << 14;

/// Sequences of so many jobs are offered in the middle of a descent, after so many jobs were priced.
const LONG: usize = 5_000;
const OFFER_EVERY: u64 = 64;

/// A descent by single insertions, with buffers that are kept from call to call.
pub(super) struct Descent {
    tie: Tie,
    evaluations_per_look: u64,
    jobs: Vec<JobId>,
    counted: u64,
    uncounted: u64,
    ended: bool,
    /// Evaluations when the sequence was last offered in the middle of a descent.
    offered_at: u64,
}

impl Descent {
    pub(super) fn new(tie: Tie, num_machines: usize) -> Self {
        Self {
            tie,
            evaluations_per_look: evaluations_per_look(EVALUATIONS_PER_LOOK, num_machines),
            jobs: Vec::new(),
            counted: 0,
            uncounted: 0,
            ended: false,
            offered_at: 0,
        }
    }

    /// Whether the run ended at the last look at it.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// The evaluations of this descent so far.
    pub(super) fn evaluations(&self) -> u64 {
        self.counted + self.uncounted
    }

    /// Hands the evaluations to the run and looks whether it must end.
    pub(super) fn look<C: Time>(&mut self, run: &Run<'_, C>) {
        run.count(self.uncounted);
        self.counted += self.uncounted;
        self.uncounted = 0;
        self.ended = run.must_end();
    }

    pub(super) fn count<C: Time>(&mut self, evaluations: usize, run: &Run<'_, C>) {
        self.uncounted += evaluations as u64;
        if self.uncounted >= self.evaluations_per_look {
            self.look(run);
        }
    }

    /// The place for `job` among those that cost `least` in the pricing just made.
    pub(super) fn place<T: Time>(
        &self,
        pricer: &FlowShopPricer<'_, T>,
        instance: &Instance<T>,
        job: JobId,
        least: T,
        rng: &mut Rng,
    ) -> usize {
        match self.tie {
            Tie::First => first_tied(pricer, least, 0).unwrap_or(0),
            Tie::Ff => TieRule::Ff.place(pricer, instance, job, least),
            Tie::Random => {
                let limit = least.with_tolerance();
                let mut chosen = pricer.place_at_most(limit, 0).unwrap_or(0);
                let ties = pricer.count_at_most(limit);
                if ties > 1 {
                    for _ in 0..rng.random_range(0..ties) {
                        chosen = pricer.place_at_most(limit, chosen + 1).unwrap_or(chosen);
                    }
                }
                chosen
            }
        }
    }

    /// A descent of very many jobs takes long: others may want to see how far it is.
    fn offer<T: Time>(
        &mut self,
        pricer: &FlowShopPricer<'_, T>,
        instance: &Instance<T>,
        cost: T,
        run: &Run<'_, T>,
    ) {
        let order = pricer.order();
        let due = self.evaluations() >= self.offered_at + OFFER_EVERY * order.len() as u64;
        // Iterated greedy also descends with some jobs taken out.
        let is_whole = order.len() == instance.num_jobs();
        if is_whole && order.len() >= LONG && due && cost < run.best_cost() {
            self.offered_at = self.evaluations();
            run.offer(order, cost);
        }
    }

    /// Moves single jobs, in random order, to strictly better places until all fail in a row.
    pub(super) fn descend<T: Time>(
        &mut self,
        pricer: &mut FlowShopPricer<'_, T>,
        instance: &Instance<T>,
        rng: &mut Rng,
        run: &Run<'_, T>,
    ) {
        self.jobs.clear();
        self.jobs.extend_from_slice(pricer.order());
        self.jobs.shuffle(rng);
        let mut cost = pricer.cost();
        let (mut index, mut failures) = (0, 0);
        while failures < self.jobs.len() && !self.ended {
            let job = self.jobs[index];
            index = if index + 1 == self.jobs.len() { 0 } else { index + 1 };
            failures += 1;
            let Some(position) = pricer.order().iter().position(|&other| other == job) else { continue };
            let least = pricer.price_removed(position);
            // Reals must improve by more than rounding, or the descent might go round in circles.
            if !cost.meets(least) {
                // The tie rule of Fernandez-Viagas and Framinan looks at the sequence without the job.
                let place = if self.tie == Tie::Ff {
                    pricer.remove(position);
                    let least = pricer.price(job);
                    self.place(pricer, instance, job, least, rng)
                } else {
                    let place = self.place(pricer, instance, job, least, rng);
                    pricer.remove(position);
                    place
                };
                pricer.insert(job, place);
                cost = pricer.cost();
                failures = 1;
                self.offer(pricer, instance, cost, run);
            }
            self.count(self.jobs.len(), run);
        }
    }
}
