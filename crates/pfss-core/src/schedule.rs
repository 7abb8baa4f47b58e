//! Start and end of every operation, the critical path, and the checker of reported results.

use thiserror::Error;

use crate::{Instance, JobId, MachineId, Permutation, PermutationError, PermutationProblem, Time, makespan};

/// One job on one machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Operation<T> {
    /// The job.
    pub job: JobId,
    /// The job's place in the order.
    pub position: usize,
    /// The machine.
    pub machine: MachineId,
    /// When it starts.
    pub start: T,
    /// When it ends.
    pub end: T,
}

/// The earliest schedule of an order: every operation starts as soon as its job and its machine are free.
#[derive(Clone, Debug)]
pub struct Schedule<T> {
    order: Vec<JobId>,
    num_machines: usize,
    starts: Vec<T>,
    ends: Vec<T>,
}

impl<T: Time> Schedule<T> {
    /// The earliest schedule of `order` (all jobs, or a part of them).
    ///
    /// # Errors
    /// [`PermutationError`] when a job does not exist or stands twice.
    pub fn new(instance: &Instance<T>, order: &[JobId]) -> Result<Self, PermutationError> {
        check_part(order, instance.num_jobs())?;
        let num_machines = instance.num_machines();
        let mut starts = Vec::with_capacity(order.len() * num_machines);
        let mut ends: Vec<T> = Vec::with_capacity(order.len() * num_machines);
        for (position, &job) in order.iter().enumerate() {
            let mut job_free = T::ZERO;
            for (machine, &time) in instance.job(job).iter().enumerate() {
                let machine_free =
                    if position > 0 { ends[(position - 1) * num_machines + machine] } else { T::ZERO };
                let start = job_free.maximum(machine_free);
                job_free = start + time;
                starts.push(start);
                ends.push(job_free);
            }
        }
        Ok(Self { order: order.to_vec(), num_machines, starts, ends })
    }

    /// The jobs in order.
    pub fn order(&self) -> &[JobId] {
        &self.order
    }

    /// The number of machines.
    pub fn num_machines(&self) -> usize {
        self.num_machines
    }

    /// The length of the schedule.
    pub fn makespan(&self) -> T {
        self.ends.last().copied().unwrap_or(T::ZERO)
    }

    /// The operation of the job at `position` on `machine`.
    ///
    /// # Panics
    /// Where there is no such position or machine.
    pub fn operation(&self, position: usize, machine: MachineId) -> Operation<T> {
        let job = self.order[position];
        let row = position * self.num_machines..(position + 1) * self.num_machines;
        let (start, end) = (self.starts[row.clone()][machine], self.ends[row][machine]);
        Operation { job, position, machine, start, end }
    }

    /// All operations, position by position, machine by machine.
    pub fn operations(&self) -> impl Iterator<Item = Operation<T>> + '_ {
        (0..self.order.len())
            .flat_map(move |position| (0..self.num_machines).map(move |i| self.operation(position, i)))
    }

    /// How long `machine` stands still between the start of its first and the end of its last operation.
    ///
    /// # Panics
    /// Where there is no such machine.
    pub fn idle_time(&self, machine: MachineId) -> T {
        let mut idle = T::ZERO;
        for position in 1..self.order.len() {
            let previous = self.operation(position - 1, machine);
            idle += self.operation(position, machine).start - previous.end;
        }
        idle
    }

    /// One chain of operations without a gap, from time zero to the makespan: shortening none of them
    /// leaves the makespan as it is. Where both predecessors are critical, the chain stays with the job.
    pub fn critical_path(&self) -> Vec<Operation<T>> {
        let mut path = Vec::new();
        if self.order.is_empty() {
            return path;
        }
        let (mut position, mut machine) = (self.order.len() - 1, self.num_machines - 1);
        loop {
            let here = self.operation(position, machine);
            path.push(here);
            // An earliest schedule starts an operation exactly when one of its two predecessors ends.
            if machine > 0 && self.operation(position, machine - 1).end == here.start {
                machine -= 1;
            } else if position > 0 && self.operation(position - 1, machine).end == here.start {
                position -= 1;
            } else {
                break;
            }
        }
        path.reverse();
        path
    }
}

/// Checks that `order` holds some of `num_jobs` jobs, each at most once.
pub(crate) fn check_part(order: &[JobId], num_jobs: usize) -> Result<(), PermutationError> {
    const UNSEEN: usize = usize::MAX;
    let mut seen_at = vec![UNSEEN; num_jobs];
    for (position, &job) in order.iter().enumerate() {
        let Some(seen) = seen_at.get_mut(job as usize) else {
            let last = (num_jobs as u64).saturating_sub(1);
            return Err(PermutationError::OutOfRange { position, job: u64::from(job), last });
        };
        if *seen != UNSEEN {
            return Err(PermutationError::Duplicate { job: u64::from(job), first: *seen, second: position });
        }
        *seen = position;
    }
    Ok(())
}

/// Why a reported result is wrong.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum CheckError {
    /// The order is not an order of all jobs.
    #[error(transparent)]
    Order(#[from] PermutationError),
    /// The makespan is not the one that was claimed.
    #[error("the order has makespan {actual}, not {claimed}")]
    Makespan {
        /// The recomputed makespan.
        actual: String,
        /// The claimed one.
        claimed: String,
    },
    /// The cost of an order of another problem is not the one that was claimed.
    #[error("the order costs {actual}, not {claimed}")]
    Cost {
        /// The recomputed cost.
        actual: String,
        /// The claimed one.
        claimed: String,
    },
}

