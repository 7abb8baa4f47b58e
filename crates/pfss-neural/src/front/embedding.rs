//! From what a candidate is on the machines to its embedding.

use pfss_core::simd::RealRegister;

use super::gathering::{Positive, gather};
use super::pack::STATICS;
use super::panels::{Sink, UNIT, apply};
use super::per_candidate::PerCandidate;
use super::scratch::Scratch;
use crate::inference::logarithm::asinh;

/// Sums and maxima over machines of what is positive.
struct Pool {
    bias: *const f32,
    sums: *mut f32,
    largest: *mut f32,
    row: usize,
}

impl<V: RealRegister> Sink<V> for Pool {
    #[inline(always)]
    unsafe fn start(&self, output: usize, _: usize) -> V {
        // SAFETY: the caller's.
        unsafe { V::splat(*self.bias.add(output)) }
    }

    #[inline(always)]
    unsafe fn take(&self, output: usize, place: usize, sum: V) {
        let at = output * self.row + place;
        // SAFETY: the caller's.
        unsafe {
            let value = sum.max(V::splat(0.0));
            V::load(self.sums.add(at)).add(value).store(self.sums.add(at));
            V::load(self.largest.add(at)).max(value).store(self.largest.add(at));
        }
    }
}

/// Embeds a group and adds it to the sums and maxima of all.
///
/// # Safety
/// As for [`RealRegister`]; the scratch must be prepared for the network, and have the group's units.
#[inline(always)]
pub(super) unsafe fn embed_group<V: RealRegister, const U: usize>(
    network: &PerCandidate,
    scratch: &mut Scratch,
    unit: usize,
) {
    let row = U * UNIT;
    let (m, hidden) = (scratch.num_machines, network.hidden);
    let stride = scratch.bases[0].len() / m;
    scratch.group.completion.fill(0.0);
    scratch.group.pooled[..2 * hidden * row].fill(0.0);
    // SAFETY: the caller's.
    unsafe {
        for machine in 0..m {
            look::<V, U>(scratch, unit, machine);
            let group = &mut scratch.group;
            let starts = scratch.bases.each_ref().map(|base| base.as_ptr().add(machine * stride));
            let sink = Positive { starts, target: group.hidden.as_mut_ptr(), row };
            apply::<V, U>(&network.first, group.features.as_ptr(), &sink);
            let sums = group.pooled.as_mut_ptr();
            let sink =
                Pool { bias: network.second_bias.as_ptr(), sums, largest: sums.add(hidden * row), row };
            apply::<V, U>(&network.second, group.hidden.as_ptr(), &sink);
        }
        let pooled = scratch.group.pooled.as_mut_ptr();
        let share = V::splat(1.0 / m as f32);
        for at in (0..hidden * row).step_by(V::LANES) {
            V::load(pooled.add(at)).mul(share).store(pooled.add(at));
        }
        let target = scratch.embeddings.as_mut_ptr().add(unit * UNIT * network.padded_width);
        let sink = Positive { starts: scratch.starts.each_ref().map(|start| start.as_ptr()), target, row };
        apply::<V, U>(&network.candidate, pooled, &sink);
        gather::<V, U>(network, scratch, unit);
    }
}

/// The features of a group's candidates on a machine.
#[inline(always)]
pub(super) unsafe fn look<V: RealRegister, const U: usize>(
    scratch: &mut Scratch,
    unit: usize,
    machine: usize,
) {
    let row = U * UNIT;
    let group = &mut scratch.group;
    let [front, back] = &scratch.views;
    let (fronts, slacks) =
        ([front.front[machine], back.front[machine]], [front.slack[machine], back.slack[machine]]);
    let by_jobs = 8.0 / scratch.num_left as f32;
    for place in (0..row).step_by(V::LANES) {
        // SAFETY: the caller's; all units up to the group's last are laid out.
        unsafe {
            let at = ((unit + place / UNIT) * scratch.num_machines + machine) * STATICS * UNIT + place % UNIT;
            let statics = scratch.pack.lanes().as_ptr().add(at);
            let (completion, first) =
                (group.completion.as_mut_ptr().add(place), group.first_time.as_mut_ptr().add(place));
            let time = V::load(statics);
            if machine == 0 {
                time.store(first);
            }
            let front = V::halves(fronts[0], fronts[1], place);
            let previous = V::load(completion);
            let start = previous.max(front);
            let (idle, wait, end) = (start.sub(front), start.sub(previous), start.add(time));
            end.store(completion);
            let child = V::halves(slacks[0], slacks[1], place).add(idle);
            let features = [
                V::load(statics.add(UNIT)),
                asinh(idle),
                asinh(wait),
                asinh(child),
                asinh(end.sub(V::load(first))),
                V::load(statics.add(2 * UNIT)),
                V::load(statics.add(3 * UNIT)),
                asinh(child.mul(V::splat(by_jobs))),
            ];
            for (index, feature) in features.into_iter().enumerate() {
                feature.store(group.features.as_mut_ptr().add(index * row + place));
            }
        }
    }
}
