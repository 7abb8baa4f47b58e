//! An order that grows from both ends.

use std::sync::Arc;

use pfss_core::{Instance, JobId, Time};
use thiserror::Error;

use crate::problem::{InputScale, PolicyInput};

/// Where the next job goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// After the jobs that were placed at the front.
    Front,
    /// Before those that were placed at the back.
    Back,
}

impl End {
    /// Both, the front first.
    pub const BOTH: [Self; 2] = [Self::Front, Self::Back];
}

/// Why rows of times are none of a flow shop.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum StateError {
    /// There must be a job and a machine, and each job must have a time on each machine.
    #[error("{values} times are no whole jobs on {machines} machines")]
    Shape {
        /// How many times were given.
        values: usize,
        /// How many machines.
        machines: usize,
    },
    /// A time is negative or not a number.
    #[error("time {index} is {value}; times must be finite and not negative")]
    Time {
        /// Its place among all times.
        index: usize,
        /// The time.
        value: f32,
    },
}

/// The times of all jobs, job after job, divided by their mean.
#[derive(Debug, PartialEq)]
pub(crate) struct Shop {
    pub(crate) times: Vec<f32>,
    pub(crate) num_machines: usize,
}

impl Shop {
    pub(crate) fn num_jobs(&self) -> usize {
        self.times.len() / self.num_machines
    }

    pub(crate) fn job(&self, job: JobId) -> &[f32] {
        let start = job as usize * self.num_machines;
        &self.times[start..start + self.num_machines]
    }
}

/// An order that grows from both ends, and when the machines are free before and after the jobs that are left.
///
/// Sums are kept in double precision: they neither drift over many jobs nor lose what makes machines differ.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontState {
    shop: Arc<Shop>,
    /// When each machine finishes the jobs at the front (F).
    pub(super) front: Vec<f64>,
    /// How long before the end each machine starts the jobs at the back: the front of the mirrored problem (G).
    pub(super) back: Vec<f64>,
    /// The times of the remaining jobs, summed by machine (R).
    pub(super) work: Vec<f64>,
    remaining: Vec<JobId>,
    /// Where each job stands among the remaining ones.
    places: Vec<u32>,
    placed_front: Vec<JobId>,
    placed_back: Vec<JobId>,
}

/// The place of a job that does not remain.
const PLACED: u32 = u32::MAX;

impl FrontState {
    /// No job placed yet. Rows are jobs; times should be divided by their mean.
    ///
    /// # Errors
    /// [`StateError`] when the rows are no flow shop.
    pub fn new(times: Vec<f32>, num_machines: usize) -> Result<Self, StateError> {
        if num_machines == 0 || times.is_empty() || !times.len().is_multiple_of(num_machines) {
            return Err(StateError::Shape { values: times.len(), machines: num_machines });
        }
        let is_wrong = |&(_, time): &(usize, &f32)| !(time.is_finite() && *time >= 0.0);
        if let Some((index, &value)) = times.iter().enumerate().find(is_wrong) {
            return Err(StateError::Time { index, value });
        }
        Ok(Self::of_shop(Shop { times, num_machines }))
    }

    /// The start for an instance.
    pub fn of<T: Time>(instance: &Instance<T>) -> Self {
        let (times, num_machines) = (instance.rows(InputScale::Mean), instance.num_machines());
        Self::of_shop(Shop { times, num_machines })
    }

    fn of_shop(shop: Shop) -> Self {
        let (n, m) = (shop.num_jobs(), shop.num_machines);
        let mut state = Self {
            shop: Arc::new(shop),
            front: vec![0.0; m],
            back: vec![0.0; m],
            work: vec![0.0; m],
            remaining: Vec::with_capacity(n),
            places: Vec::with_capacity(n),
            placed_front: Vec::with_capacity(n),
            placed_back: Vec::with_capacity(n),
        };
        state.reset();
        state
    }

    /// Takes all jobs out again.
    pub fn reset(&mut self) {
        self.front.fill(0.0);
        self.back.fill(0.0);
        self.work.fill(0.0);
        for row in self.shop.times.chunks_exact(self.shop.num_machines) {
            for (work, &time) in self.work.iter_mut().zip(row) {
                *work += f64::from(time);
            }
        }
        let n = self.shop.num_jobs() as u32;
        self.remaining.clear();
        self.remaining.extend(0..n);
        self.places.clear();
        self.places.extend(0..n);
        self.placed_front.clear();
        self.placed_back.clear();
    }

    pub(crate) fn shop(&self) -> &Arc<Shop> {
        &self.shop
    }

    /// The times of all jobs, row by row.
    pub fn times(&self) -> &[f32] {
        &self.shop.times
    }

