//! The insertion descent inside iterated greedy.

use pfss_core::{FlowShopPricer, Instance, JobId, MOVES, MovePricer, Rng, Run, Time, evaluations_per_look};
use rand::RngExt;
use rand::seq::SliceRandom;

use super::{IteratedGreedyConfig, Tie};
use crate::TieRule;
use crate::neh::tie::first_tied;

/// Evaluations between two looks at the clock on few machines: below a millisecond.
const EVALUATIONS_PER_LOOK: u64 = 1 << 14;

/// Sequences of so many jobs are offered in the middle of a descent, after so many jobs were priced.
const LONG: usize = 5_000;
const OFFER_EVERY: u64 = 64;

/// The most bytes that tables of moves may take: beyond, they leave the cache, and one job after the other is faster.
const LARGEST_TABLES: usize = 4 << 20;

/// A descent by single insertions, with buffers that are kept from call to call.
pub(super) struct Descent {
    tie: Tie,
    /// Prices blocks of jobs at once, where that pays.
    moves: Option<MovePricer>,
    /// Jobs of a block that have better places, each with its least price as bits that order as prices do.
    better: Vec<(u64, JobId)>,
    evaluations_per_look: u64,
    /// How many positions from a change jobs are looked at again; `None` for everywhere.
    reach: Option<usize>,
    /// Jobs that may have a better place: those that nothing changed near need no look (don't-look bits, Bentley 1992).
    is_open: Vec<bool>,
    jobs: Vec<JobId>,
    counted: u64,
    uncounted: u64,
    ended: bool,
    /// Evaluations when the sequence was last offered in the middle of a descent.
    offered_at: u64,
}

impl Descent {
    pub(super) fn new<T: Time>(config: &IteratedGreedyConfig, instance: &Instance<T>) -> Self {
        let in_blocks = MovePricer::bytes(instance) <= LARGEST_TABLES;
        Self {
            tie: config.tie,
            moves: in_blocks.then(|| MovePricer::new(instance)),
            better: Vec::new(),
            evaluations_per_look: evaluations_per_look(EVALUATIONS_PER_LOOK, instance.num_machines()),
            reach: config.reach(instance.num_jobs()),
            is_open: vec![true; instance.num_jobs()],
            jobs: Vec::new(),
            counted: 0,
            uncounted: 0,
            ended: false,
            offered_at: 0,
        }
    }

    /// Tells of a change at this position of `order`.
    pub(super) fn open_around(&mut self, position: usize, order: &[JobId]) {
        let Some(reach) = self.reach else { return };
        let near = position.saturating_sub(reach)..order.len().min(position + reach + 1);
        for &job in &order[near] {
            self.is_open[job as usize] = true;
        }
    }

