//! Many changes of a sequence at once: a lane of a register each.
//!
//! Lane `l` simulates the sequence that is changed at position `start + l`. What a lane does in a step is what its neighbour
//! does one position further on, so that all numbers of a step lie side by side in [`Rows`]: no lane needs another one, and
//! nothing is gathered. Lanes that are done go on with jobs that take no time.

use std::ops::Range;

use super::rows::{CostKinds, Rows, Tick, Total};
use crate::simd::{InstructionSet, Kernel, LaneRegister, MOST_LANES, Register, WideningRegister};
use crate::timing::Gap;

/// Jobs that follow each other: columns of rows, from the first lane's on.
#[derive(Clone, Debug)]
pub(super) struct View<'a, E, S> {
    pub(super) rows: &'a Rows<E, S>,
    pub(super) columns: Range<usize>,
    /// By machine and lane: the set-ups before the first of them; empty where there are none.
    pub(super) joint: &'a [E],
}

/// What comes out of a block, by lane.
#[derive(Clone, Debug)]
pub(super) struct Results {
    pub(super) costs: [u64; MOST_LANES],
    pub(super) makespans: [u32; MOST_LANES],
    pub(super) latenesses: [u32; MOST_LANES],
}

impl Results {
    pub(super) const ZERO: Self =
        Self { costs: [0; MOST_LANES], makespans: [0; MOST_LANES], latenesses: [0; MOST_LANES] };
}

/// Simulates a register of changes: lanes start with the states of `rows` from `start` on and pass the jobs of all views.
pub(super) struct Block<'a, E, S> {
    pub(super) gaps: &'a [Gap],
    pub(super) kinds: CostKinds,
    pub(super) is_open: bool,
    pub(super) rows: &'a Rows<E, S>,
    pub(super) start: usize,
    pub(super) views: &'a [View<'a, E, S>],
    /// The column of the tails of what follows the views in the first lane; none where the views are all.
    pub(super) tail: Option<usize>,
    /// When to give up, in blocks whose last view is the rest of the sequence behind a job that is put in.
    pub(super) stop: Option<Stop<'a>>,
    /// Room for a register per machine.
    pub(super) heads: &'a mut [E],
    pub(super) results: &'a mut Results,
}

/// A job that is put in makes no other one earlier, so what the jobs behind cost without it bounds what they cost with it.
#[derive(Clone, Debug)]
pub(super) struct Stop<'a> {
    /// Sums from here on are of no use.
    pub(super) limit: u64,
    /// By number of jobs: what they cost without the job that is put in, and behind the last one the total.
    pub(super) costs: &'a [u64],
    pub(super) total: u64,
    /// The greatest end and lateness without the job.
    pub(super) makespan: u32,
    pub(super) lateness: u32,
}

/// So many jobs are passed between two looks at the limit.
const JOBS_PER_LOOK: usize = 8;

impl Stop<'_> {
    /// Whether all lanes have reached the limit that have passed all jobs before `column`; then these are the results.
    #[inline(always)]
    fn is_reached<S: Total>(
        &self,
        lanes: usize,
        start: usize,
        column: usize,
        sums: &Sums<S>,
        results: &mut Results,
    ) -> bool {
        let (before, passed) = (&self.costs[start..start + lanes], &self.costs[column..column + lanes]);
        let mut is_reached = true;
        for lane in 0..lanes {
            results.costs[lane] = sums.costs[lane].to_wide() + (self.total - passed[lane]);
            is_reached &= before[lane] + results.costs[lane] >= self.limit;
        }
        if is_reached {
            results.makespans = [self.makespan; MOST_LANES];
            results.latenesses = [self.lateness; MOST_LANES];
        }
        is_reached
    }
}

/// Sums of a block on their way.
struct Sums<S> {
    costs: [S; MOST_LANES],
    latenesses: [u32; MOST_LANES],
}

