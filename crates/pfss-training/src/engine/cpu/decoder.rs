//! What is the decoder's own: its queries, the choice of the next job, and whole orders.

use pfss_core::kernel;
use pfss_core::simd::functions::{exp, tanh};
use pfss_core::simd::{Instructions, RealRegister};
use rayon::prelude::*;

use super::memory::Cpu;
use super::pieces::by_instance;
use crate::engine::{DecoderKeys, Matrix};

pub(super) fn queries(
    start: &Matrix<Cpu>,
    first: &Matrix<Cpu>,
    last: &Matrix<Cpu>,
    graph: &Matrix<Cpu>,
    out: &Matrix<Cpu>,
) {
    let (d, n) = (out.columns, out.rows / first.rows.max(1));
    let (start, first, last, graph) = (start.read(), first.read(), last.read(), graph.read());
    let (start, first, last, graph) = (&*start, &*first, &*last, &*graph);
    by_instance([&mut out.write()], [n * d], |instance, [out]| {
        let graph = &graph[instance * d..][..d];
        let first = &first[instance * d..][..d];
        let last = &last[instance * n * d..];
        for (step, out) in out.chunks_exact_mut(d).enumerate() {
            if step == 0 {
                out.iter_mut().zip(start).zip(graph).for_each(|((out, x), graph)| *out = x + graph);
            } else {
                let last = &last[(step - 1) * d..][..d];
                for (((out, first), last), graph) in out.iter_mut().zip(first).zip(last).zip(graph) {
                    *out = first + last + graph;
                }
            }
        }
    });
}

pub(super) fn queries_gradient(of_out: &Matrix<Cpu>, of_start: &Matrix<Cpu>, of: [(&Matrix<Cpu>, bool); 3]) {
    let (d, count) = (of_out.columns, of[0].0.rows);
    let n = of_out.rows / count.max(1);
    let values = of_out.read();
    let values = &*values;
    {
        let mut of_start = of_start.write();
        for instance in 0..count {
            let of_first_step = &values[instance * n * d..][..d];
            of_start.iter_mut().zip(of_first_step).for_each(|(of, x)| *of += x);
        }
    }
    let adds = of.map(|(_, add)| add);
    let [mut of_first, mut of_last, mut of_graph] = of.map(|(matrix, _)| matrix.write());
    by_instance([&mut of_first, &mut of_last, &mut of_graph], [d, n * d, d], |instance, mut of| {
        for (of, add) in of.iter_mut().zip(adds) {
            if !add {
                of.fill(0.0);
            }
        }
        let [of_first, of_last, of_graph] = of;
        for (step, slope) in values[instance * n * d..][..n * d].chunks_exact(d).enumerate() {
            of_graph.iter_mut().zip(slope).for_each(|(of, x)| *of += x);
            if step > 0 {
                of_first.iter_mut().zip(slope).for_each(|(of, x)| *of += x);
                let of_last = &mut of_last[(step - 1) * d..][..d];
                of_last.iter_mut().zip(slope).for_each(|(of, x)| *of += x);
            }
        }
    });
}

pub(super) fn point(
    instructions: Instructions,
    products: &Matrix<Cpu>,
    (scale, clip): (f32, f32),
    probabilities: &Matrix<Cpu>,
    likely: &Matrix<Cpu>,
    entropy: &Matrix<Cpu>,
) {
    let n = products.columns;
    let (mut products, mut probabilities) = (products.write(), probabilities.write());
    let (mut likely, mut entropy) = (likely.write(), entropy.write());
    let outs: [&mut [f32]; 4] = [&mut products, &mut probabilities, &mut likely, &mut entropy];
    by_instance(outs, [n * n, n * n, 1, 1], |_, [products, probabilities, likely, entropy]| {
        point_all(instructions, scale, clip, products, probabilities, [&mut likely[0], &mut entropy[0]]);
    });
}

kernel!(
    point_all,
    point_steps,
    fn(scale: f32, clip: f32, products: &mut [f32], probabilities: &mut [f32], sums: [&mut f32; 2])
);

