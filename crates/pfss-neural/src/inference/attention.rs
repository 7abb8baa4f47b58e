//! The attention decoder (Eq. 2 to 5 of the paper), one step at a time.

use pfss_core::simd::{Instructions, RealRegister};

use super::linear::Linear;
use super::linear::PAD;
use crate::network::{Glimpse, Weights};
use pfss_core::kernel;
use pfss_core::simd::functions::exp;

/// Jobs are laid out in groups of this many.
pub(super) const GROUP: usize = 16;

/// The decoder of a trained network.
#[derive(Clone, Debug)]
pub(crate) struct Attention {
    stride: usize,
    heads: usize,
    head_width: usize,
    clip: f32,
    glimpse: Glimpse,
    /// Of each job: key, value, logit key, and its part of the context as first and as last job.
    jobs: Linear,
    graph_context: Linear,
    /// The context of the first step.
    start: Vec<f32>,
}

/// What the decoder needs to know of an instance's jobs.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    num_jobs: usize,
    /// The length of a row that holds a number per job.
    row: usize,
    /// Transposed: a row per feature. The logit keys include the output projection.
    keys: Vec<f32>,
    logit_keys: Vec<f32>,
    /// A row per job.
    values: Vec<f32>,
    as_first: Vec<f32>,
    as_last: Vec<f32>,
    graph: Vec<f32>,
}

impl Attention {
    pub(crate) fn new(weights: &Weights) -> Self {
        let config = weights.config();
        let (d, head_width) = (config.width, config.width / config.heads);
        let jobs = weights.get("decoder.jobs.weight");
        let step = weights.get("decoder.step_context.weight");
        // The step context takes the first and the last job side by side: one half of each row for either.
        let half = |which: usize| -> Vec<f32> {
            step.chunks_exact(2 * d).flat_map(|row| row[which * d..(which + 1) * d].iter().copied()).collect()
        };
        // Queries are divided by the root of a head's width, logits by that of the whole (Eq. 4).
        let query_scale = 1.0 / (head_width as f32).sqrt();
        let scaled = |map: &[f32]| -> Vec<f32> { map.iter().map(|weight| weight * query_scale).collect() };
        let (as_first, as_last) = (scaled(&half(0)), scaled(&half(1)));
        let logit_keys = fold_output(weights.get("decoder.output.weight"), &jobs[2 * d * d..], d);
        let maps: [(&[f32], &[f32]); 5] = [
            (&jobs[..d * d], &[]),
            (&jobs[d * d..2 * d * d], &[]),
            (&logit_keys, &[]),
            (&as_first, &[]),
            (&as_last, &[]),
        ];
        let placeholders = weights.get("decoder.placeholders");
        let start = step.chunks_exact(2 * d).map(|row| {
            query_scale * row.iter().zip(placeholders).map(|(weight, value)| weight * value).sum::<f32>()
        });
        let mut start: Vec<f32> = start.collect();
        start.resize(d.next_multiple_of(PAD), 0.0);
        Self {
            stride: d.next_multiple_of(PAD),
            heads: config.heads,
            head_width,
            clip: config.clip,
            glimpse: config.glimpse,
            jobs: Linear::stacked(&maps, d, d),
            graph_context: Linear::stacked(
                &[(&scaled(weights.get("decoder.graph_context.weight")), &[])],
                d,
                d,
            ),
            start,
        }
    }

    /// Prepares an instance from its jobs' embeddings and their mean.
    pub(crate) fn keys(&self, instructions: Instructions, jobs: &[f32], mean: &[f32]) -> Keys {
        let (stride, num_jobs) = (self.stride, jobs.len() / self.stride);
        let output = self.jobs.output_stride();
        let mut mapped = vec![0.0; num_jobs * output];
        self.jobs.apply(instructions, jobs, &mut mapped);
        let mut graph = vec![0.0; stride];
        self.graph_context.apply(instructions, mean, &mut graph);
        let row = num_jobs.next_multiple_of(GROUP);
        let take = |map: usize| -> Vec<f32> {
            let mut rows = Vec::with_capacity(num_jobs * stride);
            for mapped in mapped.chunks_exact(output) {
                rows.extend_from_slice(&mapped[map * stride..(map + 1) * stride]);
            }
            rows
        };
        let transposed = |map: usize| -> Vec<f32> {
            let mut rows = vec![0.0; stride * row];
            for (job, mapped) in mapped.chunks_exact(output).enumerate() {
                for (feature, value) in mapped[map * stride..(map + 1) * stride].iter().enumerate() {
                    rows[feature * row + job] = *value;
                }
            }
            rows
        };
        Keys {
            num_jobs,
            row,
            keys: transposed(0),
            values: take(1),
            logit_keys: transposed(2),
            as_first: take(3),
            as_last: take(4),
            graph,
        }
    }

