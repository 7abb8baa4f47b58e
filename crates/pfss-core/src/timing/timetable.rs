//! The schedule of an order with all attributes: the oracle, written for reading.
//!
//! For each job in turn, machine by machine:
//!
//! * It starts when it is released (first machine) or completed on the machine before, its machine is free and set up, and no
//!   break is on; never later, except where it must go on without waiting: then it starts on the first machine of such a
//!   stretch so late that it meets every further one ready.
//! * A machine is free when the job before has left it; at first, when it becomes available. A set-up begins at that moment,
//!   wherever the job is, and takes no notice of breaks. Jobs without a family need none and cause none.
//! * An operation that takes no time meets no break.
//! * A job leaves a machine when it is completed there, but with a buffer of `b` places behind the machine not before the
//!   job `b` positions ahead has started on the next machine, so that at most `b` jobs stand between the two, and without any place (`b = 0`) not before the next
//!   machine is free. It then stands there even if that machine is still set up or in a break.

use super::{Gap, Line, Score};
use crate::{JobId, MachineId, PermutationError};

/// One job on one machine, with what surrounds it, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedOperation {
    /// The job.
    pub job: JobId,
    /// The job's place in the order.
    pub position: usize,
    /// The machine.
    pub machine: MachineId,
    /// When the set-up begins: when the machine is free.
    pub setup_start: u32,
    /// When the set-up ends; equal to its beginning where there is none.
    pub setup_end: u32,
    /// When it starts.
    pub start: u32,
    /// When it is completed. Breaks in between are not worked in.
    pub end: u32,
    /// When the job leaves the machine.
    pub departure: u32,
}

/// The schedule of an order.
#[derive(Clone, Debug)]
pub struct Timetable {
    order: Vec<JobId>,
    num_machines: usize,
    operations: Vec<TimedOperation>,
    score: Score,
}

impl Timetable {
    /// The schedule of `order` (all jobs, or a part of them). Fixed jobs and precedence are not looked at;
    /// [`check`](super::check) does that.
    ///
    /// # Errors
    /// [`PermutationError`] when a job does not exist or stands twice.
    pub fn new(line: &Line, order: &[JobId]) -> Result<Self, PermutationError> {
        crate::schedule::check_part(order, line.num_jobs())?;
        Ok(Self::of(line, order))
    }

    /// The schedule of jobs that exist, each at most once.
    pub(crate) fn of(line: &Line, order: &[JobId]) -> Self {
        let mut table = Self {
            order: order.to_vec(),
            num_machines: line.num_machines(),
            operations: Vec::with_capacity(order.len() * line.num_machines()),
            score: Score(0),
        };
        for position in 0..order.len() {
            table.append(line, position);
        }
        table.score = table.judge(line);
        table
    }

    /// Times the job at `position` on all machines.
    fn append(&mut self, line: &Line, position: usize) {
        let job = self.order[position];
        let before = position.checked_sub(1).map(|before| self.order[before]);
        let setups = line.setups(before, job);
        let free = |machine: MachineId| match position.checked_sub(1) {
            Some(before) => self.operation(before, machine).departure,
            None => line.available_from(machine),
        };
        let set_up = |machine: MachineId| free(machine) + setups.get(machine).copied().unwrap_or(0);

        let mut row: Vec<TimedOperation> = Vec::with_capacity(self.num_machines);
        for machine in 0..self.num_machines {
            let (start, end) = match row.last() {
                Some(previous) if line.gap(machine - 1) == Gap::NoWait => {
                    (previous.end, previous.end + line.shop().time(job, machine))
                }
                previous => {
                    let arrival = previous.map_or(line.release(job), |previous| previous.end);
                    let ready = stretch_start(line, job, machine, set_up);
                    work(line, machine, arrival.max(ready), line.shop().time(job, machine))
                }
            };
            let departure = match line.gap(machine) {
                Gap::Unlimited | Gap::NoWait => end,
                Gap::Buffer(0) => end.max(free(machine + 1)),
                Gap::Buffer(places) => match position.checked_sub(places) {
                    Some(ahead) => end.max(self.operation(ahead, machine + 1).start),
                    None => end,
                },
            };
            let (setup_start, setup_end) = (free(machine), set_up(machine));
            row.push(TimedOperation {
                job,
                position,
                machine,
                setup_start,
                setup_end,
                start,
                end,
                departure,
            });
        }
        self.operations.append(&mut row);
    }

