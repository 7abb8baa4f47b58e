//! A sequence in rows: for each machine the numbers of all positions side by side, so that registers read neighbours.

use std::fmt::Debug;
use std::ops::{AddAssign, Range};

use super::sequence::Sequence;
use crate::JobId;
use crate::permutation::job_id;
use crate::simd::{InstructionSet, MOST_LANES, Number, WideningRegister};
use crate::timing::{Gap, Line};

/// Columns behind the last position that registers may read: jobs that take no time and cost nothing.
pub(super) const PADDING: usize = 80;

/// How times are stored in registers.
pub(super) trait Tick: Copy + Default + Debug + Number + Send + Sync + 'static {
    type Register<S: InstructionSet>: WideningRegister<Set = S, Item = Self, Spread = u32>;

    /// The number, wrapped around.
    fn wrap(number: u32) -> Self;
    fn widen(self) -> u32;
}

macro_rules! tick {
    ($type:ty, $register:ident) => {
        impl Tick for $type {
            type Register<S: InstructionSet> = S::$register;

            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, reason = "wraps around, as it says")]
            fn wrap(number: u32) -> Self {
                number as $type
            }

            #[inline(always)]
            fn widen(self) -> u32 {
                u32::from(self)
            }
        }
    };
}

tick!(u16, U16);
tick!(u32, U32);

/// How sums of costs are stored: 32 bits where no score is larger.
pub(super) trait Total:
    Copy + Default + AddAssign + PartialOrd + Debug + Send + Sync + 'static
{
    /// Whether it is `u32`.
    const IS_NARROW: bool;

    fn from_wide(number: u64) -> Self;
    fn to_wide(self) -> u64;
    fn product(self, ticks: u32) -> Self;
}

impl Total for u32 {
    const IS_NARROW: bool = true;

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "narrow where all totals are")]
    fn from_wide(number: u64) -> Self {
        number as u32
    }

    #[inline(always)]
    fn to_wide(self) -> u64 {
        u64::from(self)
    }

    #[inline(always)]
    fn product(self, ticks: u32) -> Self {
        self.wrapping_mul(ticks)
    }
}

impl Total for u64 {
    const IS_NARROW: bool = false;

    #[inline(always)]
    fn from_wide(number: u64) -> Self {
        number
    }

    #[inline(always)]
    fn to_wide(self) -> u64 {
        self
    }

    #[inline(always)]
    fn product(self, ticks: u32) -> Self {
        self.wrapping_mul(u64::from(ticks))
    }
}

/// What costs there are, for the whole line.
#[derive(Clone, Copy, Debug)]
pub(super) struct CostKinds {
    /// Every job costs its completion, and nothing else that is a sum.
    pub(super) plain_completion: bool,
    pub(super) completion: bool,
    pub(super) tardiness: bool,
    /// No weight makes a difference of tardiness.
    pub(super) plain_tardiness: bool,
    pub(super) late: bool,
    pub(super) lateness: bool,
}

impl CostKinds {
    pub(super) fn of(line: &Line) -> Self {
        let jobs = || (0..job_id(line.num_jobs())).map(|job| line.job_cost(job));
        let (tardiness, late) = (jobs().any(|cost| cost.tardiness > 0), jobs().any(|cost| cost.late > 0));
        let completion = jobs().any(|cost| cost.completion > 0);
        let plain_completion = jobs().all(|cost| cost.completion == 1) && !tardiness && !late;
        let lateness = line.costs_of_greatest().1 > 0;
        let completion = completion && !plain_completion;
        let plain_tardiness = tardiness && jobs().all(|cost| cost.lateness.is_none() || cost.tardiness == 1);
        Self { plain_completion, completion, tardiness, plain_tardiness, late, lateness }
    }
}