#[inline(always)]
unsafe fn point_steps<V: RealRegister>(
    scale: f32,
    clip: f32,
    products: &mut [f32],
    probabilities: &mut [f32],
    sums: [&mut f32; 2],
) {
    let n = products.len().isqrt();
    let mut row = vec![0.0; n.next_multiple_of(16)];
    let [likely, entropy] = sums;
    (*likely, *entropy) = (0.0, 0.0);
    for (step, (products, probabilities)) in
        products.chunks_exact_mut(n).zip(probabilities.chunks_exact_mut(n)).enumerate()
    {
        for (cell, product) in row.iter_mut().zip(&*products) {
            *cell = scale * product;
        }
        for place in (0..row.len()).step_by(V::LANES) {
            // SAFETY: the caller's feature; the row fills whole registers.
            unsafe {
                let cell = row.as_mut_ptr().add(place);
                tanh(V::load(cell)).store(cell);
            }
        }
        products.copy_from_slice(&row[..n]);
        let mut largest = f32::NEG_INFINITY;
        for &x in &row[step..n] {
            largest = largest.max(x);
        }
        let chosen = clip * (row[step] - largest);
        for place in (0..row.len()).step_by(V::LANES) {
            // SAFETY: as above.
            unsafe {
                let cell = row.as_mut_ptr().add(place);
                exp(V::load(cell).sub(V::splat(largest)).mul(V::splat(clip))).store(cell);
            }
        }
        let mut sum = 0.0;
        for &x in &row[step..n] {
            sum += x;
        }
        let log_sum = sum.ln();
        probabilities[..step].fill(0.0);
        for (place, probability) in probabilities.iter_mut().enumerate().skip(step) {
            *probability = row[place] / sum;
            *entropy -= *probability * (clip * (products[place] - largest) - log_sum);
        }
        *likely += chosen - log_sum;
    }
}

pub(super) fn point_gradient(
    tanhs: &Matrix<Cpu>,
    probabilities: &Matrix<Cpu>,
    factor: f32,
    of_likely: &Matrix<Cpu>,
    out: &Matrix<Cpu>,
) {
    let n = out.columns;
    let (tanhs, probabilities, of_likely) = (tanhs.read(), probabilities.read(), of_likely.read());
    let (tanhs, probabilities, of_likely) = (&*tanhs, &*probabilities, &*of_likely);
    by_instance([&mut out.write()], [n * n], |instance, [out]| {
        let all = instance * n * n..(instance + 1) * n * n;
        let rows = tanhs[all.clone()].chunks_exact(n).zip(probabilities[all].chunks_exact(n));
        let slope = factor * of_likely[instance];
        for (step, (out, (tanhs, probabilities))) in out.chunks_exact_mut(n).zip(rows).enumerate() {
            out[..step].fill(0.0);
            for place in step..n {
                let wanted = if place == step { 1.0 } else { 0.0 };
                let tanh = tanhs[place];
                out[place] = slope * (wanted - probabilities[place]) * (1.0 - tanh * tanh);
            }
        }
    });
}

/// Rows of the keys of one instance.
struct Keys<'a> {
    keys: &'a [f32],
    values: &'a [f32],
    logit_keys: &'a [f32],
    as_first: &'a [f32],
    as_last: &'a [f32],
    graph: &'a [f32],
    start: &'a [f32],
    heads: usize,
    clip: f32,
    sees_all: bool,
}

