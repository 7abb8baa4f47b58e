//! All moves of a block of neighbouring jobs at once: one lane per job.
//!
//! Taking out one of 32 neighbours and putting it back at each place is, for each of them, Taillard's acceleration on a
//! sequence that lacks another job. These sequences differ only around the block, so a lane of a register works on each:
//! no lane needs another one, and machines and places are plain loops. Heads and tails of the shortened sequences are
//! computed from scratch, which leaves nothing to update when a job is moved.
//!
//! Notation: `e` heads, `q` tails, `f` the inserted job (Taillard 1990).

use crate::simd::{Aligned, InstructionSet, Instructions, Kernel, LaneRegister, Register};
use crate::tree::{Element, ElementKind};
use crate::{Instance, JobId, Time};

/// How many neighbouring jobs are priced at once, on every processor, so that a search does the same everywhere.
pub const BLOCK: usize = 32;

/// Prices the moves of blocks of jobs.
///
/// After [`price`](Self::price) the prices of all places can be read until the next call.
///
/// # Panics
/// Where a position, a lane or a job does not exist, or a sequence is longer than the instance.
pub struct MovePricer {
    instructions: Instructions,
    num_jobs: usize,
    tables: AnyTables,
    count: usize,
    num_places: usize,
}

/// Tables for each way to store times.
enum AnyTables {
    U16(Tables<u16>),
    U32(Tables<u32>),
    F64(Tables<f64>),
}

/// One expression for whichever tables there are.
macro_rules! on_tables {
    ($tables:expr, $name:ident => $body:expr) => {
        match $tables {
            AnyTables::U16($name) => $body,
            AnyTables::U32($name) => $body,
            AnyTables::F64($name) => $body,
        }
    };
}

impl MovePricer {
    /// A pricer for sequences of an instance's jobs.
    pub fn new<T: Time>(instance: &Instance<T>) -> Self {
        Self::with(instance, Instructions::detect())
    }

    /// A pricer that uses no wider instructions than these.
    pub fn with<T: Time>(instance: &Instance<T>, instructions: Instructions) -> Self {
        Self::with_machines(instance, ElementKind::of(instance), &Machines::default(), instructions)
    }

    /// A pricer for machines that do more than in the plain flow shop; `kind` must hold every path.
    pub(crate) fn with_machines<T: Time>(
        instance: &Instance<T>,
        kind: ElementKind,
        machines: &Machines<T>,
        instructions: Instructions,
    ) -> Self {
        let tables = match kind {
            ElementKind::U16 => AnyTables::U16(Tables::new(instance, machines)),
            ElementKind::U32 => AnyTables::U32(Tables::new(instance, machines)),
            ElementKind::F64 => AnyTables::F64(Tables::new(instance, machines)),
        };
        Self { instructions, num_jobs: instance.num_jobs(), tables, count: 0, num_places: 0 }
    }

    /// How many bytes the tables for sequences of all jobs take.
    pub fn bytes<T: Time>(instance: &Instance<T>) -> usize {
        let size = match ElementKind::of(instance) {
            ElementKind::U16 => 2,
            ElementKind::U32 => 4,
            ElementKind::F64 => 8,
        };
        // A register has at most 32 lanes.
        instance.num_jobs() * (instance.num_machines() * 64 + BLOCK * size)
    }

    /// Prices taking out each of the jobs at `first` and the 31 positions behind it, as far as there are any, and putting
    /// it back at each place of the shortened sequence. Returns how many jobs were priced.
    pub fn price(&mut self, order: &[JobId], first: usize) -> usize {
        self.price_runs(order, first, 1)
    }

    /// The same for runs of `length` jobs that stay together, which begin at `first` and the 31 positions behind it.
    pub fn price_runs(&mut self, order: &[JobId], first: usize, length: usize) -> usize {
        assert!(
            length > 0 && first + length <= order.len() && order.len() <= self.num_jobs,
            "no such position"
        );
        assert!(order.iter().all(|&job| (job as usize) < self.num_jobs), "no such job");
        self.num_places = order.len() - length + 1;
        self.count = BLOCK.min(self.num_places - first);
        let (instructions, count) = (self.instructions, self.count);
        on_tables!(&mut self.tables, tables => instructions.run(Price { tables, order, first, count, length }));
        self.count
    }

