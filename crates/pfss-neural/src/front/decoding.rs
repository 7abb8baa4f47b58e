//! From scores to orders: greedy and sampled.
//!
//! The last job goes to the same place from both ends: it is placed without being scored, and its step has probability
//! one. Where a search orders the last jobs ([`super::Finish`]), these stay in the state.

use pfss_core::simd::Instructions;
use pfss_core::{JobId, Rng};
use rand::RngExt;

use super::lister::{Lister, Scope};
use super::memory::Noting;
use super::scorer::Scorer;
use super::scratch::Scratch;
use super::shortlist::Shortlist;
use super::{End, FrontState};

/// A state with all jobs placed that the network places, and the logarithm of its steps' probability.
pub(super) struct Built {
    pub(super) state: FrontState,
    pub(super) log_probability: f32,
}

/// A network at work on states.
pub(super) struct Decoder<'a> {
    pub(super) scorer: &'a Scorer,
    pub(super) instructions: Instructions,
    pub(super) scratch: Scratch,
    pub(super) goes_on: &'a dyn Fn() -> bool,
    /// How many jobs are left to others.
    pub(super) left_over: usize,
    pub(super) likely: Vec<f32>,
    lister: Lister,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(
        scorer: &'a Scorer,
        instructions: Instructions,
        left_over: usize,
        goes_on: &'a dyn Fn() -> bool,
    ) -> Self {
        let (scratch, lister) = (Scratch::default(), Lister::default());
        Self { scorer, instructions, scratch, goes_on, left_over, likely: Vec::new(), lister }
    }

    /// The logarithms of the probabilities of all candidates: by remaining job, its front and its back.
    pub(super) fn log_softmax(&mut self, num_left: usize, temperature: f32) -> &[f32] {
        log_softmax(self.scorer, &self.scratch, num_left, temperature, &mut self.likely);
        &self.likely
    }

    pub(super) fn score(&mut self, state: &FrontState) {
        self.scorer.score(self.instructions, state, &mut self.scratch);
    }

    /// The most likely candidate; among equal ones that of the least job, and its front before its back.
    fn best(&self, state: &FrontState) -> (usize, End) {
        let (job, end) = self.best_of([state.remaining(); 2]);
        (state.place_of(job), end)
    }

    /// The most likely candidate of the jobs that were scored, at least one.
    fn best_of(&self, lists: [&[JobId]; 2]) -> (JobId, End) {
        let mut best = (lists[0][0], End::Front);
        let mut best_logit = f32::NEG_INFINITY;
        for (end, list) in End::BOTH.into_iter().zip(lists) {
            for (place, &job) in list.iter().enumerate() {
                let logit = self.scratch.logit(place, end);
                if logit > best_logit || logit == best_logit && (job, end) < best {
                    (best, best_logit) = ((job, end), logit);
                }
            }
        }
        best
    }

    /// Scores the candidates that are worth it, and takes the best of them.
    fn shortlisted(&mut self, state: &FrontState, shortlist: Shortlist) -> (JobId, End) {
        let scope = self.lister.propose(self.instructions, state, shortlist);
        let lists = self.lister.lists();
        let noting = match scope {
            Scope::Every => Noting::Nothing,
            Scope::First => Noting::All,
            Scope::Listed => Noting::Some,
        };
        let width = self.scorer.per_candidate.padded_width;
        self.scratch.memory.begin(noting, state.num_jobs(), width);
        self.scorer.score_some(self.instructions, state, lists, &mut self.scratch);
        let (job, end) = self.best_of(lists);
        self.lister.note(state, &self.scratch, scope);
        self.scratch.memory.forget(job);
        (job, end)
    }

    /// Places jobs by a rule until those are left that others place; the last of all without being asked. Gives up when
    /// it may not go on.
    fn construct(
        &mut self,
        state: &mut FrontState,
        mut choose: impl FnMut(&mut Self, &FrontState) -> (JobId, End),
        mut placed: impl FnMut(JobId, End),
    ) -> bool {
        while let [first, ..] = *state.remaining() {
            if state.remaining().len() <= self.left_over {
                break;
            }
            if !(self.goes_on)() {
                return false;
            }
            let (job, end) =
                if state.remaining().len() == 1 { (first, End::Front) } else { choose(self, state) };
            state.place(job, end);
            placed(job, end);
        }
        true
    }

    /// The most likely job and end at each step, among those of the shortlist. Takes no logarithms. The state is left with
    /// what was placed.
    pub(super) fn greedy_order(&mut self, state: &mut FrontState, shortlist: Shortlist) -> bool {
        self.lister.begin(state.num_jobs());
        self.construct(state, |decoder, state| decoder.shortlisted(state, shortlist), |_, _| ())
    }

    /// The most likely of all jobs and ends at each step, and the logarithm of its probability.
    pub(super) fn greedy(&mut self, mut state: FrontState) -> Option<Built> {
        let mut log_probability = 0.0;
        let choose = |decoder: &mut Self, state: &FrontState| {
            decoder.score(state);
            let (place, end) = decoder.best(state);
            let likely = decoder.log_softmax(state.remaining().len(), 1.0);
            log_probability += likely[2 * place + end as usize];
            (state.remaining()[place], end)
        };
        let is_whole = self.construct(&mut state, choose, |_, _| ());
        is_whole.then_some(Built { state, log_probability })
    }

    /// Draws jobs and ends; `placed` hears of each. `None` when it may not go on.
    pub(super) fn sample(
        &mut self,
        mut state: FrontState,
        temperature: f32,
        rng: &mut Rng,
        placed: impl FnMut(JobId, End),
    ) -> Option<Built> {
        let mut log_probability = 0.0;
        let choose = |decoder: &mut Self, state: &FrontState| {
            decoder.score(state);
            let likely = decoder.log_softmax(state.remaining().len(), temperature);
            let mut draw = rng.random::<f32>();
            let is_chosen = |log_probability: &f32| {
                draw -= log_probability.exp();
                draw < 0.0
            };
            let chosen = likely.iter().position(is_chosen).unwrap_or(likely.len() - 1);
            log_probability += if temperature == 1.0 {
                likely[chosen]
            } else {
                decoder.log_softmax(state.remaining().len(), 1.0)[chosen]
            };
            (state.remaining()[chosen / 2], End::BOTH[chosen % 2])
        };
        let is_whole = self.construct(&mut state, choose, placed);
        is_whole.then_some(Built { state, log_probability })
    }
}

/// The logarithms of the probabilities of the candidates that were scored last.
pub(super) fn log_softmax(
    scorer: &Scorer,
    scratch: &Scratch,
    num_left: usize,
    temperature: f32,
    likely: &mut Vec<f32>,
) {
    likely.clear();
    for place in 0..num_left {
        let logit = |end| scorer.clipped(scratch.logit(place, end)) / temperature;
        likely.extend(End::BOTH.map(logit));
    }
    let largest = likely.iter().fold(f32::NEG_INFINITY, |largest, &logit| largest.max(logit));
    let sum: f32 = likely.iter().map(|logit| (logit - largest).exp()).sum();
    let shift = largest + sum.ln();
    likely.iter_mut().for_each(|logit| *logit -= shift);
}