impl<E: Tick, S: Total> Kernel for Block<'_, E, S> {
    type Output = ();

    #[inline(always)]
    fn run<I: InstructionSet>(self, _: I) {
        let (m, lanes) = (self.gaps.len(), <E::Register<I> as Register>::LANES);
        assert!(self.heads.len() >= m * lanes && self.start + lanes <= self.rows.stride, "no room for lanes");
        let has_tails = self
            .tail
            .is_none_or(|column| column + lanes + (m - 1) * self.rows.stride <= self.rows.tails.len());
        assert!(has_tails, "no room for lanes");
        let has_costs = self.stop.as_ref().is_none_or(|stop| self.start + lanes <= stop.costs.len());
        assert!(has_costs, "no room for lanes");
        for view in self.views {
            let is_short = !view.joint.is_empty() && view.joint.len() < m * lanes;
            assert!(view.columns.end + lanes <= view.rows.stride && !is_short, "no room for lanes");
        }
        // SAFETY: a value of `I` exists, and there is room for all lanes wherever the block reads and writes.
        unsafe { simulate::<E, S, E::Register<I>>(self) }
    }
}

/// # Safety
/// A value of `V::Set` exists. `heads` has room for a register per machine; rows have `V::LANES` columns behind `start` and
/// behind the last column of each view; joints are empty or have a register per machine.
#[inline(always)]
unsafe fn simulate<E: Tick, S: Total, V: WideningRegister<Item = E>>(block: Block<'_, E, S>) {
    let Block { gaps, kinds, is_open, rows, start, views, tail, stop, heads, results } = block;
    let (m, heads) = (gaps.len(), heads.as_mut_ptr());
    let is_blocked = m > 1 && gaps[..m - 1].iter().all(|&gap| gap == Gap::Buffer(0));
    let mut sums = Sums { costs: [S::default(); MOST_LANES], latenesses: [0; MOST_LANES] };
    // SAFETY: see above; machines are below `m`, columns inside of their views.
    unsafe {
        for machine in 0..m {
            V::load(rows.heads.as_ptr().add(machine * rows.stride + start))
                .store(heads.add(machine * V::LANES));
        }
        for (index, view) in views.iter().enumerate() {
            let mut column = view.columns.start;
            let stop = stop.as_ref().filter(|_| index + 1 == views.len());
            let mut look = column + JOBS_PER_LOOK;
            macro_rules! stop_or_go_on {
                () => {
                    if let Some(stop) = stop
                        && column >= look
                    {
                        if stop.is_reached(V::LANES, start, column, &sums, results) {
                            return;
                        }
                        look = column + JOBS_PER_LOOK;
                    }
                };
            }
            if !view.joint.is_empty() && column < view.columns.end {
                let end = any_step::<E, S, V>(gaps, heads, view.rows, column, view.joint.as_ptr(), V::LANES);
                tell::<E, S, V>(&mut sums, kinds, view.rows, column, end);
                column += 1;
            }
            if is_open && view.joint.is_empty() {
                while column + 4 <= view.columns.end {
                    let ends = four_steps::<E, S, V>(m, heads, view.rows, column);
                    for (step, end) in ends.into_iter().enumerate() {
                        tell::<E, S, V>(&mut sums, kinds, view.rows, column + step, end);
                    }
                    column += 4;
                    stop_or_go_on!();
                }
            }
            if is_blocked && view.joint.is_empty() {
                while column + 2 <= view.columns.end {
                    let ends = two_blocked_steps::<E, S, V>(m, heads, view.rows, column);
                    for (step, end) in ends.into_iter().enumerate() {
                        tell::<E, S, V>(&mut sums, kinds, view.rows, column + step, end);
                    }
                    column += 2;
                    stop_or_go_on!();
                }
            }
            while column < view.columns.end {
                let setups = if view.joint.is_empty() {
                    std::ptr::null()
                } else {
                    view.rows.setups.as_ptr().add(column)
                };
                let end = any_step::<E, S, V>(gaps, heads, view.rows, column, setups, view.rows.stride);
                tell::<E, S, V>(&mut sums, kinds, view.rows, column, end);
                column += 1;
                stop_or_go_on!();
            }
        }
        if let Some(column) = tail {
            let mut makespan = V::zero();
            for machine in 0..m {
                let tail = V::load(rows.tails.as_ptr().add(machine * rows.stride + column));
                makespan = makespan.max(V::load(heads.add(machine * V::LANES)).add(tail));
            }
            makespan.store(heads.add((m - 1) * V::LANES));
        }
        for lane in 0..V::LANES {
            results.costs[lane] = sums.costs[lane].to_wide();
            results.makespans[lane] = (*heads.add((m - 1) * V::LANES + lane)).widen();
            results.latenesses[lane] = sums.latenesses[lane];
        }
    }
}

