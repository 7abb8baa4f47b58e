//! From scores to orders: greedy, sampled, and by beam search.
//!
//! The last job goes to the same place from both ends: it is placed without being scored, and its step has probability
//! one. Where a search orders the last jobs ([`super::Finish`]), these stay in the state.

use std::collections::HashSet;

use pfss_core::simd::Instructions;
use pfss_core::{JobId, Rng};
use rand::RngExt;

use super::scorer::Scorer;
use super::scratch::Scratch;
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
    left_over: usize,
    likely: Vec<f32>,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(
        scorer: &'a Scorer,
        instructions: Instructions,
        left_over: usize,
        goes_on: &'a dyn Fn() -> bool,
    ) -> Self {
        Self { scorer, instructions, scratch: Scratch::default(), goes_on, left_over, likely: Vec::new() }
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
        let mut best = (0, End::Front);
        let mut best_logit = f32::NEG_INFINITY;
        for (place, &job) in state.remaining().iter().enumerate() {
            for end in End::BOTH {
                let logit = self.scratch.logit(place, end);
                if logit > best_logit || logit == best_logit && job < state.remaining()[best.0] {
                    (best, best_logit) = ((place, end), logit);
                }
            }
        }
        best
    }

    /// Places jobs by a rule until those are left that others place; the last of all without being asked. Gives up when
    /// it may not go on.
    fn construct(
        &mut self,
        state: &mut FrontState,
        mut choose: impl FnMut(&mut Self, &FrontState) -> (usize, End),
        mut placed: impl FnMut(JobId, End),
    ) -> bool {
        while let [first, ..] = *state.remaining() {
            if state.remaining().len() <= self.left_over {
                break;
            }
            if !(self.goes_on)() {
                return false;
            }
            let (job, end) = if state.remaining().len() == 1 {
                (first, End::Front)
            } else {
                self.score(state);
                let (place, end) = choose(self, state);
                (state.remaining()[place], end)
            };
            state.place(job, end);
            placed(job, end);
        }
        true
    }

    /// The most likely job and end at each step. Takes no logarithms. The state is left with what was placed.
    pub(super) fn greedy_order(&mut self, state: &mut FrontState) -> bool {
        self.construct(state, |decoder, state| decoder.best(state), |_, _| ())
    }

    /// The same, and the logarithm of its probability.
    pub(super) fn greedy(&mut self, mut state: FrontState) -> Option<Built> {
        let mut log_probability = 0.0;
        let choose = |decoder: &mut Self, state: &FrontState| {
            let (place, end) = decoder.best(state);
            let likely = decoder.log_softmax(state.remaining().len(), 1.0);
            log_probability += likely[2 * place + end as usize];
            (place, end)
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
            (chosen / 2, End::BOTH[chosen % 2])
        };
        let is_whole = self.construct(&mut state, choose, placed);
        is_whole.then_some(Built { state, log_probability })
    }

    /// The most likely partial orders at each step; one that was reached in several ways counts once.
    pub(super) fn beam(&mut self, state: FrontState, width: usize) -> Vec<Built> {
        let mut partial = vec![Partial { state, log_probability: 0.0, names: [0; 2] }];
        let num_steps = partial[0].state.remaining().len().saturating_sub(self.left_over);
        for _ in 0..num_steps {
            let Some(mut children) = self.children(&partial) else { return Vec::new() };
            // Most likely first; ties by parent, job and end, so that the result never depends on how it was found.
            children.sort_unstable_by(|a, b| {
                let places = (a.parent, a.job, a.end).cmp(&(b.parent, b.job, b.end));
                b.log_probability.total_cmp(&a.log_probability).then(places)
            });
            let mut seen = HashSet::new();
            children.retain(|child| seen.len() < width && seen.insert(child.names));
            partial = children.into_iter().map(|child| child.grow(&partial)).collect();
        }
        // Whole orders may still differ in where their ends met.
        let mut seen = HashSet::new();
        let built = partial.into_iter();
        let built =
            built.filter(|Partial { state, .. }| !state.remaining().is_empty() || seen.insert(state.order()));
        built.map(|Partial { state, log_probability, .. }| Built { state, log_probability }).collect()
    }

    fn children(&mut self, partial: &[Partial]) -> Option<Vec<Child>> {
        let mut children = Vec::new();
        for (parent, Partial { state, log_probability, names }) in partial.iter().enumerate() {
            if !(self.goes_on)() {
                return None;
            }
            let ends = match *state.remaining() {
                // The front's name too, since that end got the job.
                [_] => &End::BOTH[..1],
                _ => &End::BOTH,
            };
            if ends.len() > 1 {
                self.score(state);
                self.log_softmax(state.remaining().len(), 1.0);
            } else {
                self.likely.clear();
                self.likely.resize(2, 0.0);
            }
            for (place, &job) in state.remaining().iter().enumerate() {
                children.extend(ends.iter().map(|&end| {
                    let mut names = *names;
                    names[end as usize] = name(names[end as usize], job);
                    let log_probability = log_probability + self.likely[2 * place + end as usize];
                    Child { log_probability, parent, job, end, names }
                }));
            }
        }
        Some(children)
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

/// A partial order of the beam.
struct Partial {
    state: FrontState,
    log_probability: f32,
    /// Names of the jobs at the front and of those at the back.
    names: [u64; 2],
}

/// A partial order and one more job.
struct Child {
    log_probability: f32,
    parent: usize,
    job: JobId,
    end: End,
    names: [u64; 2],
}

impl Child {
    fn grow(self, partial: &[Partial]) -> Partial {
        let mut state = partial[self.parent].state.clone();
        state.place(self.job, self.end);
        Partial { state, log_probability: self.log_probability, names: self.names }
    }
}

/// The name of a sequence and one more job: a mixing of 64 bits, so that two sequences hardly ever share both names.
fn name(sequence: u64, job: JobId) -> u64 {
    let mixed = (sequence ^ (u64::from(job) + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31)
}
