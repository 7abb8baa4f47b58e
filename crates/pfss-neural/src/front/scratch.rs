//! What the steps of a rollout write to.

use super::config::SCALARS;
use super::features::{View, position};
use super::groups::Group;
use super::lines::Lines;
use super::pack::{JOBS, Pack};
use super::panels::UNIT;
use super::scorer::Scorer;
use super::{End, FrontState};
use crate::inference::{Path, logarithm::asinh_all};

/// How many of the numbers that all candidates of an end share are seen through `asinh`; they come first.
const CURVED: usize = 4;

/// Buffers for the steps of rollouts; nothing is allocated after the first step of an instance.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub(super) pack: Pack,
    pub(super) views: [View; 2],
    pub(super) num_machines: usize,
    pub(super) num_left: usize,
    pub(super) scalars: [f32; SCALARS],
    /// By end and machine: what its candidates share.
    pub(super) shared: [Vec<f32>; 2],
    pub(super) curved: Vec<f32>,
    /// By end and machine: what the candidates' first layer starts with.
    pub(super) bases: [Lines; 2],
    /// By end: what the candidates' other maps start with.
    pub(super) starts: [Lines; 2],
    /// By end: mean and maximum over its candidates, and the mean of the other end's.
    pub(super) contexts: [Vec<f32>; 2],
    /// Sums and maxima over the candidates, by channel and lane.
    pub(super) sums: Lines,
    pub(super) largest: Lines,
    pub(super) embeddings: Lines,
    pub(super) group: Group,
    pub(super) logits: Lines,
}

impl Scratch {
    /// The logit of the job at a place of [`FrontState::remaining`].
    pub(super) fn logit(&self, place: usize, end: End) -> f32 {
        let lane = if end == End::Front { 0 } else { JOBS };
        self.logits[place / JOBS * UNIT + lane + place % JOBS]
    }

    pub(super) fn prepare(&mut self, path: Path, state: &FrontState, scorer: &Scorer) {
        self.pack.lay_out(path, state);
        let m = state.num_machines();
        (self.num_machines, self.num_left, self.scalars) = (m, state.remaining().len(), state.scalars());
        let root = (self.num_left as f32).sqrt();
        for (index, end) in End::BOTH.into_iter().enumerate() {
            let view = &mut self.views[index];
            view.look(state, end);
            self.curved.clear();
            for i in 0..m {
                let slack = view.slack[i];
                self.curved.extend([slack, view.front[i], view.opposite[i], slack / root]);
            }
            asinh_all(path, &mut self.curved);
            self.shared[index].clear();
            for (i, curved) in self.curved.chunks_exact(CURVED).enumerate() {
                self.shared[index].extend_from_slice(curved);
                let plain = [view.share[i], position(i, m), self.scalars[0], self.scalars[1]];
                self.shared[index].extend(plain);
            }
            self.bases[index].resize(m * scorer.machine.outputs());
            self.starts[index].resize(scorer.scalars.outputs());
            self.contexts[index].resize(3 * scorer.per_candidate.padded_width, 0.0);
        }
        let width = scorer.per_candidate.padded_width;
        self.sums.resize(width * UNIT);
        self.largest.resize(width * UNIT);
        // What is left over from a larger step does no harm.
        let lanes = self.pack.num_units() * UNIT;
        self.embeddings.resize(self.embeddings.len().max(lanes * width));
        self.logits.resize(self.logits.len().max(lanes));
        self.group.prepare(&scorer.per_candidate);
    }

    pub(super) fn forget_context(&mut self) {
        self.sums.fill(0.0);
        self.largest.fill(f32::NEG_INFINITY);
    }

    /// Means and maxima of both ends, from those of the lanes.
    #[inline(always)]
    pub(super) fn fold_context(&mut self) {
        let width = self.sums.len() / UNIT;
        let share = 1.0 / self.num_left as f32;
        let [front, back] = &mut self.contexts;
        let rows = self.sums.as_chunks::<UNIT>().0.iter().zip(self.largest.as_chunks::<UNIT>().0);
        for (channel, (sums, largest)) in rows.enumerate() {
            let [sum, largest] = [fold(sums, |a, b| a + b), fold(largest, |a, b| if a > b { a } else { b })];
            (front[channel], back[channel]) = (sum[0] * share, sum[1] * share);
            (front[width + channel], back[width + channel]) = (largest[0], largest[1]);
        }
        front[2 * width..].copy_from_slice(&back[..width]);
        back[2 * width..].copy_from_slice(&front[..width]);
    }
}

/// Both halves of a row, each folded to one number; in pairs, as registers do it.
#[inline(always)]
fn fold(row: &[f32; UNIT], with: impl Fn(f32, f32) -> f32) -> [f32; 2] {
    let fours: [f32; 8] = std::array::from_fn(|i| with(row[i / 4 * 8 + i % 4], row[i / 4 * 8 + i % 4 + 4]));
    let twos: [f32; 4] =
        std::array::from_fn(|i| with(fours[i / 2 * 4 + i % 2], fours[i / 2 * 4 + i % 2 + 2]));
    [with(twos[0], twos[1]), with(twos[2], twos[3])]
}
