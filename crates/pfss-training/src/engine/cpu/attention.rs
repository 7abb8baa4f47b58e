//! Attention of several heads, an instance at a time.

use pfss_core::kernel;
use pfss_core::simd::functions::exp;
use pfss_core::simd::{Instructions, RealRegister};

use super::memory::Cpu;
use super::pieces::by_instance;
use crate::engine::Matrix;
use crate::engine::backend::Attention;

/// Rows of scores are padded to whole registers.
const PAD: usize = 16;

/// The rows of an instance.
#[derive(Clone, Copy)]
struct Rows<'a> {
    queries: &'a [f32],
    keys: &'a [f32],
    values: &'a [f32],
    jobs: usize,
    columns: usize,
    heads: usize,
    is_open_only: bool,
}

impl Rows<'_> {
    fn head_width(&self) -> usize {
        self.columns / self.heads
    }

    fn scale(&self) -> f32 {
        1.0 / (self.head_width() as f32).sqrt()
    }

    /// The first row that a row sees.
    fn first_seen(&self, row: usize) -> usize {
        if self.is_open_only { row } else { 0 }
    }
}

/// What may go to other threads.
#[derive(Clone, Copy)]
struct Shape {
    jobs: usize,
    columns: usize,
    heads: usize,
    is_open_only: bool,
}

impl Shape {
    fn of(attention: &Attention<Cpu>) -> Self {
        Self {
            jobs: attention.jobs,
            columns: attention.queries.columns,
            heads: attention.heads,
            is_open_only: attention.is_open_only,
        }
    }

    fn rows<'a>(&self, all: [&'a [f32]; 3], instance: usize) -> Rows<'a> {
        let Self { jobs, columns, heads, is_open_only } = *self;
        let [queries, keys, values] = all.map(|rows| &rows[instance * jobs * columns..][..jobs * columns]);
        Rows { queries, keys, values, jobs, columns, heads, is_open_only }
    }
}

pub(super) fn attend(
    instructions: Instructions,
    attention: &Attention<Cpu>,
    weights: &Matrix<Cpu>,
    out: &Matrix<Cpu>,
) {
    let shape = Shape::of(attention);
    let (queries, keys, values) = (attention.queries.read(), attention.keys.read(), attention.values.read());
    let all = [&*queries, &*keys, &*values];
    let (mut weights, mut out) = (weights.write(), out.write());
    let n = shape.jobs;
    by_instance(
        [&mut weights, &mut out],
        [n * shape.heads * n, n * shape.columns],
        |instance, [weights, out]| {
            look(instructions, shape.rows(all, instance), weights, out);
        },
    );
}

/// A head's columns of some rows, transposed and padded.
#[inline(always)]
fn transposed(rows: &[f32], columns: usize, head: std::ops::Range<usize>, out: &mut Vec<f32>) -> usize {
    let jobs = rows.len() / columns;
    let padded = jobs.next_multiple_of(PAD);
    out.clear();
    out.resize(head.len() * padded, 0.0);
    for (job, row) in rows.chunks_exact(columns).enumerate() {
        for (feature, &value) in row[head.clone()].iter().enumerate() {
            out[feature * padded + job] = value;
        }
    }
    padded
}

/// The products of a row with all columns of a transposed matrix.
#[inline(always)]
unsafe fn weigh<V: RealRegister>(vector: &[f32], matrix: &[f32], padded: usize, out: &mut [f32]) {
    for place in (0..padded).step_by(V::LANES) {
        // SAFETY: the caller's feature; rows are padded to whole registers.
        unsafe {
            let mut sum = V::zero();
            for (feature, &value) in vector.iter().enumerate() {
                sum = V::splat(value).fma(V::load(matrix.as_ptr().add(feature * padded + place)), sum);
            }
            sum.store(out.as_mut_ptr().add(place));
        }
    }
}

