//! All moves of a block of neighbouring jobs at once, for lines whose makespan is a longest path: one lane per job.
//!
//! As `insertion/moves.rs` does it for the plain flow shop: the sequence without one of 32 neighbours differs from that without
//! another only around the block, so a lane of a register works on each. Heads and tails of the shortened sequences are
//! computed from scratch, which leaves nothing to update when a job is moved.

use super::front::FrontRules;
use super::rows::{MOST_LANES, Tick};
use crate::JobId;
use crate::simd::{Aligned, InstructionSet, Instructions, Kernel, LaneRegister, Register};
use crate::timing::{Line, Objective};

/// How many neighbouring jobs are priced at once, on every processor, so that a search does the same everywhere.
pub const MOVES: usize = MOST_LANES;

/// Prices the moves of blocks of jobs.
///
/// # Panics
/// Where a position, a lane or a job does not exist, or a sequence is longer than the line.
#[derive(Clone, Debug)]
pub struct LineMoves {
    instructions: Instructions,
    num_jobs: usize,
    tables: AnyTables,
    count: usize,
    num_places: usize,
}

#[derive(Clone, Debug)]
enum AnyTables {
    U16(Tables<u16>),
    U32(Tables<u32>),
}

/// One expression for whichever tables there are.
macro_rules! on_tables {
    ($tables:expr, $name:ident => $body:expr) => {
        match $tables {
            AnyTables::U16($name) => $body,
            AnyTables::U32($name) => $body,
        }
    };
}

impl LineMoves {
    /// A pricer for a line, where the makespan alone counts and is a longest path, and all jobs are there from the beginning.
    pub fn new(line: &Line) -> Option<Self> {
        Self::with(line, Instructions::detect())
    }

    /// A pricer that uses no wider instructions than these.
    pub fn with(line: &Line, instructions: Instructions) -> Option<Self> {
        let rules = FrontRules::new(line);
        let is_makespan = line.objectives().eq([Objective::Makespan]);
        let has_releases = (0..line.num_jobs() as JobId).any(|job| line.release(job) > 0);
        if !is_makespan || !rules.has_paths() || has_releases {
            return None;
        }
        let tables = if line.horizon() < u32::from(u16::MAX) {
            AnyTables::U16(Tables::new(&rules))
        } else {
            AnyTables::U32(Tables::new(&rules))
        };
        Some(Self { instructions, num_jobs: line.num_jobs(), tables, count: 0, num_places: 0 })
    }

    /// Prices taking out each of the jobs at `first` and the 31 positions behind it, as far as there are any, and putting it
    /// back at each place of the shortened sequence. Returns how many jobs were priced.
    pub fn price(&mut self, order: &[JobId], first: usize) -> usize {
        assert!(first < order.len() && order.len() <= self.num_jobs, "no such position");
        assert!(order.iter().all(|&job| (job as usize) < self.num_jobs), "no such job");
        self.num_places = order.len();
        self.count = MOVES.min(order.len() - first);
        let (instructions, count) = (self.instructions, self.count);
        on_tables!(&mut self.tables, tables => instructions.run(Price { tables, order, first, count }));
        self.count
    }

    /// The least makespan of all places of the job in `lane`: the one at `first + lane`.
    pub fn least(&self, lane: usize) -> u32 {
        assert!(lane < self.count, "no such lane");
        on_tables!(&self.tables, tables => tables.least[lane].widen())
    }

    /// The makespan with the job in `lane` at `place` of the shortened sequence.
    pub fn price_at(&self, lane: usize, place: usize) -> u32 {
        assert!(lane < self.count && place < self.num_places, "no such place");
        on_tables!(&self.tables, tables => tables.prices[place * MOVES + lane].widen())
    }
}

/// Times, and the memory of a pricing.
#[derive(Clone, Debug)]
struct Tables<E> {
    num_machines: usize,
    /// Job by job.
    times: Vec<E>,
    available: Vec<E>,
    /// Whether a job stays on the machine until the next is free.
    blocks: Vec<bool>,
    /// As many ones as a block has lanes, then as many zeros: a register read from the middle on has ones in its first lanes.
    mask: Vec<E>,
    own: Aligned<E>,
    heads: Aligned<E>,
    tails: Aligned<E>,
    prices: Aligned<E>,
    least: Aligned<E>,
}

impl<E: Tick> Tables<E> {
    fn new(rules: &FrontRules<'_>) -> Self {
        let line = rules.line();
        let mut mask = vec![E::wrap(u32::MAX); MOVES];
        mask.resize(2 * MOVES, E::default());
        Self {
            num_machines: line.num_machines(),
            times: line.shop().times().iter().map(|&time| E::wrap(time)).collect(),
            available: (0..line.num_machines())
                .map(|machine| E::wrap(line.available_from(machine)))
                .collect(),
            blocks: rules.blocks().iter().map(|&block| block > 0).collect(),
            mask,
            own: Aligned::default(),
            heads: Aligned::default(),
            tails: Aligned::default(),
            prices: Aligned::default(),
            least: Aligned::default(),
        }
    }
}

