//! What the steps of a rollout write to.

use pfss_core::JobId;
use pfss_core::simd::{Aligned, Instructions};

use super::config::SCALARS;
use super::features::{View, position};
use super::folding::{Fold, fold_rows};
use super::group::GROUP;
use super::group::Group;
use super::memory::{Counts, Memory, Noting};
use super::pack::{JOBS, Pack};
use super::panels::UNIT;
use super::rest::Rest;
use super::scorer::Scorer;
use super::shortlist::PROBES;
use super::{End, FrontState};
use crate::inference::logarithm::asinh_all;

/// How many of the numbers that all candidates of an end share are seen through `asinh`; they come first.
const CURVED: usize = 4;

/// Buffers for the steps of rollouts; nothing is allocated after the first step of an instance.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub(super) pack: Pack,
    /// The other one of two: a pack for steps that score all, and one for those that score some.
    spare: Pack,
    is_pack_of_some: bool,
    pub(super) views: [View; 2],
    pub(super) num_machines: usize,
    /// Jobs that are left, of which there may be more than are scored.
    pub(super) num_left: usize,
    num_scored: usize,
    pub(super) scalars: [f32; SCALARS],
    /// By end and machine: what its candidates share.
    pub(super) shared: [Vec<f32>; 2],
    pub(super) curved: Vec<f32>,
    /// By end and machine: what the candidates' first layer starts with.
    pub(super) bases: [Aligned<f32>; 2],
    /// By end: what the candidates' other maps start with.
    pub(super) starts: [Aligned<f32>; 2],
    /// By end: mean and maximum over its candidates, and the mean of the other end's.
    pub(super) contexts: [Vec<f32>; 2],
    /// Sums and maxima over the candidates, by channel and lane.
    pub(super) sums: Aligned<f32>,
    pub(super) largest: Aligned<f32>,
    pub(super) embeddings: Aligned<f32>,
    pub(super) group: Group,
    pub(super) rest: Rest,
    pub(super) logits: Aligned<f32>,
    /// What embeddings were when they were last computed, where not all are computed in every step.
    pub(super) memory: Memory,
}

impl Scratch {
    /// The logit of the job at a place among those that were scored.
    pub(super) fn logit(&self, place: usize, end: End) -> f32 {
        let lane = if end == End::Front { 0 } else { JOBS };
        self.logits[place / JOBS * UNIT + lane + place % JOBS]
    }

    /// For a step that scores these jobs at the front and as many at the back.
    pub(super) fn prepare(
        &mut self,
        instructions: Instructions,
        state: &FrontState,
        lists: [&[JobId]; 2],
        scorer: &Scorer,
    ) {
        let is_some = self.memory.noting() == Noting::Some;
        if self.is_pack_of_some != is_some {
            std::mem::swap(&mut self.pack, &mut self.spare);
            self.is_pack_of_some = is_some;
        }
        self.pack.lay_out(instructions, state.shop(), lists);
        let m = state.num_machines();
        (self.num_machines, self.num_left, self.scalars) = (m, state.remaining().len(), state.scalars());
        self.num_scored = lists[0].len();
        let root = (self.num_left as f32).sqrt();
        for (index, end) in End::BOTH.into_iter().enumerate() {
            let view = &mut self.views[index];
            view.look(state, end);
            self.curved.clear();
            for i in 0..m {
                let slack = view.slack[i];
                self.curved.extend([slack, view.front[i], view.opposite[i], slack / root]);
            }
            asinh_all(instructions, &mut self.curved);
            self.shared[index].clear();
            for (i, curved) in self.curved.chunks_exact(CURVED).enumerate() {
                self.shared[index].extend_from_slice(curved);
                let plain = [view.share[i], position(i, m), self.scalars[0], self.scalars[1]];
                self.shared[index].extend(plain);
            }
            self.bases[index].set_len(m * scorer.machine.outputs());
            self.starts[index].set_len(scorer.scalars.outputs());
            self.contexts[index].resize(3 * scorer.per_candidate.padded_width, 0.0);
        }
        let width = scorer.per_candidate.padded_width;
        self.sums.set_len(width * UNIT);
        self.largest.set_len(width * UNIT);
        // What is left over from a larger step does no harm.
        let lanes = self.pack.num_units() * UNIT;
        self.embeddings.set_len(self.embeddings.len().max(lanes * width));
        self.logits.set_len(self.logits.len().max(lanes));
        self.group.prepare(&scorer.per_candidate);
        self.rest.prepare(self.num_scored, &scorer.per_candidate);
    }