    /// The least price of the job or run in `lane`: the one at `first + lane`.
    pub fn least<T: Time>(&self, lane: usize) -> T {
        assert!(lane < self.count, "no such lane");
        on_tables!(&self.tables, tables => tables.least[lane].to_time())
    }

    /// The price of the job or run in `lane` at `place` of the shortened sequence.
    pub fn price_at<T: Time>(&self, lane: usize, place: usize) -> T {
        assert!(lane < self.count && place < self.num_places, "no such place");
        on_tables!(&self.tables, tables => tables.prices[place * BLOCK + lane].to_time())
    }
}

/// What machines do that those of the plain flow shop do not.
#[derive(Default)]
pub(crate) struct Machines<T> {
    /// When they are there; from the beginning where nothing is said.
    pub(crate) available: Vec<T>,
    /// Whether a job stays on the machine until the next is free (blocking; Wang et al. 2010 have the tails); nowhere where
    /// nothing is said.
    pub(crate) blocks: Vec<bool>,
}

/// Times, and the memory of a pricing.
struct Tables<E: Element> {
    num_machines: usize,
    /// Job by job.
    times: Vec<E>,
    /// The same in the form from which registers are filled.
    spread: Vec<E::Spread>,
    available: Vec<E::Spread>,
    /// Empty where no machine keeps a job.
    blocks: Vec<bool>,
    /// As many ones as a block has lanes, then as many zeros: a register read from the middle on has ones in its first lanes.
    mask: Aligned<E>,
    /// By job of a run and machine: the times of the lanes' own jobs.
    own: Aligned<E>,
    /// By machine: the heads behind all jobs of a run but the last.
    inner: Aligned<E>,
    /// By machine: the heads of the position before.
    heads: Aligned<E>,
    /// By position and machine: the tails of the shortened sequences.
    tails: Aligned<E>,
    /// By place and lane.
    prices: Aligned<E>,
    least: Aligned<E>,
}

impl<E: Element> Tables<E> {
    fn new<T: Time>(instance: &Instance<T>, machines: &Machines<T>) -> Self {
        let mut available: Vec<_> =
            machines.available.iter().map(|&time| E::from_time(time).spread()).collect();
        available.resize(instance.num_machines(), E::default().spread());
        let mut blocks = machines.blocks.clone();
        if blocks.contains(&true) {
            blocks.resize(instance.num_machines(), false);
        } else {
            blocks.clear();
        }
        let times: Vec<E> = instance.times().iter().map(|&time| E::from_time(time)).collect();
        let mut mask = Aligned::default();
        mask.set_len(2 * BLOCK);
        mask[..BLOCK].fill(E::ONES);
        Self {
            num_machines: instance.num_machines(),
            spread: times.iter().map(|time| time.spread()).collect(),
            available,
            blocks,
            times,
            mask,
            own: Aligned::default(),
            inner: Aligned::default(),
            heads: Aligned::default(),
            tails: Aligned::default(),
            prices: Aligned::default(),
            least: Aligned::default(),
        }
    }
}

/// Prices `count` runs of `length` jobs from `first` on.
struct Price<'a, E: Element> {
    tables: &'a mut Tables<E>,
    order: &'a [JobId],
    first: usize,
    count: usize,
    length: usize,
}

impl<E: Element> Kernel for Price<'_, E> {
    type Output = ();

    #[inline(always)]
    fn run<S: InstructionSet>(self, _: S) {
        let Self { tables, order, first, count, length } = self;
        let (m, lanes) = (tables.num_machines, <E::Register<S> as Register>::LANES);
        tables.own.set_len(length * m * lanes);
        tables.inner.set_len(m * lanes);
        tables.heads.set_len(m * lanes);
        tables.tails.set_len((order.len() + 1) * m * lanes);
        tables.prices.set_len(order.len() * BLOCK);
        tables.least.set_len(BLOCK);
        for lane in (0..count).step_by(lanes) {
            for (row, own) in tables.own.chunks_exact_mut(lanes).enumerate() {
                let (job, machine) = (row / m, row % m);
                for (own, &job) in own.iter_mut().zip(&order[first + lane + job..]) {
                    *own = tables.times[job as usize * m + machine];
                }
            }
            let at = At { first: first + lane, lane, length };
            // SAFETY: a value of `S` exists. All jobs of the order exist, `first + lane` is a position where a run begins, and
            // the tables were just made as long as `registers` asks for; `blocks` is empty or has a value per machine.
            unsafe {
                match (tables.blocks.is_empty(), length) {
                    (true, 1) => registers::<E, E::Register<S>, false, false>(tables, order, at),
                    (true, _) => registers::<E, E::Register<S>, false, true>(tables, order, at),
                    (false, 1) => registers::<E, E::Register<S>, true, false>(tables, order, at),
                    (false, _) => registers::<E, E::Register<S>, true, true>(tables, order, at),
                }
            }
        }
    }
}