/// Four jobs where only jobs and machines wait for each other and there are no set-ups: states stay in registers in between.
///
/// # Safety
/// As for [`simulate`].
#[inline(always)]
unsafe fn four_steps<E: Tick, S, V: LaneRegister<Item = E>>(
    m: usize,
    heads: *mut E,
    rows: &Rows<E, S>,
    column: usize,
) -> [V; 4] {
    // SAFETY: see above.
    unsafe {
        let releases = rows.releases.as_ptr().add(column);
        let [mut a, mut b, mut c, mut d] =
            [V::load(releases), V::load(releases.add(1)), V::load(releases.add(2)), V::load(releases.add(3))];
        let (mut times, mut head) = (rows.times.as_ptr().add(column), heads);
        for _ in 0..m {
            a = a.max(V::load(head)).add(V::load(times));
            b = b.max(a).add(V::load(times.add(1)));
            c = c.max(b).add(V::load(times.add(2)));
            d = d.max(c).add(V::load(times.add(3)));
            d.store(head);
            (times, head) = (times.wrapping_add(rows.stride), head.wrapping_add(V::LANES));
        }
        [a, b, c, d]
    }
}

/// One job, whatever lies between machines.
///
/// # Safety
/// As for [`simulate`]; `setups` is null or points to a register per machine, `setup_stride` apart.
#[inline(always)]
pub(super) unsafe fn any_step<E: Tick, S, V: LaneRegister<Item = E>>(
    gaps: &[Gap],
    heads: *mut E,
    rows: &Rows<E, S>,
    column: usize,
    setups: *const E,
    setup_stride: usize,
) -> V {
    // SAFETY: see above.
    unsafe {
        let times = rows.times.as_ptr().add(column);
        let mut end = V::load(rows.releases.as_ptr().add(column));
        let mut first = 0;
        for (machine, &gap) in gaps.iter().enumerate() {
            let head = heads.add(machine * V::LANES);
            let mut ready = V::load(head);
            if !setups.is_null() {
                ready = ready.add(V::load(setups.add(machine * setup_stride)));
            }
            end = end.max(ready).add(V::load(times.add(machine * rows.stride)));
            match gap {
                // The end of the stretch decides when it begins.
                Gap::NoWait => continue,
                Gap::Unlimited => end.store(head),
                Gap::Buffer(_) => end.max(V::load(head.add(V::LANES))).store(head),
            }
            for before in first..machine {
                let shift = V::load(rows.shifts.as_ptr().add(before * rows.stride + column));
                end.add(shift).store(heads.add(before * V::LANES));
            }
            first = machine + 1;
        }
        end
    }
}

