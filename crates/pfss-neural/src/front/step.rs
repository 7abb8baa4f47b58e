//! One step of a rollout: the network scores the candidates of a state.

use pfss_core::JobId;
use pfss_core::simd::{Aligned, Instructions, RealRegister};

use super::FrontState;
use super::groups::{embed, mix, score};
use super::memory::Noting;
use super::scorer::{MACHINE, Scorer};
use super::scratch::Scratch;
use pfss_core::kernel;

impl Scorer {
    /// Scores all candidates of a state, before the clip.
    pub(super) fn score(&self, instructions: Instructions, state: &FrontState, scratch: &mut Scratch) {
        if !state.remaining().is_empty() {
            scratch.memory.begin(Noting::Nothing, 0, 0);
            self.score_some(instructions, state, [state.remaining(); 2], scratch);
        }
    }

    /// Scores some candidates of a state, as many at the front as at the back, and at least one.
    pub(super) fn score_some(
        &self,
        instructions: Instructions,
        state: &FrontState,
        lists: [&[JobId]; 2],
        scratch: &mut Scratch,
    ) {
        scratch.prepare(instructions, state, lists, self);
        step(instructions, self, scratch, lists);
    }
}

kernel!(step, step_lanes, fn(scorer: &Scorer, scratch: &mut Scratch, lists: [&[JobId]; 2]));

/// One step: embeddings, their context, embeddings that know it, their context, scores.
#[inline(always)]
unsafe fn step_lanes<V: RealRegister>(scorer: &Scorer, scratch: &mut Scratch, lists: [&[JobId]; 2]) {
    let network = &scorer.per_candidate;
    let outputs = scorer.machine.outputs();
    // SAFETY: the caller's feature; the scratch was prepared for this network.
    unsafe {
        let [front, back] = &mut scratch.bases;
        for machine in 0..scratch.num_machines {
            let seen = machine * MACHINE.len()..(machine + 1) * MACHINE.len();
            let base = machine * outputs..(machine + 1) * outputs;
            let shared = [&scratch.shared[0][seen.clone()], &scratch.shared[1][seen]];
            scorer.machine.apply::<V>(shared, [&mut front[base.clone()], &mut back[base]]);
        }
        scorer.scalars.apply::<V>([&scratch.scalars; 2], halves(&mut scratch.starts));
        scratch.forget_context();
        embed::<V>(network, scratch);
        scratch.fold_context();
        scratch.remember(0, lists);
        scorer
            .mix_context
            .apply::<V>(scratch.contexts.each_ref().map(Vec::as_slice), halves(&mut scratch.starts));
        scratch.forget_context();
        mix::<V>(network, scratch);
        scratch.fold_context();
        scratch.remember(1, lists);
        scorer
            .score_context
            .apply::<V>(scratch.contexts.each_ref().map(Vec::as_slice), halves(&mut scratch.starts));
        score::<V>(network, scratch);
    }
}

fn halves(rows: &mut [Aligned<f32>; 2]) -> [&mut [f32]; 2] {
    rows.each_mut().map(|row| &mut **row)
}
