//! The remaining jobs, laid out as the kernels read them.

use std::sync::Arc;

use pfss_core::JobId;
use pfss_core::simd::{Aligned, Instructions};

use super::FrontState;
use super::features::heads_and_tails;
use super::panels::UNIT;
use super::state::Shop;
use crate::inference::logarithm::asinh_all;

/// Jobs of a unit; its first lanes are for the front, its last for the back.
pub(super) const JOBS: usize = UNIT / 2;

/// What a job is on a machine, whatever else happens: its time, and `asinh` of time, head and tail.
pub(super) const STATICS: usize = 4;

/// The remaining jobs in units of [`JOBS`]. Where a unit is not full, its last job is repeated with weight zero.
#[derive(Clone, Debug, Default)]
pub(super) struct Pack {
    shop: Option<Arc<Shop>>,
    /// [`STATICS`] by job and machine.
    statics: Vec<f32>,
    /// The job in each place.
    jobs: Vec<JobId>,
    /// By unit, machine of the view and static: a row of lanes.
    lanes: Aligned<f32>,
    /// By unit: one where a lane has a job of its own.
    weights: Aligned<f32>,
    num_units: usize,
}

/// No job.
const NONE: JobId = JobId::MAX;

impl Pack {
    /// Lays out the remaining jobs of a state; only those that moved since the last call are written.
    pub(super) fn lay_out(&mut self, instructions: Instructions, state: &FrontState) {
        if !self.shop.as_ref().is_some_and(|shop| Arc::ptr_eq(shop, state.shop())) {
            self.prepare(instructions, state.shop());
        }
        let remaining = state.remaining();
        self.num_units = remaining.len().div_ceil(JOBS);
        for place in 0..self.num_units * JOBS {
            let job = remaining[place.min(remaining.len() - 1)];
            if self.jobs[place] != job {
                self.jobs[place] = job;
                self.write(place, job, state.num_machines());
            }
        }
        let last = self.num_units.saturating_sub(1);
        self.weights[..last * UNIT].fill(1.0);
        for (lane, weight) in self.weights[last * UNIT..self.num_units * UNIT].iter_mut().enumerate() {
            *weight = if last * JOBS + lane % JOBS < remaining.len() { 1.0 } else { 0.0 };
        }
    }

    fn prepare(&mut self, instructions: Instructions, shop: &Arc<Shop>) {
        let (n, m) = (shop.num_jobs(), shop.num_machines);
        let (mut heads, mut tails) = (Vec::new(), Vec::new());
        self.statics.clear();
        for row in shop.times.chunks_exact(m) {
            heads_and_tails(row, &mut heads, &mut tails);
            let mut curved = row.to_vec();
            for values in [&mut curved, &mut heads, &mut tails] {
                asinh_all(instructions, values);
            }
            self.statics.extend((0..m).flat_map(|i| [row[i], curved[i], heads[i], tails[i]]));
        }
        let units = n.div_ceil(JOBS);
        self.jobs.clear();
        self.jobs.resize(units * JOBS, NONE);
        self.lanes.set_len(units * m * STATICS * UNIT);
        self.weights.set_len(units * UNIT);
        self.shop = Some(shop.clone());
    }

    /// Writes a job into both of its lanes. Seen from the back, machines are reversed, and heads are tails.
    fn write(&mut self, place: usize, job: JobId, m: usize) {
        let size = m * STATICS;
        let row = &self.statics[job as usize * size..][..size];
        let unit = &mut self.lanes[place / JOBS * size * UNIT..][..size * UNIT];
        let (lane, statics) = (place % JOBS, row.as_chunks::<STATICS>().0);
        for (i, target) in unit.chunks_exact_mut(STATICS * UNIT).enumerate() {
            let (front, [time, curved, head, tail]) = (statics[i], statics[m - 1 - i]);
            let back = [time, curved, tail, head];
            for (row, (front, back)) in target.chunks_exact_mut(UNIT).zip(front.into_iter().zip(back)) {
                row[lane] = front;
                row[JOBS + lane] = back;
            }
        }
    }

    pub(super) fn num_units(&self) -> usize {
        self.num_units
    }

    /// The rows of all units.
    pub(super) fn lanes(&self) -> &[f32] {
        &self.lanes
    }

    /// What each lane counts in means.
    pub(super) fn weights(&self) -> &[f32] {
        &self.weights
    }
}