    /// Tells that the sequence is one that was improved before.
    pub(super) fn close(&mut self) {
        if self.reach.is_some() {
            self.is_open.fill(false);
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
            Tie::First => first(pricer, least),
            Tie::Ff => TieRule::Ff.place(pricer, instance, job, least),
            Tie::Random => any(pricer, least, rng),
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

    /// Moves single jobs to strictly better places until no job, or none near a change, has one.
    pub(super) fn descend<T: Time>(
        &mut self,
        pricer: &mut FlowShopPricer<'_, T>,
        instance: &Instance<T>,
        rng: &mut Rng,
        run: &Run<'_, T>,
    ) {
        if pricer.order().len() < 2 {
            return;
        }
        match self.moves.take() {
            Some(mut moves) => {
                match self.reach {
                    None => self.descend_in_blocks(&mut moves, pricer, instance, rng, run),
                    Some(_) => self.descend_by_queue(&mut moves, pricer, instance, rng, run),
                }
                self.moves = Some(moves);
            }
            None => self.descend_by_jobs(usize::MAX, pricer, instance, rng, run),
        }
    }

    /// The same from a sequence that may be far from a local optimum. While most jobs have better places, one after the other is
    /// moved: prices of a whole block would be out of date after the first of them.
    pub(super) fn descend_from_afar<T: Time>(
        &mut self,
        pricer: &mut FlowShopPricer<'_, T>,
        instance: &Instance<T>,
        rng: &mut Rng,
        run: &Run<'_, T>,
    ) {
        self.is_open.fill(true);
        self.descend_by_jobs(MOVES, pricer, instance, rng, run);
        self.descend(pricer, instance, rng, run);
    }

    /// Moves `job` to its best place, where that is strictly better; tells whether it did.
    fn improve<T: Time>(
        &mut self,
        job: JobId,
        pricer: &mut FlowShopPricer<'_, T>,
        instance: &Instance<T>,
        rng: &mut Rng,
        run: &Run<'_, T>,
    ) -> bool {
        let Some(position) = pricer.order().iter().position(|&other| other == job) else { return false };
        let cost = pricer.cost();
        let least = pricer.price_removed(position);
        self.count(pricer.order().len(), run);
        // Reals must improve by more than rounding, or the descent might go round in circles.
        if cost.meets(least) {
            return false;
        }
        // The tie rule of Fernandez-Viagas and Framinan looks at the sequence without the job: one more pricing, which in long
        // sequences is better spent on another job.
        let place = match self.tie {
            Tie::Ff if pricer.order().len() < LONG => {
                pricer.remove(position);
                let least = pricer.price(job);
                self.count(pricer.num_places(), run);
                TieRule::Ff.place(pricer, instance, job, least)
            }
            tie => {
                let place = if tie == Tie::First { first(pricer, least) } else { any(pricer, least, rng) };
                pricer.remove(position);
                place
            }
        };
        pricer.insert(job, place);
        self.open_around(position, pricer.order());
        self.open_around(place, pricer.order());
        self.offer(pricer, instance, pricer.cost(), run);
        true
    }

    /// One job after the other, in random order, until all, or so many, fail in a row (Ruiz and Stuetzle 2007).
    fn descend_by_jobs<T: Time>(
        &mut self,
        failures_in_a_row: usize,
        pricer: &mut FlowShopPricer<'_, T>,
        instance: &Instance<T>,
        rng: &mut Rng,
        run: &Run<'_, T>,
    ) {
        self.jobs.clear();
        self.jobs.extend_from_slice(pricer.order());
        self.jobs.shuffle(rng);
        let (mut index, mut failures) = (0, 0);
        while failures < self.jobs.len().min(failures_in_a_row) && !self.ended {
            let job = self.jobs[index];
            index = if index + 1 == self.jobs.len() { 0 } else { index + 1 };
            if self.reach.is_some() && !std::mem::replace(&mut self.is_open[job as usize], false) {
                failures += 1;
                continue;
            }
            let is_moved = self.improve(job, pricer, instance, rng, run);
            failures = if is_moved { 1 } else { failures + 1 };
        }
    }

    /// Block after block of neighbouring jobs, until no job of any block has a better place.
    fn descend_in_blocks<T: Time>(
        &mut self,
        moves: &mut MovePricer,
        pricer: &mut FlowShopPricer<'_, T>,
        instance: &Instance<T>,
        rng: &mut Rng,
        run: &Run<'_, T>,
    ) {
        let len = pricer.order().len();
        let blocks = len.div_ceil(MOVES);
        let size = len.div_ceil(blocks);
        let mut block = rng.random_range(0..blocks);
        let mut failures = 0;
        while failures < blocks && !self.ended {
            let first = (block * size).min(len - 1);
            block = if block + 1 == blocks { 0 } else { block + 1 };
            failures =
                if self.improve_block(first, moves, pricer, instance, rng, run) { 0 } else { failures + 1 };
        }
    }

    /// The same, but only for jobs near a change.
    fn descend_by_queue<T: Time>(
        &mut self,
        moves: &mut MovePricer,
        pricer: &mut FlowShopPricer<'_, T>,
        instance: &Instance<T>,
        rng: &mut Rng,
        run: &Run<'_, T>,
    ) {
        let len = pricer.order().len();
        let mut start = rng.random_range(0..len);
        while !self.ended {
            let order = pricer.order();
            let is_open = |position: &usize| self.is_open[order[*position] as usize];
            let Some(next) = (start..len).chain(0..start).find(is_open) else { break };
            let first = next.min(len.saturating_sub(MOVES));
            for &job in &order[first..len.min(first + MOVES)] {
                self.is_open[job as usize] = false;
            }
            self.improve_block(first, moves, pricer, instance, rng, run);
            start = if first + MOVES < len { first + MOVES } else { 0 };
        }
    }

    /// Prices the jobs at `first` and behind it, then moves them: the one that gains most first, then the others where they
    /// still gain. Tells whether any moved.
    fn improve_block<T: Time>(
        &mut self,
        first: usize,
        moves: &mut MovePricer,
        pricer: &mut FlowShopPricer<'_, T>,
        instance: &Instance<T>,
        rng: &mut Rng,
        run: &Run<'_, T>,
    ) -> bool {
        let count = moves.price(pricer.order(), first);
        self.count(count * pricer.order().len(), run);
        let cost = pricer.cost();
        // Reals must improve by more than rounding, or the descent might go round in circles.
        let gains = |lane: &usize| !cost.meets(moves.least(*lane));
        let job = |lane: usize| (moves.least::<T>(lane).to_bits(), pricer.order()[first + lane]);
        self.better.clear();
        self.better.extend((0..count).filter(gains).map(job));
        self.better.sort_unstable();
        let mut is_moved = false;
        for index in 0..self.better.len() {
            is_moved |= !self.ended && self.improve(self.better[index].1, pricer, instance, rng, run);
        }
        is_moved
    }
}

/// The first place that costs `least`.
fn first<T: Time>(pricer: &FlowShopPricer<'_, T>, least: T) -> usize {
    first_tied(pricer, least, 0).unwrap_or(0)
}

/// Any place that costs `least`, drawn at random.
fn any<T: Time>(pricer: &FlowShopPricer<'_, T>, least: T, rng: &mut Rng) -> usize {
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

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::{Limits, Seed};

    /// A descent of ta081 from the order of its numbers; in blocks or job by job.
    fn descend(reach: usize, in_blocks: bool) -> (Vec<JobId>, u64) {
        let instance = taillard_benchmark(81).unwrap();
        let config = IteratedGreedyConfig { reach, ..IteratedGreedyConfig::default() };
        let mut descent = Descent::new(&config, &instance);
        if !in_blocks {
            descent.moves = None;
        }
        let order: Vec<JobId> = (0..instance.num_jobs() as JobId).collect();
        let mut pricer = instance.pricer();
        pricer.load(&order);
        let run = Run::new(Seed::new(1), Limits::default());
        descent.descend_from_afar(&mut pricer, &instance, &mut run.stream("descent"), &run);
        (pricer.order().to_vec(), descent.evaluations())
    }

    fn better_places(order: &[JobId]) -> usize {
        let instance = taillard_benchmark(81).unwrap();
        let mut pricer = instance.pricer();
        pricer.load(order);
        let cost = pricer.cost();
        (0..order.len()).filter(|&position| pricer.price_removed(position) < cost).count()
    }

    #[test]
    fn a_descent_that_reaches_all_jobs_ends_where_no_job_has_a_better_place() {
        for in_blocks in [true, false] {
            // From 100 on, all are looked at without a queue.
            for reach in [0, 99, 100, 5000] {
                let (order, _) = descend(reach, in_blocks);
                assert_eq!(better_places(&order), 0, "{reach} {in_blocks}");
            }
        }
    }

    #[test]
    fn a_short_reach_takes_fewer_looks() {
        for in_blocks in [true, false] {
            let (order, evaluations) = descend(3, in_blocks);
            let (_, all) = descend(0, in_blocks);
            assert!(evaluations < all, "{evaluations} of {all}");
            // It may leave something, but not much: most jobs were near a change.
            assert!(better_places(&order) < 20);
        }
    }

    #[test]
    fn only_jobs_near_a_change_are_looked_at() {
        let instance = taillard_benchmark(81).unwrap();
        let config = IteratedGreedyConfig { reach: 2, ..IteratedGreedyConfig::default() };
        let mut descent = Descent::new(&config, &instance);
        let order: Vec<JobId> = (0..instance.num_jobs() as JobId).rev().collect();
        let open =
            |descent: &Descent| (0..100u32).filter(|&job| descent.is_open[job as usize]).collect::<Vec<_>>();
        descent.close();
        assert_eq!(open(&descent), []);
        descent.open_around(0, &order);
        descent.open_around(98, &order);
        assert_eq!(open(&descent), [0, 1, 2, 3, 97, 98, 99]);
        let mut everywhere = Descent::new(&IteratedGreedyConfig::default(), &instance);
        everywhere.close();
        assert_eq!(open(&everywhere).len(), 100);
    }
}