/// Checks a result by the plain recurrence: `order` holds every job once and has makespan `claimed`.
/// Returns the recomputed makespan.
///
/// # Errors
/// [`CheckError`] says what is wrong.
pub fn check<T: Time>(instance: &Instance<T>, order: &[JobId], claimed: Option<T>) -> Result<T, CheckError> {
    let order = Permutation::new(order.to_vec(), instance.num_jobs())?;
    let actual = makespan(instance, &order);
    match claimed {
        Some(claimed) if !actual.agrees(claimed) => {
            Err(CheckError::Makespan { actual: actual.to_string(), claimed: claimed.to_string() })
        }
        _ => Ok(actual),
    }
}

/// [`check`] for any problem, by the plain definition of its cost: `order` holds everything once and costs `claimed`.
/// Returns the recomputed cost.
///
/// # Errors
/// [`CheckError`] says what is wrong.
pub fn check_order<P: PermutationProblem + ?Sized>(
    problem: &P,
    order: &[JobId],
    claimed: Option<P::Cost>,
) -> Result<P::Cost, CheckError> {
    let order = Permutation::new(order.to_vec(), problem.len())?;
    let actual = problem.cost(&order);
    match claimed {
        Some(claimed) if !actual.agrees(claimed) => {
            Err(CheckError::Cost { actual: actual.to_string(), claimed: claimed.to_string() })
        }
        _ => Ok(actual),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Instance<u32> {
        Instance::from_job_rows("", &[[3, 4, 1], [2, 1, 5], [0, 2, 2]]).unwrap()
    }

    #[test]
    fn operations_respect_jobs_and_machines() {
        let schedule = Schedule::new(&example(), &[2, 0, 1]).unwrap();
        for a in schedule.operations() {
            for b in schedule.operations() {
                if a.job == b.job && a.machine < b.machine
                    || a.machine == b.machine && a.position < b.position
                {
                    assert!(a.end <= b.start);
                }
            }
        }
        assert_eq!(schedule.makespan(), makespan(&example(), &[2, 0, 1]));
    }

    #[test]
    fn wrong_sequences_have_no_schedule() {
        let instance = example();
        let last = PermutationError::OutOfRange { position: 1, job: 3, last: 2 };
        assert_eq!(Schedule::new(&instance, &[0, 3]).err(), Some(last));
        // Each job twice would be longer than the type holds, and wrapped around unseen.
        let long = Instance::new("", 1, vec![u32::MAX / 2, 5]).unwrap();
        let twice = PermutationError::Duplicate { job: 0, first: 0, second: 2 };
        assert_eq!(Schedule::new(&long, &[0, 1, 0]).err(), Some(twice));
        assert_eq!(Schedule::new(&long, &[1]).unwrap().makespan(), 5);
    }

    #[test]
    #[should_panic(expected = "out of bounds")]
    fn an_operation_on_a_machine_too_many_is_none() {
        Schedule::new(&example(), &[0, 1]).unwrap().operation(0, 3);
    }

    #[test]
    fn critical_path_has_no_gap() {
        let schedule = Schedule::new(&example(), &[0, 1, 2]).unwrap();
        let path = schedule.critical_path();
        assert_eq!(path[0].start, 0);
        assert_eq!(path.last().unwrap().end, schedule.makespan());
        for pair in path.windows(2) {
            assert_eq!(pair[0].end, pair[1].start);
        }
    }

    #[test]
    fn idle_time_counts_gaps_between_jobs() {
        // Machine 2: job 0 from 7 to 8, job 1 from 8 to 13, job 2 from 13 to 15. Machine 1 waits for nobody.
        let schedule = Schedule::new(&example(), &[1, 0, 2]).unwrap();
        // Machine 1: job 1 from 2 to 3, job 0 from 5 to 9: two units idle.
        assert_eq!(schedule.idle_time(1), 2);
        assert_eq!(schedule.idle_time(0), 0);
    }

    #[test]
    fn the_checker_rejects_wrong_claims() {
        let instance = example();
        let length = makespan(&instance, &[0, 1, 2]);
        assert_eq!(check(&instance, &[0, 1, 2], Some(length)), Ok(length));
        assert!(matches!(check(&instance, &[0, 1, 2], Some(length + 1)), Err(CheckError::Makespan { .. })));
        assert!(matches!(check(&instance, &[0, 1, 1], None), Err(CheckError::Order(_))));
    }

    #[test]
    fn the_checker_of_any_problem_rejects_wrong_claims() {
        let shop = example();
        let length = makespan(&shop, &[0, 1, 2]);
        assert_eq!(check_order(&shop, &[0, 1, 2], Some(length)), Ok(length));
        assert!(matches!(check_order(&shop, &[0, 1, 2], Some(length - 1)), Err(CheckError::Cost { .. })));
        assert!(matches!(check_order(&shop, &[0, 2], None), Err(CheckError::Order(_))));
        assert!(matches!(check_order(&shop, &[0, 2, 3], None), Err(CheckError::Order(_))));
        assert_eq!(check_order(&shop, &[0, 1, 2], None), check(&shop, &[0, 1, 2], None));
    }
}