/// The numbers of a sequence, by machine and position, or by position.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows<E, S> {
    pub(super) stride: usize,
    /// How many columns are jobs.
    pub(super) len: usize,
    pub(super) times: Vec<E>,
    /// Set-ups behind the job of the position before; empty where there are none.
    pub(super) setups: Vec<E>,
    /// What is taken from the end of a stretch without waiting to get the end on this machine, as a wrapped negative; empty
    /// where there is none.
    pub(super) shifts: Vec<E>,
    /// When machines are free before the position.
    pub(super) heads: Vec<E>,
    /// Tails by machine; those of the last `k` jobs stand `k` columns before the last column of a job. Empty without tails.
    pub(super) tails: Vec<E>,
    pub(super) releases: Vec<E>,
    /// All ones for jobs, zero behind the last.
    pub(super) exists: Vec<E>,
    /// Due dates; without one later than every end.
    pub(super) dues: Vec<E>,
    /// The same as wrapped negatives.
    pub(super) minus_dues: Vec<E>,
    pub(super) completion: Vec<S>,
    pub(super) tardiness: Vec<S>,
    pub(super) late: Vec<S>,
    pub(super) lateness: Vec<u32>,
    /// All ones for jobs with a due date, else zero.
    pub(super) has_due: Vec<u32>,
}

impl<E: Tick, S: Total> Rows<E, S> {
    /// Rows for `columns` jobs at most.
    pub(super) fn new(line: &Line, columns: usize) -> Self {
        let m = line.num_machines();
        let stride = columns + PADDING;
        let has_stretch = (0..m).any(|machine| line.gap(machine) == Gap::NoWait);
        let if_needed = |is_needed: bool| if is_needed { vec![E::default(); m * stride] } else { Vec::new() };
        Self {
            stride,
            len: 0,
            times: if_needed(true),
            setups: if_needed(line.has_setups()),
            shifts: if_needed(has_stretch),
            heads: if_needed(true),
            tails: Vec::new(),
            releases: vec![E::default(); stride],
            exists: vec![E::default(); stride],
            dues: vec![E::wrap(u32::MAX); stride],
            minus_dues: vec![E::wrap(1); stride],
            completion: vec![S::default(); stride],
            tardiness: vec![S::default(); stride],
            late: vec![S::default(); stride],
            lateness: vec![0; stride],
            has_due: vec![0; stride],
        }
    }

    /// Writes a sequence of which only the jobs in `written` are new in their columns; from there on all heads are.
    pub(super) fn refresh(&mut self, sequence: &Sequence<'_>, written: Range<usize>) {
        let line = sequence.line();
        let (len, m) = (sequence.order.len(), line.num_machines());
        for column in len..self.len {
            self.clear(line, column);
        }
        self.len = len;
        for column in written.clone() {
            let job = sequence.order[column];
            if sequence.tails.is_some() {
                self.write_times(line, column, job);
                self.releases[column] = E::wrap(line.release(job));
            } else {
                self.write(line, column, job);
            }
        }
        if line.has_setups() {
            // The job behind follows another one.
            for column in written.start..len.min(written.end + 1) {
                let before = column.checked_sub(1).map(|before| sequence.order[before]);
                for (machine, &setup) in line.setups(before, sequence.order[column]).iter().enumerate() {
                    self.setups[machine * self.stride + column] = E::wrap(setup);
                }
            }
        }
        for column in written.start..=len {
            let rows = self.heads[column..].iter_mut().step_by(self.stride);
            for (row, &free) in rows.zip(&sequence.state(column)[..m]) {
                *row = E::wrap(free);
            }
        }
    }

    /// Moves all jobs from `column` on one column further.
    pub(super) fn make_room(&mut self, column: usize) {
        self.copy(column..self.len, column + 1);
        self.len += 1;
    }

    /// Moves all jobs behind `column` one column ahead.
    pub(super) fn close_gap(&mut self, column: usize) {
        // Behind the last one stands what is no job.
        self.copy(column + 1..self.len + 1, column);
        self.len -= 1;
    }

    /// Copies columns of everything that belongs to jobs.
    fn copy(&mut self, columns: Range<usize>, to: usize) {
        for rows in [&mut self.times, &mut self.setups, &mut self.shifts] {
            for row in rows.chunks_exact_mut(self.stride) {
                row.copy_within(columns.clone(), to);
            }
        }
        for row in [&mut self.releases, &mut self.exists, &mut self.dues, &mut self.minus_dues] {
            row.copy_within(columns.clone(), to);
        }
        for row in [&mut self.completion, &mut self.tardiness, &mut self.late] {
            row.copy_within(columns.clone(), to);
        }
        for row in [&mut self.lateness, &mut self.has_due] {
            row.copy_within(columns.clone(), to);
        }
    }

