//! The network's weights as the kernels read them.

use super::FrontWeights;
use super::columns::Columns;
use super::config::{FEATURES, SCALARS};
use super::panels::{PANEL, Panels};
use super::per_candidate::PerCandidate;

/// The features that differ between candidates, in the order of the kernel: time, idle, wait, child bound, completion,
/// head, tail, child bound by jobs.
const CANDIDATE: [usize; 8] = [0, 1, 2, 4, 5, 8, 9, 11];

/// Those that all candidates of an end share: slack, front, opposite, slack by jobs, share, position, and the scalars.
pub(super) const MACHINE: [usize; 8] = [3, 6, 7, 10, 12, 13, 14, 15];

/// A network's weights as the kernels read them. Channels are padded to whole panels.
#[derive(Clone, Debug)]
pub(super) struct Scorer {
    clip: f32,
    /// From what a machine's candidates share to what they start with.
    pub(super) machine: Columns,
    pub(super) scalars: Columns,
    pub(super) mix_context: Columns,
    pub(super) score_context: Columns,
    pub(super) per_candidate: PerCandidate,
}

impl Scorer {
    pub(super) fn new(weights: &FrontWeights) -> Self {
        let config = weights.config();
        let (h, d) = (config.hidden, config.width);
        let (padded_h, padded_d) = (h.next_multiple_of(PANEL), d.next_multiple_of(PANEL));
        let get = |name: &str| weights.get(name);
        let of = |name: &str, rows: usize, columns: usize| {
            let weight = weights.get(name).to_vec();
            move |row: usize, column: usize| {
                if row < rows && column < columns { weight[row * columns + column] } else { 0.0 }
            }
        };
        let first = of("machine.0.weight", h, FEATURES);
        let candidate = of("candidate.weight", d, 2 * h + SCALARS);
        let pooled = |output: usize, input: usize| {
            let (half, channel) = (input / padded_h, input % padded_h);
            if channel < h { candidate(output, half * h + channel) } else { 0.0 }
        };
        let context = |name: &str, bias: &str| {
            let weight = of(name, d, 3 * d);
            Columns::new(get(bias), 3 * padded_d, |output, input| {
                let (third, channel) = (input / padded_d, input % padded_d);
                if channel < d { weight(output, third * d + channel) } else { 0.0 }
            })
        };
        let padded = |name: &str, size: usize| {
            let mut values = get(name).to_vec();
            values.resize(size, 0.0);
            values
        };
        Self {
            clip: config.clip,
            machine: Columns::new(get("machine.0.bias"), MACHINE.len(), |o, i| first(o, MACHINE[i])),
            scalars: Columns::new(get("candidate.bias"), SCALARS, |o, i| candidate(o, 2 * h + i)),
            mix_context: context("mix.context.weight", "mix.own.bias"),
            score_context: context("score.context.weight", "score.own.bias"),
            per_candidate: PerCandidate {
                hidden: padded_h,
                width: d,
                padded_width: padded_d,
                first: Panels::new(padded_h, CANDIDATE.len(), |o, i| first(o, CANDIDATE[i])),
                second: Panels::new(padded_h, padded_h, of("machine.1.weight", h, h)),
                second_bias: padded("machine.1.bias", padded_h),
                candidate: Panels::new(padded_d, 2 * padded_h, pooled),
                mix: Panels::new(padded_d, padded_d, of("mix.own.weight", d, d)),
                norm_weight: padded("norm.weight", padded_d),
                norm_bias: padded("norm.bias", padded_d),
                present: (0..padded_d).map(|channel| if channel < d { 1.0 } else { 0.0 }).collect(),
                score: Panels::new(padded_d, padded_d, of("score.own.weight", d, d)),
                output: padded("score.output.weight", padded_d),
                output_bias: get("score.output.bias").first().copied().unwrap_or(0.0),
            },
        }
    }

    /// Logits stay between minus and plus the clip.
    pub(super) fn clipped(&self, logit: f32) -> f32 {
        self.clip * (logit / self.clip).tanh()
    }
}
