//! From logits to orders: greedy, sampled, and by beam search.

use pfss_core::simd::Instructions;
use pfss_core::{JobId, Rng};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::inference::{Attention, DecoderState, Keys};

/// How orders are built.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Decoding {
    /// The most likely job at each step.
    Greedy,
    /// The greedy order and so many drawn ones, with logits divided by the temperature.
    Sample {
        /// How many orders are drawn.
        samples: usize,
        /// Below one: nearer to greedy. Above: more varied.
        temperature: f32,
    },
    /// The most likely orders of a beam search over the sums of log-probabilities.
    Beam {
        /// How many partial orders are kept.
        width: usize,
    },
}

/// An order that a policy built, and the logarithm of its probability.
#[derive(Clone, Debug, PartialEq)]
pub struct Rollout {
    /// The jobs in order.
    pub order: Vec<JobId>,
    /// The sum of the steps' log-probabilities, at temperature one.
    pub log_probability: f32,
}

pub(crate) fn decode(
    attention: &Attention,
    instructions: Instructions,
    keys: &Keys,
    decoding: &Decoding,
    rng: &mut Rng,
    goes_on: &dyn Fn() -> bool,
) -> Vec<Rollout> {
    match *decoding {
        Decoding::Greedy => Vec::from_iter(greedy(attention, instructions, keys, goes_on)),
        Decoding::Sample { samples, temperature } => {
            let drawn =
                (0..samples).map(|_| sample(attention, instructions, keys, temperature, rng, goes_on));
            std::iter::once(greedy(attention, instructions, keys, goes_on))
                .chain(drawn)
                .map_while(|drawn| drawn)
                .collect()
        }
        Decoding::Beam { width } => beam(attention, instructions, keys, width.max(1), goes_on),
    }
}

/// Log-probabilities of the open jobs from their logits (Eq. 4 and 5).
fn log_softmax(attention: &Attention, logits: &[f32], temperature: f32) -> Vec<f32> {
    let clipped: Vec<f32> = logits.iter().map(|&logit| attention.clipped(logit) / temperature).collect();
    let largest = clipped.iter().fold(f32::NEG_INFINITY, |largest, &logit| largest.max(logit));
    let sum: f32 = clipped.iter().map(|logit| (logit - largest).exp()).sum();
    let shift = largest + sum.ln();
    clipped.into_iter().map(|logit| logit - shift).collect()
}

/// The place of the largest logit; among equal ones that of the least job.
fn best_place(state: &DecoderState) -> usize {
    let jobs = state.logits().iter().zip(state.open()).enumerate();
    let best = jobs.max_by(|(_, (a, job_a)), (_, (b, job_b))| a.total_cmp(b).then(job_b.cmp(job_a)));
    best.map_or(0, |(place, _)| place)
}

/// The order of the most likely jobs; shorter when `goes_on` says no. Takes no logarithms.
pub(crate) fn greedy_order(
    attention: &Attention,
    instructions: Instructions,
    keys: &Keys,
    goes_on: &dyn Fn() -> bool,
) -> Vec<JobId> {
    let mut state = DecoderState::new(attention, keys);
    let mut order = Vec::with_capacity(state.open().len());
    while !state.open().is_empty() && goes_on() {
        attention.logits(instructions, keys, &mut state);
        let place = best_place(&state);
        order.push(state.place(place));
    }
    order
}

fn greedy(
    attention: &Attention,
    instructions: Instructions,
    keys: &Keys,
    goes_on: &dyn Fn() -> bool,
) -> Option<Rollout> {
    construct(attention, instructions, keys, goes_on, best_place)
}

fn sample(
    attention: &Attention,
    instructions: Instructions,
    keys: &Keys,
    temperature: f32,
    rng: &mut Rng,
    goes_on: &dyn Fn() -> bool,
) -> Option<Rollout> {
    construct(attention, instructions, keys, goes_on, |state| {
        let likely = log_softmax(attention, state.logits(), temperature);
        let mut draw = rng.random::<f32>();
        let is_chosen = |log_probability: &f32| {
            draw -= log_probability.exp();
            draw < 0.0
        };
        likely.iter().position(is_chosen).unwrap_or(likely.len() - 1)
    })
}

/// Builds an order by a rule for the next place; `None` when `goes_on` says no.
fn construct(
    attention: &Attention,
    instructions: Instructions,
    keys: &Keys,
    goes_on: &dyn Fn() -> bool,
    mut choose: impl FnMut(&DecoderState) -> usize,
) -> Option<Rollout> {
    let mut state = DecoderState::new(attention, keys);
    let mut rollout = Rollout { order: Vec::with_capacity(state.open().len()), log_probability: 0.0 };
    while !state.open().is_empty() {
        if !goes_on() {
            return None;
        }
        attention.logits(instructions, keys, &mut state);
        let place = choose(&state);
        rollout.log_probability += log_softmax(attention, state.logits(), 1.0)[place];
        rollout.order.push(state.place(place));
    }
    Some(rollout)
}

fn beam(
    attention: &Attention,
    instructions: Instructions,
    keys: &Keys,
    width: usize,
    goes_on: &dyn Fn() -> bool,
) -> Vec<Rollout> {
    let start = Rollout { order: Vec::new(), log_probability: 0.0 };
    let mut partial = vec![(DecoderState::new(attention, keys), start)];
    let num_jobs = partial[0].0.open().len();
    for _ in 0..num_jobs {
        let mut children: Vec<(f32, usize, usize, JobId)> = Vec::new();
        for (index, (state, rollout)) in partial.iter_mut().enumerate() {
            if !goes_on() {
                return Vec::new();
            }
            attention.logits(instructions, keys, state);
            let likely = log_softmax(attention, state.logits(), 1.0);
            let open = likely.iter().zip(state.open()).enumerate();
            children.extend(open.map(|(place, (log_probability, &job))| {
                (rollout.log_probability + log_probability, index, place, job)
            }));
        }
        // Most likely first; ties by parent and job, so that the result never depends on how it was found.
        children.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.3.cmp(&b.3)));
        children.truncate(width);
        let grown = children.into_iter().map(|(log_probability, index, place, _)| {
            let (mut state, mut rollout) = partial[index].clone();
            rollout.order.push(state.place(place));
            rollout.log_probability = log_probability;
            (state, rollout)
        });
        partial = grown.collect();
    }
    partial.into_iter().map(|(_, rollout)| rollout).collect()
}

/// The log-probabilities of all jobs at each step of `order`.
pub(crate) fn follow(
    attention: &Attention,
    instructions: Instructions,
    keys: &Keys,
    order: &[JobId],
) -> Vec<Vec<f32>> {
    let mut state = DecoderState::new(attention, keys);
    let num_jobs = state.open().len();
    let mut steps = Vec::with_capacity(order.len());
    for &job in order {
        attention.logits(instructions, keys, &mut state);
        let mut step = vec![f32::NEG_INFINITY; num_jobs];
        for (value, &open) in log_softmax(attention, state.logits(), 1.0).iter().zip(state.open()) {
            step[open as usize] = *value;
        }
        steps.push(step);
        let Some(place) = state.open().iter().position(|&open| open == job) else { break };
        state.place(place);
    }
    steps
}