/// Which runs a register holds: of `length` jobs, from `first` on, with prices from `lane` on.
#[derive(Clone, Copy)]
struct At {
    first: usize,
    lane: usize,
    length: usize,
}

/// One register of runs.
///
/// # Safety
/// A value of `V::Set` exists; jobs are below their number; a run begins at `first`, and `lane + LANES <= BLOCK`; `own` holds
/// the times of the jobs of the runs; `inner` and `heads` have room for one row of registers, `tails` for one more than the
/// order has jobs, `prices` for a block per job, and `least` for a block; with `BLOCKING`, `blocks` has a value per machine;
/// without `RUNS`, the length is one.
#[inline(always)]
unsafe fn registers<
    E: Element,
    V: LaneRegister<Item = E, Spread = E::Spread>,
    const BLOCKING: bool,
    const RUNS: bool,
>(
    tables: &mut Tables<E>,
    order: &[JobId],
    at: At,
) {
    let At { first, lane, length } = at;
    let length = if RUNS { length } else { 1 };
    let m = tables.num_machines;
    let last = order.len() - length;
    let (heads, tails, inner) =
        (tables.heads.as_mut_ptr(), tables.tails.as_mut_ptr(), tables.inner.as_mut_ptr());
    // Of the last job of a run, and of those before it.
    let (own, earlier) = (tables.own.as_ptr().wrapping_add((length - 1) * m * V::LANES), tables.own.as_ptr());
    let (spread, mask) = (tables.spread.as_ptr(), tables.mask.as_ptr());
    let (available, blocks) = (tables.available.as_ptr(), tables.blocks.as_ptr());
    // SAFETY: see above; positions are at most `last`, machines below `m`.
    unsafe {
        let row = |position: usize| spread.add(*order.get_unchecked(position) as usize * m);
        // The job at a position of the shortened sequences: behind the run that is missing, all move up by its length. Lane `l`
        // lacks the run at `first + l`.
        let missing = |position: usize| (position + 1).saturating_sub(first).min(V::LANES);
        // Does something for every machine with the time of the job at a position of the shortened sequences.
        macro_rules! each {
            ($position:expr, $machines:expr, |$machine:ident, $time:ident| $body:block) => {
                let missing = missing($position);
                if missing == 0 || missing == V::LANES {
                    let times = row($position + if missing > 0 { length } else { 0 });
                    for $machine in $machines {
                        let $time = V::splat(*times.add($machine));
                        $body
                    }
                } else {
                    let (times, next) = (row($position), row($position + length));
                    let moved = V::load(mask.add(BLOCK - missing));
                    for $machine in $machines {
                        let $time =
                            V::splat(*next.add($machine)).select(V::splat(*times.add($machine)), moved);
                        $body
                    }
                }
            };
        }

        for machine in 0..m {
            V::zero().store(tails.add((last * m + machine) * V::LANES));
            V::splat(*available.add(machine)).store(heads.add(machine * V::LANES));
        }
        for position in (0..last).rev() {
            let (behind, here) =
                (tails.add((position + 1) * m * V::LANES), tails.add(position * m * V::LANES));
            let mut tail = V::zero();
            each!(position, (0..m).rev(), |machine, time| {
                tail = tail.max(V::load(behind.add(machine * V::LANES))).add(time);
                let mut longest = tail;
                // This job leaves the machine before when this one is free, and the next job waits there for that.
                if BLOCKING && machine > 0 && *blocks.add(machine - 1) {
                    longest = tail.max(V::load(behind.add((machine - 1) * V::LANES)));
                }
                longest.store(here.add(machine * V::LANES));
            });
        }
        let prices = tables.prices.as_mut_ptr().add(lane);
        let mut least = V::zero();
        for place in 0..=last {
            let behind = tails.add(place * m * V::LANES);
            let (mut price, mut inserted, mut head) = (V::zero(), V::zero(), V::zero());
            // What the last job of the run finds.
            let mut found = heads;
            if RUNS {
                for job in 0..length - 1 {
                    let (own, mut inserted) = (earlier.add(job * m * V::LANES), V::zero());
                    for machine in 0..m {
                        inserted = inserted
                            .max(V::load(found.add(machine * V::LANES)))
                            .add(V::load(own.add(machine * V::LANES)));
                        let mut leaves = inserted;
                        if BLOCKING && *blocks.add(machine) && machine + 1 < m {
                            leaves = inserted.max(V::load(found.add((machine + 1) * V::LANES)));
                        }
                        leaves.store(inner.add(machine * V::LANES));
                    }
                    found = inner;
                }
            }
            if place == last {
                for machine in 0..m {
                    let before = V::load(found.add(machine * V::LANES));
                    inserted = inserted.max(before).add(V::load(own.add(machine * V::LANES)));
                }
                price = inserted;
            } else {
                each!(place, 0..m, |machine, time| {
                    let before = V::load(heads.add(machine * V::LANES));
                    let found_here = if RUNS { V::load(found.add(machine * V::LANES)) } else { before };
                    inserted = inserted.max(found_here).add(V::load(own.add(machine * V::LANES)));
                    head = head.max(before).add(time);
                    let (mut leaves, mut left) = (inserted, head);
                    if BLOCKING && *blocks.add(machine) && machine + 1 < m {
                        let next = V::load(heads.add((machine + 1) * V::LANES));
                        let found_next =
                            if RUNS { V::load(found.add((machine + 1) * V::LANES)) } else { next };
                        (leaves, left) = (inserted.max(found_next), head.max(next));
                    }
                    price = price.max(leaves.add(V::load(behind.add(machine * V::LANES))));
                    left.store(heads.add(machine * V::LANES));
                });
            }
            price.store(prices.add(place * BLOCK));
            least = if place == 0 { price } else { least.min(price) };
        }
        least.store(tables.least.as_mut_ptr().add(lane));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Compares every price with the plain pricer's.
    fn compare<T: Time>(instance: &Instance<T>, order: &[JobId]) {
        let mut plain = crate::FlowShopPricer::plain(instance);
        plain.load(order);
        for instructions in Instructions::available() {
            let mut moves = MovePricer::with(instance, instructions);
            for first in (0..order.len()).step_by(7) {
                let count = moves.price(order, first);
                assert_eq!(count, BLOCK.min(order.len() - first));
                for lane in 0..count {
                    let least = plain.price_removed(first + lane);
                    assert_eq!(moves.least::<T>(lane), least, "{instructions}");
                    for place in 0..order.len() {
                        assert_eq!(moves.price_at::<T>(lane, place), plain.price_at(place), "{instructions}");
                    }
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn every_move_costs_what_the_plain_pricer_says(
            n in 1usize..80, m in 1usize..25, len in 1usize..80, scale in 1u32..3000, seed in 0u64..1000,
        ) {
            let mut state = seed;
            let mut draw = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as u32
            };
            // Small times are stored in 16 bits, large ones in 32.
            let times: Vec<u32> = (0..n * m).map(|_| draw() % (scale * scale)).collect();
            let mut order: Vec<JobId> = (0..n as JobId).collect();
            order.sort_by_cached_key(|_| draw());
            order.truncate(len);
            compare(&Instance::new("", m, times.clone()).unwrap(), &order);
            let reals = times.iter().map(|&time| f64::from(time) / 7.0).collect();
            compare(&Instance::new("", m, reals).unwrap(), &order);
        }
    }

    #[test]
    fn wrong_calls_are_refused() {
        let instance = Instance::new("", 2, vec![1u32; 8]).unwrap();
        for (order, first) in [(vec![], 0), (vec![0, 1], 2), (vec![0, 4], 0), (vec![0, 1, 2, 3, 0], 0)] {
            let wrong = || MovePricer::new(&instance).price(&order, first);
            assert!(std::panic::catch_unwind(wrong).is_err());
        }
        for (first, length) in [(0, 0), (2, 2), (0, 4)] {
            let wrong = || MovePricer::new(&instance).price_runs(&[0, 1, 2], first, length);
            assert!(std::panic::catch_unwind(wrong).is_err());
        }
    }
}
