//! Self-attention: every job looks at all jobs; with residual and normalisation.

use pfss_core::simd::{Instructions, RealRegister};
use rayon::prelude::*;

use crate::inference::attention::{GROUP, LookedAt, glimpse};
use crate::inference::linear::Linear;
use crate::inference::linear::PAD;
use crate::inference::norm::Norm;
use crate::network::Weights;
use pfss_core::kernel;

/// Jobs that one thread takes at a time.
pub(super) const JOBS_PER_TASK: usize = 16;

#[derive(Clone, Debug)]
pub(super) struct SelfAttention {
    stride: usize,
    heads: usize,
    head_width: usize,
    /// Query, key and value of each job.
    maps: Linear,
    output: Linear,
    norm: Norm,
}

impl SelfAttention {
    pub(super) fn new(weights: &Weights, layer: usize) -> Self {
        let config = weights.config();
        let (d, head_width) = (config.width, config.width / config.heads);
        let get = |map: &str| weights.get(&format!("layers.{layer}.attention.{map}.weight"));
        // Scores are divided by the root of a head's width.
        let scale = 1.0 / (head_width as f32).sqrt();
        let query: Vec<f32> = get("query").iter().map(|weight| weight * scale).collect();
        Self {
            stride: d.next_multiple_of(PAD),
            heads: config.heads,
            head_width,
            maps: Linear::stacked(&[(&query, &[]), (get("key"), &[]), (get("value"), &[])], d, d),
            output: Linear::stacked(&[(get("output"), &[])], d, d),
            norm: Norm::new(weights, &format!("layers.{layer}.attention_norm")),
        }
    }

    /// Replaces the jobs' embeddings by `norm(jobs + attention(jobs))`; false when `goes_on` said so.
    pub(super) fn apply(
        &self,
        instructions: Instructions,
        jobs: &mut [f32],
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        let (stride, mapped_stride) = (self.stride, self.maps.output_stride());
        let num_jobs = jobs.len() / stride;
        let mut mapped = vec![0.0; num_jobs * mapped_stride];
        mapped
            .par_chunks_mut(JOBS_PER_TASK * mapped_stride)
            .zip(jobs.par_chunks(JOBS_PER_TASK * stride))
            .for_each(|(mapped, jobs)| self.maps.apply(instructions, jobs, mapped));
        let row = num_jobs.next_multiple_of(GROUP);
        let mut keys = vec![0.0; stride * row];
        let mut values = Vec::with_capacity(num_jobs * stride);
        for (job, mapped) in mapped.chunks_exact(mapped_stride).enumerate() {
            for (feature, &value) in mapped[stride..2 * stride].iter().enumerate() {
                keys[feature * row + job] = value;
            }
            values.extend_from_slice(&mapped[2 * stride..3 * stride]);
        }
        let at = LookedAt {
            keys: &keys,
            values: &values,
            row,
            stride,
            heads: self.heads,
            head_width: self.head_width,
        };
        let chunks =
            jobs.par_chunks_mut(JOBS_PER_TASK * stride).zip(mapped.par_chunks(JOBS_PER_TASK * mapped_stride));
        let is_whole = chunks.map(|(jobs, queries)| {
            if !goes_on() {
                return false;
            }
            look(instructions, self, &at, queries, jobs);
            true
        });
        is_whole.all(|is_done| is_done)
    }
}

kernel!(
    look,
    look_around,
    fn(attention: &SelfAttention, at: &LookedAt<'_>, queries: &[f32], jobs: &mut [f32])
);

/// Lets some jobs look at all, and adds what they see to their embeddings.
#[inline(always)]
unsafe fn look_around<V: RealRegister>(
    attention: &SelfAttention,
    at: &LookedAt<'_>,
    queries: &[f32],
    jobs: &mut [f32],
) {
    let (stride, count) = (at.stride, at.values.len() / at.stride);
    let mut scores = vec![0.0; at.heads * at.row];
    let mut seen = vec![0.0; jobs.len()];
    for (query, seen) in
        queries.chunks_exact(attention.maps.output_stride()).zip(seen.chunks_exact_mut(stride))
    {
        // SAFETY: the caller's feature; keys and scores have rows of a multiple of every register.
        unsafe { glimpse::<V>(at, count, &query[..stride], &mut scores, seen) }
    }
    let mut mapped = vec![0.0; jobs.len()];
    // SAFETY: the caller's feature; all rows have the stride.
    unsafe {
        crate::inference::linear::multiply_rows::<V>(&attention.output, &seen, &mut mapped);
        add_and_normalise::<V>(&attention.norm, &mapped, jobs, stride);
    }
}

/// Replaces rows by `norm(rows + added)`.
#[inline(always)]
pub(super) unsafe fn add_and_normalise<V: RealRegister>(
    norm: &Norm,
    added: &[f32],
    rows: &mut [f32],
    stride: usize,
) {
    for (row, added) in rows.chunks_exact_mut(stride).zip(added.chunks_exact(stride)) {
        row.iter_mut().zip(added).for_each(|(value, added)| *value += added);
        // SAFETY: the caller's feature; the row is padded.
        unsafe {
            norm.prepare(row);
            for column in (0..stride).step_by(V::LANES) {
                let target = row.as_mut_ptr().add(column);
                norm.apply(V::load(target), column).store(target);
            }
        }
    }
}