    /// The query of a step: after no job, or after the first and the last one so far (Eq. 2).
    fn query(&self, keys: &Keys, placed: Option<(usize, usize)>, query: &mut [f32]) {
        let stride = self.stride;
        match placed {
            None => {
                for ((query, graph), start) in query.iter_mut().zip(&keys.graph).zip(&self.start) {
                    *query = graph + start;
                }
            }
            Some((first, last)) => {
                let first = &keys.as_first[first * stride..(first + 1) * stride];
                let last = &keys.as_last[last * stride..(last + 1) * stride];
                for (((query, graph), first), last) in query.iter_mut().zip(&keys.graph).zip(first).zip(last)
                {
                    *query = graph + first + last;
                }
            }
        }
    }

    /// The logits of the jobs in `open` (places in `open`'s order), before clipping.
    pub(crate) fn logits(&self, instructions: Instructions, keys: &Keys, state: &mut DecoderState) {
        self.query(keys, state.placed, &mut state.query);
        attend(instructions, self, keys, state);
    }

    /// `r tanh(u)`, which keeps logits within the clip (Eq. 4).
    pub(crate) fn clipped(&self, logit: f32) -> f32 {
        self.clip * logit.tanh()
    }
}

/// The logit of job `j` is `(W_out g) . (W_key h_j) / sqrt(d)` for a glimpse `g`: the same as `g . (W_out^T W_key h_j)`.
fn fold_output(output: &[f32], logit_keys: &[f32], d: usize) -> Vec<f32> {
    let scale = 1.0 / (d as f64).sqrt();
    let mut folded = vec![0.0; d * d];
    let mut sums = vec![0.0f64; d];
    for (row, folded) in folded.chunks_exact_mut(d).enumerate() {
        sums.fill(0.0);
        for (inner, keys) in logit_keys.chunks_exact(d).enumerate() {
            let factor = f64::from(output[inner * d + row]);
            sums.iter_mut().zip(keys).for_each(|(sum, key)| *sum += factor * f64::from(*key));
        }
        folded.iter_mut().zip(&sums).for_each(|(folded, sum)| *folded = (sum * scale) as f32);
    }
    folded
}

/// The state of one construction: which jobs are open, with their keys side by side; behind them those of placed jobs,
/// where these are looked at.
#[derive(Clone, Debug)]
pub(crate) struct DecoderState {
    glimpse_at: Glimpse,
    stride: usize,
    row: usize,
    open: Vec<u32>,
    keys: Vec<f32>,
    logit_keys: Vec<f32>,
    values: Vec<f32>,
    /// The first and the last job placed.
    placed: Option<(usize, usize)>,
    query: Vec<f32>,
    /// By head and place.
    scores: Vec<f32>,
    glimpse: Vec<f32>,
    logits: Vec<f32>,
}

impl DecoderState {
    /// Nothing is placed.
    pub(crate) fn new(attention: &Attention, keys: &Keys) -> Self {
        Self {
            glimpse_at: attention.glimpse,
            stride: attention.stride,
            row: keys.row,
            open: (0..keys.num_jobs as u32).collect(),
            keys: keys.keys.clone(),
            logit_keys: keys.logit_keys.clone(),
            values: keys.values.clone(),
            placed: None,
            query: vec![0.0; attention.stride],
            scores: vec![0.0; attention.heads * keys.row],
            glimpse: vec![0.0; attention.stride],
            logits: vec![0.0; keys.row],
        }
    }

    /// The open jobs, in the order of [`DecoderState::logits`].
    pub(crate) fn open(&self) -> &[u32] {
        &self.open
    }

    /// The logits of the open jobs that [`Attention::logits`] computed.
    pub(crate) fn logits(&self) -> &[f32] {
        &self.logits[..self.open.len()]
    }

    /// Places the job that stands at `place` among the open ones; the last of these takes its place.
    pub(crate) fn place(&mut self, place: usize) -> u32 {
        let job = self.open.swap_remove(place);
        let (last, stride) = (self.open.len(), self.stride);
        if place < last {
            for row in self.logit_keys.chunks_exact_mut(self.row) {
                row[place] = row[last];
            }
            let (before, after) = self.values.split_at_mut(last * stride);
            let (value, last_value) = (&mut before[place * stride..][..stride], &mut after[..stride]);
            let keys = self.keys.chunks_exact_mut(self.row);
            match self.glimpse_at {
                Glimpse::Open => {
                    keys.for_each(|row| row[place] = row[last]);
                    value.copy_from_slice(last_value);
                }
                Glimpse::All => {
                    keys.for_each(|row| row.swap(place, last));
                    value.swap_with_slice(last_value);
                }
            }
        }
        let first = self.placed.map_or(job as usize, |(first, _)| first);
        self.placed = Some((first, job as usize));
        job
    }
}

