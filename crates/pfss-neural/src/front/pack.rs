//! The jobs that are scored, laid out as the kernels read them.

use std::sync::Arc;

use pfss_core::JobId;
use pfss_core::simd::{Aligned, Instructions};

use super::End;
use super::features::heads_and_tails;
use super::panels::UNIT;
use super::state::Shop;
use crate::inference::logarithm::asinh_all;

/// Jobs of a unit; its first lanes are for the front, its last for the back.
pub(super) const JOBS: usize = UNIT / 2;

/// What a job is on a machine, whatever else happens: its time, and `asinh` of time, head and tail.
pub(super) const STATICS: usize = 4;

/// The candidates of both ends in units of [`JOBS`] each. Where a unit is not full, its last job is repeated with weight
/// zero.
#[derive(Clone, Debug, Default)]
pub(super) struct Pack {
    shop: Option<Arc<Shop>>,
    /// [`STATICS`] by job and machine.
    statics: Vec<f32>,
    /// By end: the job in each place.
    jobs: [Vec<JobId>; 2],
    /// By unit, machine of the view and static: a row of lanes.
    lanes: Aligned<f32>,
    /// By unit: one where a lane has a job of its own.
    weights: Aligned<f32>,
    num_units: usize,
}

/// No job.
const NONE: JobId = JobId::MAX;

impl Pack {
    /// Lays out as many jobs of a shop for the front as for the back, at least one; only those that moved since the last
    /// call are written.
    pub(super) fn lay_out(&mut self, instructions: Instructions, shop: &Arc<Shop>, lists: [&[JobId]; 2]) {
        if !self.shop.as_ref().is_some_and(|own| Arc::ptr_eq(own, shop)) {
            self.prepare(instructions, shop);
        }
        let count = lists[0].len();
        self.num_units = count.div_ceil(JOBS);
        for (end, list) in End::BOTH.into_iter().zip(lists) {
            for place in 0..self.num_units * JOBS {
                let job = list[place.min(count - 1)];
                if self.jobs[end as usize][place] != job {
                    self.jobs[end as usize][place] = job;
                    self.write(place, end, job, shop.num_machines);
                }
            }
        }
        let last = self.num_units.saturating_sub(1);
        self.weights[..last * UNIT].fill(1.0);
        for (lane, weight) in self.weights[last * UNIT..self.num_units * UNIT].iter_mut().enumerate() {
            *weight = if last * JOBS + lane % JOBS < count { 1.0 } else { 0.0 };
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
        for jobs in &mut self.jobs {
            jobs.clear();
            jobs.resize(units * JOBS, NONE);
        }
        self.lanes.set_len(units * m * STATICS * UNIT);
        self.weights.set_len(units * UNIT);
        self.shop = Some(shop.clone());
    }

    /// Writes a job into its lane. Seen from the back, machines are reversed, and heads are tails.
    fn write(&mut self, place: usize, end: End, job: JobId, m: usize) {
        let size = m * STATICS;
        let row = &self.statics[job as usize * size..][..size];
        let unit = &mut self.lanes[place / JOBS * size * UNIT..][..size * UNIT];
        let (lane, statics) = (place % JOBS, row.as_chunks::<STATICS>().0);
        for (i, target) in unit.chunks_exact_mut(STATICS * UNIT).enumerate() {
            let (lane, values) = match end {
                End::Front => (lane, statics[i]),
                End::Back => {
                    let [time, curved, head, tail] = statics[m - 1 - i];
                    (JOBS + lane, [time, curved, tail, head])
                }
            };
            for (row, value) in target.chunks_exact_mut(UNIT).zip(values) {
                row[lane] = value;
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