/// Two jobs where every job stays on its machine until the next one is free, without set-ups. The second is one machine behind
/// the first, because it waits for the first to leave the machine ahead.
///
/// # Safety
/// As for [`simulate`].
#[inline(always)]
unsafe fn two_blocked_steps<E: Tick, S, V: LaneRegister<Item = E>>(
    m: usize,
    heads: *mut E,
    rows: &Rows<E, S>,
    column: usize,
) -> [V; 2] {
    // SAFETY: see above.
    unsafe {
        let (releases, times) = (rows.releases.as_ptr().add(column), rows.times.as_ptr().add(column));
        let (mut a, mut b) = (V::load(releases), V::load(releases.add(1)));
        let mut ahead = V::load(heads);
        let mut left = V::zero();
        for machine in 0..m {
            a = a.max(ahead).add(V::load(times.add(machine * rows.stride)));
            let leaves = if machine + 1 < m {
                ahead = V::load(heads.add((machine + 1) * V::LANES));
                a.max(ahead)
            } else {
                a
            };
            if machine > 0 {
                b = b.max(left).add(V::load(times.add((machine - 1) * rows.stride + 1)));
                b.max(leaves).store(heads.add((machine - 1) * V::LANES));
            }
            left = leaves;
        }
        b = b.max(left).add(V::load(times.add((m - 1) * rows.stride + 1)));
        b.store(heads.add((m - 1) * V::LANES));
        [a, b]
    }
}

/// Adds what jobs cost that end at `end`.
///
/// # Safety
/// As for [`simulate`].
#[inline(always)]
unsafe fn tell<E: Tick, S: Total, V: WideningRegister<Item = E>>(
    sums: &mut Sums<S>,
    kinds: CostKinds,
    rows: &Rows<E, S>,
    column: usize,
    end: V,
) {
    if S::IS_NARROW {
        // SAFETY: sums are 32 bits wide, and rows have a register's columns behind every column.
        unsafe {
            let costs = sums.costs.as_mut_ptr().cast::<u32>();
            if kinds.plain_completion {
                let exists = V::load(rows.exists.as_ptr().add(column));
                end.select(V::zero(), exists).add_to(costs);
            }
            if kinds.completion {
                end.add_product_to(rows.completion.as_ptr().add(column).cast(), costs);
            }
            if kinds.tardiness {
                let due = V::load(rows.dues.as_ptr().add(column));
                let excess = end.max(due).add(V::load(rows.minus_dues.as_ptr().add(column)));
                if kinds.plain_tardiness {
                    excess.add_to(costs);
                } else {
                    excess.add_product_to(rows.tardiness.as_ptr().add(column).cast(), costs);
                }
            }
        }
        if !kinds.late && !kinds.lateness {
            return;
        }
    }
    // SAFETY: as above.
    unsafe { tell_rest(sums, kinds, rows, column, end) }
}

/// What is not added up in registers.
///
/// # Safety
/// As for [`simulate`].
#[inline(always)]
unsafe fn tell_rest<E: Tick, S: Total, V: LaneRegister<Item = E>>(
    sums: &mut Sums<S>,
    kinds: CostKinds,
    rows: &Rows<E, S>,
    column: usize,
    end: V,
) {
    let mut ends = [E::default(); MOST_LANES];
    // SAFETY: no register has more lanes.
    unsafe { end.store(ends.as_mut_ptr()) };
    let (lanes, columns) = (0..V::LANES, column..column + V::LANES);
    let dues = &rows.dues[columns.clone()];
    if !S::IS_NARROW {
        // Behind the last job nothing costs anything, whether weights count or not.
        if kinds.completion || kinds.plain_completion {
            let costs = &rows.completion[columns.clone()];
            for lane in lanes.clone() {
                sums.costs[lane] += costs[lane].product(ends[lane].widen());
            }
        }
        if kinds.tardiness {
            let costs = &rows.tardiness[columns.clone()];
            for lane in lanes.clone() {
                sums.costs[lane] +=
                    costs[lane].product(ends[lane].widen().saturating_sub(dues[lane].widen()));
            }
        }
    }
    if kinds.late {
        let costs = &rows.late[columns.clone()];
        for lane in lanes.clone() {
            sums.costs[lane] += costs[lane].product(u32::from(ends[lane].widen() > dues[lane].widen()));
        }
    }
    if kinds.lateness {
        let (shifts, has_due) = (&rows.lateness[columns.clone()], &rows.has_due[columns]);
        for lane in lanes {
            let lateness = ends[lane].widen().wrapping_add(shifts[lane]) & has_due[lane];
            sums.latenesses[lane] = sums.latenesses[lane].max(lateness);
        }
    }
}