kernel!(look, look_all, fn(rows: Rows<'_>, weights: &mut [f32], out: &mut [f32]));

#[inline(always)]
unsafe fn look_all<V: RealRegister>(rows: Rows<'_>, weights: &mut [f32], out: &mut [f32]) {
    let (n, width, scale) = (rows.jobs, rows.head_width(), rows.scale());
    let mut keys = Vec::new();
    out.fill(0.0);
    for head in 0..rows.heads {
        let features = head * width..(head + 1) * width;
        let padded = transposed(rows.keys, rows.columns, features.clone(), &mut keys);
        let mut scores = vec![0.0; padded];
        for row in 0..n {
            let own = row * rows.columns + features.start..row * rows.columns + features.end;
            let first = rows.first_seen(row);
            let weights = &mut weights[(row * rows.heads + head) * n..][..n];
            // SAFETY: the caller's feature; the scores are padded.
            unsafe {
                weigh::<V>(&rows.queries[own.clone()], &keys, padded, &mut scores);
                softmax::<V>(&mut scores, first..n, scale);
            }
            weights.copy_from_slice(&scores[..n]);
            let out = &mut out[own];
            for (job, weight) in weights.iter().enumerate().skip(first) {
                let value = &rows.values[job * rows.columns..][features.clone()];
                for (out, x) in out.iter_mut().zip(value) {
                    *out = weight.mul_add(*x, *out);
                }
            }
        }
    }
}

/// Scaled scores within the range become their softmax, the others zero.
#[inline(always)]
unsafe fn softmax<V: RealRegister>(scores: &mut [f32], range: std::ops::Range<usize>, scale: f32) {
    let mut largest = f32::NEG_INFINITY;
    for &score in &scores[range.clone()] {
        largest = largest.max(score);
    }
    for place in (0..scores.len()).step_by(V::LANES) {
        // SAFETY: the caller's feature; scores fill whole registers.
        unsafe {
            let target = scores.as_mut_ptr().add(place);
            exp(V::load(target).sub(V::splat(largest)).mul(V::splat(scale))).store(target);
        }
    }
    scores[..range.start].fill(0.0);
    scores[range.end..].fill(0.0);
    let mut sum = 0.0;
    for &score in &scores[range.clone()] {
        sum += score;
    }
    for score in &mut scores[range] {
        *score /= sum;
    }
}

pub(super) fn attend_gradient(
    instructions: Instructions,
    attention: &Attention<Cpu>,
    weights: &Matrix<Cpu>,
    of_out: &Matrix<Cpu>,
    of: [(&Matrix<Cpu>, bool); 3],
) {
    let shape = Shape::of(attention);
    let (queries, keys, values) = (attention.queries.read(), attention.keys.read(), attention.values.read());
    let all = [&*queries, &*keys, &*values];
    let (weights, of_out) = (weights.read(), of_out.read());
    let (weights, of_out) = (&*weights, &*of_out);
    let adds = of.map(|(_, add)| add);
    let [mut of_queries, mut of_keys, mut of_values] = of.map(|(matrix, _)| matrix.write());
    let n = shape.jobs;
    let size = n * shape.columns;
    by_instance([&mut of_queries, &mut of_keys, &mut of_values], [size; 3], |instance, mut of| {
        for (of, add) in of.iter_mut().zip(adds) {
            if !add {
                of.fill(0.0);
            }
        }
        let weights = &weights[instance * n * shape.heads * n..][..n * shape.heads * n];
        let of_out = &of_out[instance * size..][..size];
        let [of_queries, of_keys, of_values] = of;
        look_back(instructions, shape.rows(all, instance), weights, of_out, of_queries, of_keys, of_values);
    });
}

kernel!(
    look_back,
    look_all_back,
    fn(
        rows: Rows<'_>,
        weights: &[f32],
        of_out: &[f32],
        of_queries: &mut [f32],
        of_keys: &mut [f32],
        of_values: &mut [f32],
    )
);

#[inline(always)]
unsafe fn look_all_back<V: RealRegister>(
    rows: Rows<'_>,
    weights: &[f32],
    of_out: &[f32],
    of_queries: &mut [f32],
    of_keys: &mut [f32],
    of_values: &mut [f32],
) {
    let (n, width, scale) = (rows.jobs, rows.head_width(), rows.scale());
    let mut values = Vec::new();
    for head in 0..rows.heads {
        let features = head * width..(head + 1) * width;
        let padded = transposed(rows.values, rows.columns, features.clone(), &mut values);
        let mut slopes = vec![0.0; padded];
        for row in 0..n {
            let own = row * rows.columns + features.start..row * rows.columns + features.end;
            let (of_out, query) = (&of_out[own.clone()], &rows.queries[own.clone()]);
            let weights = &weights[(row * rows.heads + head) * n..][..n];
            // SAFETY: the caller's feature; the slopes are padded.
            unsafe { weigh::<V>(of_out, &values, padded, &mut slopes) }
            let mut mean = 0.0;
            for (slope, weight) in slopes.iter().zip(weights) {
                mean += slope * weight;
            }
            for job in rows.first_seen(row)..n {
                let weight = weights[job];
                let of_score = scale * weight * (slopes[job] - mean);
                let other = job * rows.columns + features.start..job * rows.columns + features.end;
                for (of, key) in of_queries[own.clone()].iter_mut().zip(&rows.keys[other.clone()]) {
                    *of = of_score.mul_add(*key, *of);
                }
                for (of, query) in of_keys[other.clone()].iter_mut().zip(query) {
                    *of = of_score.mul_add(*query, *of);
                }
                for (of, slope) in of_values[other].iter_mut().zip(of_out) {
                    *of = weight.mul_add(*slope, *of);
                }
            }
        }
    }
}