/// Prices `count` jobs from `first` on.
struct Price<'a, E> {
    tables: &'a mut Tables<E>,
    order: &'a [JobId],
    first: usize,
    count: usize,
}

impl<E: Tick> Kernel for Price<'_, E> {
    type Output = ();

    #[inline(always)]
    fn run<S: InstructionSet>(self, _: S) {
        let Self { tables, order, first, count } = self;
        let (m, lanes) = (tables.num_machines, <E::Register<S> as Register>::LANES);
        tables.own.set_len(m * lanes);
        tables.heads.set_len(m * lanes);
        tables.tails.set_len((order.len() + 1) * m * lanes);
        tables.prices.set_len(order.len() * MOVES);
        tables.least.set_len(MOVES);
        for lane in (0..count).step_by(lanes) {
            let jobs = &order[first + lane..(first + lane + lanes).min(order.len())];
            for (machine, own) in tables.own.chunks_exact_mut(lanes).enumerate() {
                for (own, &job) in own.iter_mut().zip(jobs) {
                    *own = tables.times[job as usize * m + machine];
                }
            }
            // SAFETY: a value of `S` exists. All jobs of the order exist, `first + lane` is a position, and the tables
            // were just made as long as `registers` asks for.
            unsafe { registers::<E, E::Register<S>>(tables, order, first + lane, lane) }
        }
    }
}

/// One register of jobs, those at `first` and behind, whose prices are written from `lane` on.
///
/// # Safety
/// A value of `V::Set` exists; jobs are below their number; `first` is a position and `lane + LANES <= MOVES`; `own` holds the
/// times of the jobs; `heads` has room for one row of registers, `tails` for one more than the order has jobs, `prices`
/// for a block per job, and `least` for a block.
#[inline(always)]
unsafe fn registers<E: Tick, V: LaneRegister<Item = E, Spread = u32>>(
    tables: &mut Tables<E>,
    order: &[JobId],
    first: usize,
    lane: usize,
) {
    let m = tables.num_machines;
    let last = order.len() - 1;
    let (own, heads, tails) = (tables.own.as_ptr(), tables.heads.as_mut_ptr(), tables.tails.as_mut_ptr());
    let (times, mask, blocks) = (tables.times.as_ptr(), tables.mask.as_ptr(), tables.blocks.as_ptr());
    // SAFETY: see above; positions are at most `last`, machines below `m`.
    unsafe {
        let row = |position: usize| times.add(*order.get_unchecked(position) as usize * m);
        // Behind the job that is missing, all move up by one. Lane `l` lacks the job at `first + l`.
        let missing = |position: usize| (position + 1).saturating_sub(first).min(V::LANES);
        // The time of the job at a position of the shortened sequences.
        let time = |position: usize, machine: usize| {
            let missing = missing(position);
            if missing == 0 || missing == V::LANES {
                V::splat((*row(position + usize::from(missing > 0)).add(machine)).spread())
            } else {
                let moved = V::load(mask.add(MOVES - missing));
                V::splat((*row(position + 1).add(machine)).spread())
                    .select(V::splat((*row(position).add(machine)).spread()), moved)
            }
        };
        for machine in 0..m {
            V::zero().store(tails.add((last * m + machine) * V::LANES));
            V::splat(tables.available[machine].spread()).store(heads.add(machine * V::LANES));
        }
        for position in (0..last).rev() {
            let (behind, here) =
                (tails.add((position + 1) * m * V::LANES), tails.add(position * m * V::LANES));
            let mut path = V::zero();
            let mut tail = V::load(behind.add((m - 1) * V::LANES));
            for machine in (0..m).rev() {
                path = path.max(tail).add(time(position, machine));
                let mut longest = path;
                if machine > 0 {
                    tail = V::load(behind.add((machine - 1) * V::LANES));
                    if *blocks.add(machine - 1) {
                        longest = path.max(tail);
                    }
                }
                longest.store(here.add(machine * V::LANES));
            }
        }
        let prices = tables.prices.as_mut_ptr().add(lane);
        let mut least = V::zero();
        for place in 0..=last {
            let behind = tails.add(place * m * V::LANES);
            let (mut price, mut inserted, mut end) = (V::zero(), V::zero(), V::zero());
            let mut free = V::load(heads);
            for machine in 0..m {
                inserted = inserted.max(free).add(V::load(own.add(machine * V::LANES)));
                if place < last {
                    end = end.max(free).add(time(place, machine));
                }
                let (mut leaves, mut left) = (inserted, end);
                if machine + 1 < m {
                    free = V::load(heads.add((machine + 1) * V::LANES));
                    if *blocks.add(machine) {
                        (leaves, left) = (inserted.max(free), end.max(free));
                    }
                }
                price = price.max(leaves.add(V::load(behind.add(machine * V::LANES))));
                left.store(heads.add(machine * V::LANES));
            }
            price.store(prices.add(place * MOVES));
            least = if place == 0 { price } else { least.min(price) };
        }
        least.store(tables.least.as_mut_ptr().add(lane));
    }
}