    /// The units of lanes; the rest has less than one.
    pub(super) fn num_whole_units(&self) -> usize {
        self.pack.num_units() - usize::from(self.rest.num_jobs > 0)
    }

    pub(super) fn forget_context(&mut self) {
        if self.num_whole_units() > 0 {
            self.sums.fill(0.0);
            self.largest.fill(f32::NEG_INFINITY);
        }
        self.rest.forget_context();
    }

    /// Means and maxima of both ends, from those of the lanes and of the rest.
    #[inline(always)]
    pub(super) fn fold_context(&mut self) {
        let width = self.sums.len() / UNIT;
        let share = 1.0 / self.num_left as f32;
        let has_units = self.num_whole_units() > 0;
        let [front, back] = self.contexts.each_mut().map(|context| context.split_at_mut(width));
        let [(front_sums, front_rest), (back_sums, back_rest)] = [front, back];
        if has_units {
            fold_rows(Fold::Sum, &self.sums, front_sums, back_sums);
            fold_rows(Fold::Largest, &self.largest, &mut front_rest[..width], &mut back_rest[..width]);
        }
        let rows = [(&mut *front_sums, &mut *front_rest), (&mut *back_sums, &mut *back_rest)];
        for (end, (means, rest)) in rows.into_iter().enumerate() {
            let (sums, largest) = (&self.rest.sums[end][..width], &self.rest.largest[end][..width]);
            for channel in 0..width {
                let (sum, most) =
                    if has_units { (means[channel], rest[channel]) } else { (0.0, f32::NEG_INFINITY) };
                means[channel] = (sum + sums[channel]) * share;
                rest[channel] = if most > largest[channel] { most } else { largest[channel] };
            }
        }
        front_rest[width..].copy_from_slice(back_sums);
        back_rest[width..].copy_from_slice(front_sums);
    }

    /// Notes the embeddings of a level as they are now. Where not all jobs were embedded, completes the context by what is
    /// known of the others; its maxima are left, since the largest are among the scored.
    pub(super) fn remember(&mut self, level: usize, lists: [&[JobId]; 2]) {
        let noting = self.memory.noting();
        if noting == Noting::Nothing {
            return;
        }
        let width = self.sums.len() / UNIT;
        let mut memory = std::mem::take(&mut self.memory);
        for (end, list) in End::BOTH.into_iter().zip(lists) {
            if noting == Noting::All {
                for (place, &job) in list.iter().enumerate() {
                    memory.note(level, (job, end), self.embedding(place, end, width));
                }
                continue;
            }
            memory.note_scored(level, end, list);
            for (place, &job) in list.iter().enumerate().skip(list.len().saturating_sub(PROBES)) {
                memory.note_probe(level, (job, end), self.embedding(place, end, width));
            }
            let counts = Counts { left: self.num_left, scored: list.len(), probes: PROBES };
            memory.complete(level, end, counts, &mut self.contexts[end as usize][..width]);
        }
        self.memory = memory;
        let [front, back] = &mut self.contexts;
        front[2 * width..].copy_from_slice(&back[..width]);
        back[2 * width..].copy_from_slice(&front[..width]);
    }

    /// The channels of an embedding.
    fn embedding(&self, place: usize, end: End, width: usize) -> impl Iterator<Item = f32> {
        let (unit, whole) = (place / JOBS, self.num_whole_units());
        let (values, from, step) = if unit < whole {
            let first = unit / GROUP * GROUP;
            let lanes = if whole - first >= GROUP { GROUP * UNIT } else { UNIT };
            let lane = (unit - first) * UNIT + end as usize * JOBS + place % JOBS;
            (&self.embeddings, first * UNIT * width + lane, lanes)
        } else {
            (&self.rest.embeddings, (2 * (place % JOBS) + end as usize) * width, 1)
        };
        (0..width).map(move |channel| values[from + channel * step])
    }
}