    /// Writes the tails that are missing.
    pub(super) fn complete_tails(&mut self, sequence: &mut Sequence<'_>) {
        let Some(tails) = &mut sequence.tails else { return };
        let columns = self.stride - PADDING;
        self.tails.resize(self.times.len(), E::default());
        tails.complete(&sequence.rules, &sequence.order, |count, tails| {
            for (machine, &tail) in tails.iter().enumerate() {
                self.tails[machine * self.stride + columns - count] = E::wrap(tail);
            }
        });
    }

    /// The column of the tails of the last `count` jobs.
    pub(super) fn tail_column(&self, count: usize) -> usize {
        self.stride - PADDING - count
    }

    /// Writes a job's own numbers into all of the first columns.
    pub(super) fn fill(&mut self, line: &Line, job: JobId) {
        let columns = MOST_LANES;
        self.write(line, 0, job);
        self.len = columns;
        for rows in [&mut self.times, &mut self.shifts] {
            for row in rows.chunks_exact_mut(self.stride) {
                let own = row[0];
                row[..columns].fill(own);
            }
        }
        for row in [&mut self.releases, &mut self.exists, &mut self.dues, &mut self.minus_dues] {
            let own = row[0];
            row[..columns].fill(own);
        }
        for row in [&mut self.completion, &mut self.tardiness, &mut self.late] {
            let own = row[0];
            row[..columns].fill(own);
        }
        for row in [&mut self.lateness, &mut self.has_due] {
            let own = row[0];
            row[..columns].fill(own);
        }
    }

    /// Writes a job's own numbers.
    pub(super) fn write(&mut self, line: &Line, column: usize, job: JobId) {
        let m = line.num_machines();
        let times = line.shop().job(job);
        self.write_times(line, column, job);
        if !self.shifts.is_empty() {
            let mut shift = 0u32;
            for machine in (0..m).rev() {
                shift = if line.gap(machine) == Gap::NoWait { shift + times[machine + 1] } else { 0 };
                self.shifts[machine * self.stride + column] = E::wrap(shift.wrapping_neg());
            }
        }
        let cost = line.job_cost(job);
        self.releases[column] = E::wrap(line.release(job));
        self.completion[column] = S::from_wide(cost.completion);
        self.tardiness[column] = S::from_wide(cost.tardiness);
        self.late[column] = S::from_wide(cost.late);
        self.exists[column] = E::wrap(u32::MAX);
        // Wrapped to 16 bits none is still later than all ends, and all others are below the horizon.
        self.dues[column] = E::wrap(cost.due);
        self.minus_dues[column] = E::wrap(cost.due.wrapping_neg());
        self.lateness[column] = cost.lateness.unwrap_or(0);
        self.has_due[column] = if cost.lateness.is_some() { u32::MAX } else { 0 };
    }

    #[inline]
    fn write_times(&mut self, line: &Line, column: usize, job: JobId) {
        let rows = self.times[column..].iter_mut().step_by(self.stride);
        for (row, &time) in rows.zip(line.shop().job(job)) {
            *row = E::wrap(time);
        }
    }

    fn clear(&mut self, line: &Line, column: usize) {
        for row in [&mut self.times, &mut self.setups, &mut self.shifts] {
            for machine in 0..if row.is_empty() { 0 } else { line.num_machines() } {
                row[machine * self.stride + column] = E::default();
            }
        }
        self.releases[column] = E::default();
        self.completion[column] = S::default();
        self.tardiness[column] = S::default();
        self.late[column] = S::default();
        self.exists[column] = E::default();
        (self.dues[column], self.minus_dues[column]) = (E::wrap(u32::MAX), E::wrap(1));
        (self.lateness[column], self.has_due[column]) = (0, 0);
    }
}