pub(super) fn roll_out(keys: &DecoderKeys<Cpu>, draws: Option<&Matrix<Cpu>>) -> Vec<u32> {
    let (d, n) = (keys.keys.columns, keys.jobs);
    let all = [&keys.keys, &keys.values, &keys.logit_keys, &keys.as_first, &keys.as_last].map(Matrix::read);
    let [k, v, l, first, last] = [&*all[0], &*all[1], &*all[2], &*all[3], &*all[4]];
    let (graph, start, draws) = (keys.graph.read(), keys.start.read(), draws.map(Matrix::read));
    let (graph, start, draws) = (&*graph, &*start, draws.as_deref());
    let (heads, clip, sees_all) = (keys.heads, keys.clip, keys.sees_all);
    let count = keys.keys.rows / n.max(1);
    let one = |instance: usize| {
        let part = |rows| -> &[f32] { &<&[f32]>::clone(rows)[instance * n * d..][..n * d] };
        let keys = Keys {
            keys: part(&k),
            values: part(&v),
            logit_keys: part(&l),
            as_first: part(&first),
            as_last: part(&last),
            graph: &graph[instance * d..][..d],
            start,
            heads,
            clip,
            sees_all,
        };
        build(&keys, n, draws.map(|draws| &draws[instance * n..][..n]))
    };
    (0..count).into_par_iter().flat_map_iter(one).collect()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    for (a, b) in a.iter().zip(b) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    sums.iter_mut().zip(a_rest.iter().zip(b_rest)).for_each(|(sum, (a, b))| *sum += a * b);
    sums.iter().sum()
}

/// Builds the order of one instance (Eq. 2 to 5), a job at a time.
fn build(keys: &Keys<'_>, n: usize, draws: Option<&[f32]>) -> Vec<u32> {
    let d = keys.graph.len();
    let width = d / keys.heads;
    let row = |rows: &[f32], job: usize| rows[job * d..(job + 1) * d].to_vec();
    let mut is_open = vec![true; n];
    let mut order: Vec<u32> = Vec::with_capacity(n);
    let (mut first, mut glimpse, mut weights) = (Vec::new(), vec![0.0; d], vec![0.0; n]);
    for step in 0..n {
        let mut query = keys.graph.to_vec();
        match order.last() {
            None => query.iter_mut().zip(keys.start).for_each(|(query, x)| *query += x),
            Some(&last) => {
                let last = &keys.as_last[last as usize * d..][..d];
                for ((query, first), last) in query.iter_mut().zip(&first).zip(last) {
                    *query += first + last;
                }
            }
        }
        let seen: Vec<usize> = (0..n).filter(|&job| keys.sees_all || is_open[job]).collect();
        for head in 0..keys.heads {
            let features = head * width..(head + 1) * width;
            let query = &query[features.clone()];
            let scale = 1.0 / (width as f32).sqrt();
            for &job in &seen {
                weights[job] = scale * dot(query, &keys.keys[job * d..][features.clone()]);
            }
            softmax(&mut weights, &seen);
            let glimpse = &mut glimpse[features.clone()];
            glimpse.fill(0.0);
            for &job in &seen {
                let value = &keys.values[job * d..][features.clone()];
                glimpse.iter_mut().zip(value).for_each(|(sum, x)| *sum += weights[job] * x);
            }
        }
        let open: Vec<usize> = (0..n).filter(|&job| is_open[job]).collect();
        for &job in &open {
            let product = dot(&glimpse, &keys.logit_keys[job * d..][..d]);
            weights[job] = keys.clip * (product / (d as f32).sqrt()).tanh();
        }
        let job = match draws {
            None => {
                open.iter().copied().reduce(|best, job| if weights[job] > weights[best] { job } else { best })
            }
            Some(draws) => {
                softmax(&mut weights, &open);
                let mut sum = 0.0;
                let passed = open.iter().copied().find(|&job| {
                    sum += weights[job];
                    sum > draws[step]
                });
                // Rounding may leave the whole sum below the number.
                passed.or(open.last().copied())
            }
        };
        let Some(job) = job else { break };
        if step == 0 {
            first = row(keys.as_first, job);
        }
        is_open[job] = false;
        order.push(job as u32);
    }
    order
}

/// The softmax of some of the numbers.
fn softmax(numbers: &mut [f32], of: &[usize]) {
    let largest = of.iter().fold(f32::NEG_INFINITY, |largest, &at| largest.max(numbers[at]));
    let mut sum = 0.0;
    for &at in of {
        numbers[at] = (numbers[at] - largest).exp();
        sum += numbers[at];
    }
    of.iter().for_each(|&at| numbers[at] /= sum);
}
