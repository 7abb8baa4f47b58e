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
            let values = Weighed { rows: rows.values, columns: rows.columns, from: features.start };
            // SAFETY: the caller's feature.
            unsafe { values.add_to::<V>(&weights[first..], first, &mut out[own]) }
        }
    }
}

/// Some columns of rows that are added up.
struct Weighed<'a> {
    rows: &'a [f32],
    columns: usize,
    from: usize,
}

impl Weighed<'_> {
    /// Adds as many rows from `first` on as there are weights, each times its own.
    #[inline(always)]
    unsafe fn add_to<V: RealRegister>(&self, weights: &[f32], first: usize, out: &mut [f32]) {
        let width = out.len();
        let whole = width - width % V::LANES;
        let last = (first + weights.len()) * self.columns;
        let rows = &self.rows[first * self.columns..last];
        assert!(self.from + width <= self.columns);
        for place in (0..whole).step_by(V::LANES) {
            // SAFETY: the caller's feature; the columns are inside of each row.
            unsafe {
                let mut sum = V::load(out.as_ptr().add(place));
                let mut row = rows.as_ptr().add(self.from + place);
                for &weight in weights {
                    sum = V::splat(weight).fma(V::load(row), sum);
                    row = row.wrapping_add(self.columns);
                }
                sum.store(out.as_mut_ptr().add(place));
            }
        }
        for place in whole..width {
            for (weight, row) in weights.iter().zip(rows.chunks_exact(self.columns)) {
                out[place] = weight.mul_add(row[self.from + place], out[place]);
            }
        }
    }
}

/// Adds a row times a number.
#[inline(always)]
unsafe fn add_scaled<V: RealRegister>(factor: f32, row: &[f32], out: &mut [f32]) {
    let row = &row[..out.len()];
    let whole = row.len() - row.len() % V::LANES;
    for place in (0..whole).step_by(V::LANES) {
        // SAFETY: the caller's feature; whole registers are inside.
        unsafe {
            let cell = out.as_mut_ptr().add(place);
            V::splat(factor).fma(V::load(row.as_ptr().add(place)), V::load(cell)).store(cell);
        }
    }
    for place in whole..row.len() {
        out[place] = factor.mul_add(row[place], out[place]);
    }
}

/// The sum of numbers that fill whole registers, in the same order on every path.
#[inline(always)]
fn lane_sum(numbers: &[f32]) -> f32 {
    let mut sums = [0.0f32; PAD];
    let (chunks, _) = numbers.as_chunks::<PAD>();
    for chunk in chunks {
        for lane in 0..PAD {
            sums[lane] += chunk[lane];
        }
    }
    let mut half = PAD / 2;
    while half > 0 {
        for lane in 0..half {
            sums[lane] += sums[lane + half];
        }
        half /= 2;
    }
    sums[0]
}

/// Scaled scores within the range become their softmax, the others zero.
#[inline(always)]
unsafe fn softmax<V: RealRegister>(scores: &mut [f32], range: std::ops::Range<usize>, scale: f32) {
    scores[..range.start].fill(f32::NEG_INFINITY);
    scores[range.end..].fill(f32::NEG_INFINITY);
    let mut most = [f32::NEG_INFINITY; PAD];
    let (chunks, _) = scores.as_chunks::<PAD>();
    for chunk in chunks {
        for lane in 0..PAD {
            most[lane] = most[lane].max(chunk[lane]);
        }
    }
    let mut largest = f32::NEG_INFINITY;
    for lane in most {
        largest = largest.max(lane);
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
    let share = 1.0 / lane_sum(scores);
    for score in scores.iter_mut() {
        *score *= share;
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
        let [mut slopes, mut scores, mut products] = [(); 3].map(|()| vec![0.0; padded]);
        let (slopes, scores, products) =
            (&mut slopes[..padded], &mut scores[..padded], &mut products[..padded]);
        for row in 0..n {
            let own = row * rows.columns + features.start..row * rows.columns + features.end;
            let (of_out, query) = (&of_out[own.clone()], &rows.queries[own.clone()]);
            let weights = &weights[(row * rows.heads + head) * n..][..n];
            // SAFETY: the caller's feature; the slopes are padded.
            unsafe { weigh::<V>(of_out, &values, padded, slopes) }
            // Beyond the rows of the instance all weights are zero.
            scores[..n].copy_from_slice(weights);
            for place in 0..padded {
                products[place] = slopes[place] * scores[place];
            }
            let mean = lane_sum(products);
            for place in 0..padded {
                products[place] = scale * scores[place] * (slopes[place] - mean);
            }
            let first = rows.first_seen(row);
            let keys = Weighed { rows: rows.keys, columns: rows.columns, from: features.start };
            // SAFETY: the caller's feature.
            unsafe { keys.add_to::<V>(&products[first..n], first, &mut of_queries[own]) }
            for job in first..n {
                let other = job * rows.columns + features.start..job * rows.columns + features.end;
                // SAFETY: the caller's feature.
                unsafe {
                    add_scaled::<V>(products[job], query, &mut of_keys[other.clone()]);
                    add_scaled::<V>(weights[job], of_out, &mut of_values[other]);
                }
            }
        }
    }
}