    fn judge(&self, line: &Line) -> Score {
        let (makespan, max_lateness) = line.costs_of_greatest();
        let costs = self.order.iter().zip(self.completions()).map(|(&job, end)| line.job_cost(job).at(end));
        let lateness = |(&job, end)| line.job_cost(job).lateness.map(|shifted| shifted + end);
        let latest = self.order.iter().zip(self.completions()).filter_map(lateness).max().unwrap_or(0);
        Score(costs.sum::<u64>() + makespan * u64::from(self.makespan()) + max_lateness * u64::from(latest))
    }

    /// The jobs in order.
    pub fn order(&self) -> &[JobId] {
        &self.order
    }

    /// The number of machines.
    pub fn num_machines(&self) -> usize {
        self.num_machines
    }

    /// The operation of the job at `position` on `machine`.
    ///
    /// # Panics
    /// Where there is no such position or machine.
    pub fn operation(&self, position: usize, machine: MachineId) -> &TimedOperation {
        &self.operations[position * self.num_machines..][..self.num_machines][machine]
    }

    /// All operations, position by position, machine by machine.
    pub fn operations(&self) -> &[TimedOperation] {
        &self.operations
    }

    /// The breaks in which an operation rests.
    pub fn interruptions<'l>(
        &self,
        line: &'l Line,
        operation: &TimedOperation,
    ) -> impl Iterator<Item = (u32, u32)> + 'l {
        let (start, end) = (operation.start, operation.end);
        line.breaks(operation.machine).iter().copied().filter(move |&(from, to)| start < from && to < end)
    }

    /// When each job is completed on the last machine, in order.
    pub fn completions(&self) -> impl Iterator<Item = u32> + '_ {
        self.operations.chunks_exact(self.num_machines).map(|row| row[self.num_machines - 1].end)
    }

    /// How late the job at `position` is; negative where it is early, none without a due date.
    ///
    /// # Panics
    /// Where there is no such position.
    pub fn lateness(&self, line: &Line, position: usize) -> Option<i64> {
        let end = self.operation(position, self.num_machines - 1).end;
        line.due(self.order[position]).map(|due| i64::from(end) - due)
    }

    /// The length of the schedule.
    pub fn makespan(&self) -> u32 {
        self.operations.last().map_or(0, |operation| operation.end)
    }

    /// The score of the order. For a part of the jobs it is that of a line without the others.
    pub fn score(&self) -> Score {
        self.score
    }
}

/// The earliest start on `machine` for which all machines that follow without waiting are ready when the job comes.
fn stretch_start(line: &Line, job: JobId, machine: MachineId, set_up: impl Fn(MachineId) -> u32) -> u32 {
    let mut start = set_up(machine);
    let (mut last, mut way) = (machine, 0);
    while line.gap(last) == Gap::NoWait {
        way += line.shop().time(job, last);
        last += 1;
        start = start.max(set_up(last).saturating_sub(way));
    }
    start
}

/// Start and end of an operation that takes `time` on `machine` and may start at `earliest`.
fn work(line: &Line, machine: MachineId, earliest: u32, time: u32) -> (u32, u32) {
    let mut start = earliest;
    if time == 0 {
        return (start, start);
    }
    // Only those that are not over by then, the earliest first: there may be thousands.
    let breaks = line.breaks(machine);
    let breaks = &breaks[breaks.partition_point(|&(_, to)| to <= earliest)..];
    for &(from, to) in breaks {
        let meets = if line.resumes(machine) { start >= from } else { start + time > from };
        if !meets {
            break;
        }
        start = to;
    }
    let mut end = start + time;
    for &(from, to) in breaks {
        if from >= end {
            break;
        }
        if start < from {
            end += to - from;
        }
    }
    (start, end)
}
