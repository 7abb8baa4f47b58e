//! What comes before and after each machine's work.

use crate::{Instance, Time};

/// The two least values that were pushed, and whose the least one is.
#[derive(Clone, Copy)]
struct TwoLeast<T> {
    least: T,
    owner: usize,
    second: T,
}

impl<T: Time> TwoLeast<T> {
    fn new() -> Self {
        Self { least: T::MAX, owner: usize::MAX, second: T::MAX }
    }

    #[inline(always)]
    fn push(&mut self, value: T, owner: usize) {
        if value < self.least {
            self.second = self.least;
            self.least = value;
            self.owner = owner;
        } else if value < self.second {
            self.second = value;
        }
    }

    /// The least sum of a value from `self` and one from `other` with different owners. Needs two owners.
    fn least_sum(&self, other: &Self) -> T {
        if self.owner == other.owner {
            (self.least + other.second).minimum(self.second + other.least)
        } else {
            self.least + other.least
        }
    }
}

/// For each machine, over the jobs: the work before it (head) and the work after it (tail).
///
/// A machine cannot start before the head of its first job, and the schedule cannot end before the tail of
/// its last job has passed. With two jobs or more these are different jobs.
pub(super) struct Ends<T> {
    heads: Vec<TwoLeast<T>>,
    tails: Vec<TwoLeast<T>>,
    pub(super) loads: Vec<T>,
}

impl<T: Time> Ends<T> {
    pub(super) fn new(instance: &Instance<T>) -> Self {
        let m = instance.num_machines();
        let mut heads = vec![TwoLeast::new(); m];
        let mut tails = vec![TwoLeast::new(); m];
        let mut loads = vec![T::ZERO; m];
        for (job, times) in instance.times().chunks_exact(m).enumerate() {
            let mut before = T::ZERO;
            for (machine, &time) in times.iter().enumerate() {
                heads[machine].push(before, job);
                loads[machine] += time;
                before += time;
            }
            let mut after = T::ZERO;
            for (machine, &time) in times.iter().enumerate().rev() {
                tails[machine].push(after, job);
                after += time;
            }
        }
        Self { heads, tails, loads }
    }

    /// The least head before machine `a` and tail after machine `b` together.
    pub(super) fn around(&self, a: usize, b: usize) -> T {
        self.heads[a].least_sum(&self.tails[b])
    }

    /// The one-machine bound of one machine.
    pub(super) fn one_machine(&self, machine: usize) -> T {
        self.around(machine, machine) + self.loads[machine]
    }
}