kernel!(attend, attend_open, fn(attention: &Attention, keys: &Keys, state: &mut DecoderState));

/// Eq. 3 and the inner product of Eq. 4 for all open jobs.
#[inline(always)]
unsafe fn attend_open<V: RealRegister>(attention: &Attention, keys: &Keys, state: &mut DecoderState) {
    let (count, row) = (state.open.len(), state.row);
    let seen = if attention.glimpse == Glimpse::All { keys.num_jobs } else { count };
    let padded = count.next_multiple_of(GROUP).min(row);
    let looked_at = LookedAt {
        keys: &state.keys,
        values: &state.values,
        row,
        stride: state.stride,
        heads: attention.heads,
        head_width: attention.head_width,
    };
    // SAFETY: the caller's feature; rows hold `padded` places, a multiple of every register.
    unsafe { glimpse::<V>(&looked_at, seen, &state.query, &mut state.scores, &mut state.glimpse) }
    let all = 0..attention.heads * attention.head_width;
    // SAFETY: as above.
    unsafe { weigh::<V>(&state.logit_keys, row, &state.glimpse, all, &mut state.logits[..padded]) }
}

/// What attention looks at.
pub(super) struct LookedAt<'a> {
    /// Transposed: a row per feature, each of length `row`.
    pub(super) keys: &'a [f32],
    /// A row per job, each of length `stride`.
    pub(super) values: &'a [f32],
    pub(super) row: usize,
    pub(super) stride: usize,
    pub(super) heads: usize,
    pub(super) head_width: usize,
}

/// Attention of all heads to the first `count` jobs: the weighted means of their values (Eq. 3). `scores` has a row per
/// head.
#[inline(always)]
pub(super) unsafe fn glimpse<V: RealRegister>(
    at: &LookedAt<'_>,
    count: usize,
    query: &[f32],
    scores: &mut [f32],
    glimpse: &mut [f32],
) {
    let row = at.row;
    let padded = count.next_multiple_of(GROUP).min(row);
    for head in 0..at.heads {
        let features = head * at.head_width..(head + 1) * at.head_width;
        let scores = &mut scores[head * row..(head + 1) * row];
        // SAFETY: the caller's feature; rows hold `padded` places, a multiple of every register.
        let sum = unsafe {
            weigh::<V>(at.keys, row, query, features.clone(), &mut scores[..padded]);
            softmax::<V>(&mut scores[..padded], count)
        };
        let glimpse = &mut glimpse[features.clone()];
        glimpse.fill(0.0);
        let values = at.values.chunks_exact(at.stride).zip(&scores[..count]);
        for (value, &score) in values {
            for (glimpse, &value) in glimpse.iter_mut().zip(&value[features.clone()]) {
                *glimpse = score.mul_add(value, *glimpse);
            }
        }
        glimpse.iter_mut().for_each(|value| *value /= sum);
    }
}

/// The inner products of `vector` with all columns of `rows`, over some features.
#[inline(always)]
unsafe fn weigh<V: RealRegister>(
    rows: &[f32],
    row: usize,
    vector: &[f32],
    features: std::ops::Range<usize>,
    products: &mut [f32],
) {
    for place in (0..products.len()).step_by(V::LANES) {
        // SAFETY: the caller's feature; each row holds the places of `products`.
        unsafe {
            let mut sum = V::splat(0.0);
            for feature in features.clone() {
                let column = V::load(rows.as_ptr().add(feature * row + place));
                sum = V::splat(vector[feature]).fma(column, sum);
            }
            sum.store(products.as_mut_ptr().add(place));
        }
    }
}

/// Replaces the first `count` scores by `exp(score - largest)` and the others by zero; returns the sum.
#[inline(always)]
unsafe fn softmax<V: RealRegister>(scores: &mut [f32], count: usize) -> f32 {
    let largest = scores[..count].iter().fold(f32::NEG_INFINITY, |largest, &score| largest.max(score));
    for place in (0..scores.len()).step_by(V::LANES) {
        // SAFETY: the caller's feature; the scores fill whole registers.
        unsafe {
            let target = scores.as_mut_ptr().add(place);
            exp(V::load(target).sub(V::splat(largest))).store(target);
        }
    }
    scores[count..].fill(0.0);
    // Eight sums side by side on every path.
    let mut sums = [0.0f32; 8];
    for chunk in scores.as_chunks::<8>().0 {
        sums.iter_mut().zip(chunk).for_each(|(sum, score)| *sum += score);
    }
    sums.iter().sum()
}