    /// The number of jobs, placed or not.
    pub fn num_jobs(&self) -> usize {
        self.shop.num_jobs()
    }

    /// The number of machines.
    pub fn num_machines(&self) -> usize {
        self.shop.num_machines
    }

    /// The jobs that are left. The last of them takes the place of one that goes.
    pub fn remaining(&self) -> &[JobId] {
        &self.remaining
    }

    /// Where a job that is left stands among the remaining ones.
    pub(super) fn place_of(&self, job: JobId) -> usize {
        self.places[job as usize] as usize
    }

    /// The jobs at an end in the order of their placing, the outermost first.
    pub fn placed(&self, end: End) -> &[JobId] {
        match end {
            End::Front => &self.placed_front,
            End::Back => &self.placed_back,
        }
    }

    /// The placed jobs as they are in the order, those of the front first.
    pub fn order(&self) -> Vec<JobId> {
        self.placed_front.iter().chain(self.placed_back.iter().rev()).copied().collect()
    }

    /// Becomes a state of other fronts, work and remaining jobs, for which nobody tells how it came about: no job can
    /// be placed in it. Says no, and may be anything, where these are none of the shop's.
    pub(super) fn assume(&mut self, rows: [impl Iterator<Item = f64>; 3], remaining: &[JobId]) -> bool {
        for (target, row) in [&mut self.front, &mut self.back, &mut self.work].into_iter().zip(rows) {
            target.clear();
            target.extend(row);
        }
        self.remaining.clear();
        self.remaining.extend_from_slice(remaining);
        self.places.fill(PLACED);
        let (n, m) = (self.num_jobs(), self.num_machines());
        let rows = [&self.front, &self.back, &self.work];
        rows.iter().all(|row| row.len() == m)
            && remaining.len() <= n
            && remaining.iter().all(|&job| (job as usize) < n)
    }

    /// Places a job; says no, and does nothing, where it does not remain.
    pub fn place(&mut self, job: JobId, end: End) -> bool {
        let Some(place) = self.places.get_mut(job as usize) else { return false };
        let place = std::mem::replace(place, PLACED);
        if place == PLACED {
            return false;
        }
        self.remaining.swap_remove(place as usize);
        if let Some(&moved) = self.remaining.get(place as usize) {
            self.places[moved as usize] = place;
        }
        let row = self.shop.job(job);
        for (work, &time) in self.work.iter_mut().zip(row) {
            *work -= f64::from(time);
        }
        match end {
            End::Front => {
                advance(self.front.iter_mut().zip(row.iter().map(|&time| time.into())));
                self.placed_front.push(job);
            }
            End::Back => {
                advance(self.back.iter_mut().zip(row.iter().map(|&time| time.into())).rev());
                self.placed_back.push(job);
            }
        }
        true
    }
}

/// Completion times after one more job, machine after machine.
pub(super) fn advance<'a>(machines: impl Iterator<Item = (&'a mut f64, f64)>) {
    let mut previous = 0.0f64;
    for (front, time) in machines {
        *front = front.max(previous) + time;
        previous = *front;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::makespan;

    #[test]
    fn both_fronts_meet_in_the_makespan() {
        let instance = Instance::new("", 3, vec![3.0f64, 2.0, 4.0, 1.0, 5.0, 2.0, 4.0, 1.0, 2.0]).unwrap();
        let mut state = FrontState::of(&instance);
        let mean = instance.mean_time();
        assert!(state.place(1, End::Front) && state.place(0, End::Back));
        assert!(!state.place(1, End::Back) && !state.place(9, End::Front));
        assert_eq!((state.remaining(), state.order()), (&[2][..], vec![1, 0]));
        let mut other = state.clone();
        assert!(state.place(2, End::Front) && other.place(2, End::Back));
        assert_eq!(state.order(), other.order());
        let length = |state: &FrontState| {
            state.front.iter().zip(&state.back).map(|(front, back)| front + back).fold(0.0, f64::max)
        };
        let exact = makespan(&instance, &state.order()) / mean;
        assert!((length(&state) - exact).abs() < 1e-5 && (length(&other) - exact).abs() < 1e-5);
        state.reset();
        assert_eq!(state, FrontState::of(&instance));
    }

    #[test]
    fn wrong_rows_are_refused() {
        assert!(matches!(FrontState::new(vec![], 1), Err(StateError::Shape { .. })));
        assert!(matches!(FrontState::new(vec![1.0; 3], 2), Err(StateError::Shape { .. })));
        assert!(matches!(FrontState::new(vec![1.0; 3], 0), Err(StateError::Shape { .. })));
        assert_eq!(FrontState::new(vec![1.0, -1.0], 1), Err(StateError::Time { index: 1, value: -1.0 }));
    }
}
