//! A cheap look at all candidates: how each would fit the machines.

use std::sync::Arc;

use pfss_core::JobId;
use pfss_core::simd::{Aligned, Instructions, RealRegister};

use super::features::{View, position};
use super::pack::JOBS;
use super::panels::UNIT;
use super::state::Shop;
use super::{End, FrontState};
use crate::inference::logarithm::asinh;
use pfss_core::kernel;

/// How many numbers a look gives.
pub(super) const LOOKS: usize = 8;

/// What is seen of a candidate, summed over machines: how long they wait for it, the same weighted by how much they have to do,
/// through `asinh`, and through `asinh` weighted by their position; how long it waits for them; the child bounds; and over all
/// machines the largest child bound, and when the last one is done.
pub(super) type Look = [f32; LOOKS];

/// Looks at the remaining jobs of a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Guide {
    shop: Option<Arc<Shop>>,
    /// The job in each place.
    jobs: Vec<JobId>,
    /// By unit and machine of the view: a row of lanes with times.
    times: Aligned<f32>,
    views: [View; 2],
    /// By machine: what all candidates share.
    machines: Vec<Machine>,
    /// By unit: a row of lanes for each number.
    seen: Aligned<f32>,
}

/// What all candidates share on a machine, by end.
#[derive(Clone, Copy, Debug)]
struct Machine {
    front: [f32; 2],
    slack: [f32; 2],
    weight: [f32; 2],
    position: f32,
}

/// No job.
const NONE: JobId = JobId::MAX;

impl Guide {
    /// Looks at all candidates of both ends.
    pub(super) fn look(&mut self, instructions: Instructions, state: &FrontState) {
        self.lay_out(state);
        for end in End::BOTH {
            self.views[end as usize].look(state, end);
        }
        let m = state.num_machines();
        self.machines.clear();
        self.machines.extend((0..m).map(|i| {
            let slack = self.views.each_ref().map(|view| view.slack[i]);
            Machine {
                front: self.views.each_ref().map(|view| view.front[i]),
                slack,
                weight: slack.map(|slack| 1.0 / (1.0 - slack)),
                position: position(i, m),
            }
        }));
        let num_units = state.remaining().len().div_ceil(JOBS);
        self.seen.set_len(self.seen.len().max(num_units * LOOKS * UNIT));
        look_all(instructions, &self.machines, &self.times, &mut self.seen, num_units);
    }

    /// What was seen of the job at a place of [`FrontState::remaining`].
    pub(super) fn seen(&self, place: usize, end: End) -> Look {
        let lane = end as usize * JOBS + place % JOBS;
        let unit = &self.seen[place / JOBS * LOOKS * UNIT..][..LOOKS * UNIT];
        std::array::from_fn(|k| unit[k * UNIT + lane])
    }

    /// Only jobs that moved since the last look are written.
    fn lay_out(&mut self, state: &FrontState) {
        let (shop, m) = (state.shop(), state.num_machines());
        if !self.shop.as_ref().is_some_and(|own| Arc::ptr_eq(own, shop)) {
            let units = shop.num_jobs().div_ceil(JOBS);
            self.jobs.clear();
            self.jobs.resize(units * JOBS, NONE);
            // What lanes without a job hold is never asked for, but must be numbers.
            self.times.set_len(units * m * UNIT);
            self.times.fill(0.0);
            self.shop = Some(shop.clone());
        }
        for (place, &job) in state.remaining().iter().enumerate() {
            if self.jobs[place] != job {
                self.jobs[place] = job;
                let unit = &mut self.times[place / JOBS * m * UNIT..][..m * UNIT];
                for (i, &time) in shop.job(job).iter().enumerate() {
                    unit[i * UNIT + place % JOBS] = time;
                    unit[(m - 1 - i) * UNIT + JOBS + place % JOBS] = time;
                }
            }
        }
    }
}

kernel!(look_all, look_lanes, fn(machines: &[Machine], times: &[f32], seen: &mut [f32], num_units: usize));

#[inline(always)]
unsafe fn look_lanes<V: RealRegister>(
    machines: &[Machine],
    times: &[f32],
    seen: &mut [f32],
    num_units: usize,
) {
    let m = machines.len();
    assert!(times.len() >= num_units * m * UNIT && seen.len() >= num_units * LOOKS * UNIT);
    for unit in 0..num_units {
        for place in (0..UNIT).step_by(V::LANES) {
            // SAFETY: the caller's feature; registers divide the lanes of a unit, and all units are there.
            unsafe {
                let mut times = times.as_ptr().add(unit * m * UNIT + place);
                let zero = V::splat(0.0);
                let (mut completion, mut bound) = (zero, V::splat(f32::NEG_INFINITY));
                let [mut idle, mut weighted, mut curved, mut placed, mut waits, mut children] = [zero; 6];
                for machine in machines {
                    let free = V::halves(machine.front[0], machine.front[1], place);
                    let start = completion.max(free);
                    let late = start.sub(free);
                    let child = V::halves(machine.slack[0], machine.slack[1], place).add(late);
                    let seen = asinh(late);
                    idle = idle.add(late);
                    weighted = late.fma(V::halves(machine.weight[0], machine.weight[1], place), weighted);
                    curved = curved.add(seen);
                    placed = seen.fma(V::splat(machine.position), placed);
                    waits = waits.add(asinh(start.sub(completion)));
                    children = children.add(asinh(child));
                    bound = bound.max(child);
                    completion = start.add(V::load(times));
                    times = times.add(UNIT);
                }
                let target = seen.as_mut_ptr().add(unit * LOOKS * UNIT + place);
                let looks = [idle, weighted, curved, placed, waits, children, bound, completion];
                for (k, look) in looks.into_iter().enumerate() {
                    look.store(target.add(k * UNIT));
                }
            }
        }
    }
}
