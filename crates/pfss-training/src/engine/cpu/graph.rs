//! The gated sum over neighbours, and what edges are told of the jobs that they join (Eq. 1).

use pfss_core::kernel;
use pfss_core::simd::functions::sigmoid;
use pfss_core::simd::{Instructions, RealRegister};
use pfss_neural::Aggregation;

use super::memory::Cpu;
use super::pieces::{by_instance, pieces_of};
use crate::engine::Matrix;
use crate::engine::backend::Graph;

/// Jobs whose edges are one piece of work.
const JOBS_OF_PIECE: usize = 64;

/// `1 / (1 + exp(-x))` of all numbers.
#[inline(always)]
unsafe fn sigmoid_all<V: RealRegister>(from: &[f32], out: &mut [f32]) {
    let whole = from.len() - from.len() % V::LANES;
    // SAFETY: the caller's feature; whole registers are inside, and the last one is in an array of its own.
    unsafe {
        for at in (0..whole).step_by(V::LANES) {
            sigmoid(V::load(from.as_ptr().add(at))).store(out.as_mut_ptr().add(at));
        }
        if whole < from.len() {
            let mut rest = [0.0; 16];
            rest[..from.len() - whole].copy_from_slice(&from[whole..]);
            sigmoid(V::load(rest.as_ptr())).store(rest.as_mut_ptr());
            out[whole..].copy_from_slice(&rest[..from.len() - whole]);
        }
    }
}

/// What a gate multiplies a neighbour's number by, beside the gate itself.
fn share(aggregation: Aggregation, degree: usize) -> f32 {
    if aggregation == Aggregation::Mean { 1.0 / degree as f32 } else { 1.0 }
}

struct Rows<'a> {
    neighbours: &'a [u32],
    degree: usize,
    aggregation: Aggregation,
    columns: usize,
}

pub(super) fn gate(
    instructions: Instructions,
    graph: &Graph<Cpu>,
    edges: &Matrix<Cpu>,
    sent: &Matrix<Cpu>,
    own: &Matrix<Cpu>,
    gates: &Matrix<Cpu>,
    out: &Matrix<Cpu>,
) {
    let (columns, degree) = (out.columns, graph.degree);
    let (edges, sent, own) = (edges.read(), sent.read(), own.read());
    let (mut gates, mut out) = (gates.write(), out.write());
    let neighbours = graph.neighbours.as_slice();
    let aggregation = graph.aggregation;
    let (edges, sent, own) = (&*edges, &*sent, &*own);
    let each = JOBS_OF_PIECE * columns;
    let pieces = |(piece, (out, gates)): (usize, (&mut [f32], &mut [f32]))| {
        let first = piece * JOBS_OF_PIECE;
        let rows = Rows { neighbours: &neighbours[first * degree..], degree, aggregation, columns };
        let own = &own[first * columns..];
        gate_rows(instructions, &rows, &edges[first * degree * columns..], sent, own, gates, out);
    };
    use rayon::prelude::*;
    out.par_chunks_mut(each).zip(gates.par_chunks_mut(each * degree)).enumerate().for_each(pieces);
}

kernel!(
    gate_rows,
    gate_all_rows,
    fn(rows: &Rows<'_>, edges: &[f32], sent: &[f32], own: &[f32], gates: &mut [f32], out: &mut [f32])
);

#[inline(always)]
unsafe fn gate_all_rows<V: RealRegister>(
    rows: &Rows<'_>,
    edges: &[f32],
    sent: &[f32],
    own: &[f32],
    gates: &mut [f32],
    out: &mut [f32],
) {
    let columns = rows.columns;
    let share = share(rows.aggregation, rows.degree);
    for (job, out) in out.chunks_exact_mut(columns).enumerate() {
        let first = job * rows.degree;
        let of_job = first * columns..(first + rows.degree) * columns;
        // SAFETY: the caller's feature.
        unsafe { sigmoid_all::<V>(&edges[of_job.clone()], &mut gates[of_job.clone()]) }
        let own = &own[job * columns..][..columns];
        let gates = gates[of_job].chunks_exact(columns);
        let neighbours = &rows.neighbours[first..first + rows.degree];
        if rows.aggregation == Aggregation::Max {
            out.fill(f32::NEG_INFINITY);
            for (gates, &neighbour) in gates.zip(neighbours) {
                let sent = &sent[neighbour as usize * columns..][..columns];
                for ((out, gate), sent) in out.iter_mut().zip(gates).zip(sent) {
                    *out = out.max(gate * sent);
                }
            }
        } else {
            out.fill(0.0);
            for (gates, &neighbour) in gates.zip(neighbours) {
                let sent = &sent[neighbour as usize * columns..][..columns];
                for ((out, gate), sent) in out.iter_mut().zip(gates).zip(sent) {
                    *out = gate.mul_add(*sent, *out);
                }
            }
        }
        for (out, own) in out.iter_mut().zip(own) {
            *out = share.mul_add(*out, *own);
        }
    }
}

pub(super) fn gate_gradient(
    instructions: Instructions,
    graph: &Graph<Cpu>,
    gates: &Matrix<Cpu>,
    sent: &Matrix<Cpu>,
    of_out: &Matrix<Cpu>,
    of_edges: (&Matrix<Cpu>, bool),
    of_sent: (&Matrix<Cpu>, bool),
) {
    let (columns, degree, n) = (sent.columns, graph.degree, graph.jobs);
    let (gates, sent, of_out) = (gates.read(), sent.read(), of_out.read());
    let (gates, sent, of_out) = (&*gates, &*sent, &*of_out);
    let (mut edges_out, mut sent_out) = (of_edges.0.write(), of_sent.0.write());
    let (add_edges, add_sent) = (of_edges.1, of_sent.1);
    let neighbours = graph.neighbours.as_slice();
    let aggregation = graph.aggregation;
    let sizes = [n * degree * columns, n * columns];
    by_instance([&mut edges_out, &mut sent_out], sizes, |instance, [of_edges, of_sent]| {
        if !add_edges {
            of_edges.fill(0.0);
        }
        if !add_sent {
            of_sent.fill(0.0);
        }
        let jobs = instance * n..(instance + 1) * n;
        let rows = Rows {
            neighbours: &neighbours[jobs.start * degree..jobs.end * degree],
            degree,
            aggregation,
            columns,
        };
        let of_jobs = jobs.start * columns..jobs.end * columns;
        let gates = &gates[of_jobs.start * degree..of_jobs.end * degree];
        let task = Back { gates, sent: &sent[of_jobs.clone()], of_out: &of_out[of_jobs], first: jobs.start };
        gate_back(instructions, &rows, &task, of_edges, of_sent);
    });
}

/// What an instance's gradient is computed from.
struct Back<'a> {
    gates: &'a [f32],
    sent: &'a [f32],
    of_out: &'a [f32],
    /// The instance's first job.
    first: usize,
}

kernel!(
    gate_back,
    gate_back_rows,
    fn(rows: &Rows<'_>, task: &Back<'_>, of_edges: &mut [f32], of_sent: &mut [f32])
);

#[inline(always)]
unsafe fn gate_back_rows<V: RealRegister>(
    rows: &Rows<'_>,
    task: &Back<'_>,
    of_edges: &mut [f32],
    of_sent: &mut [f32],
) {
    let columns = rows.columns;
    let share = share(rows.aggregation, rows.degree);
    for (job, of_out) in task.of_out.chunks_exact(columns).enumerate() {
        let edges = job * rows.degree..(job + 1) * rows.degree;
        if rows.aggregation == Aggregation::Max {
            for (column, &slope) in of_out.iter().enumerate() {
                // The first of several that are the largest.
                let (mut most, mut best) = (edges.start, f32::NEG_INFINITY);
                for edge in edges.clone() {
                    let neighbour = (rows.neighbours[edge] as usize - task.first) * columns;
                    let value = task.gates[edge * columns + column] * task.sent[neighbour + column];
                    if value > best {
                        (most, best) = (edge, value);
                    }
                }
                let neighbour = (rows.neighbours[most] as usize - task.first) * columns;
                let (gate, sent) = (task.gates[most * columns + column], task.sent[neighbour + column]);
                of_edges[most * columns + column] += slope * sent * gate * (1.0 - gate);
                of_sent[neighbour + column] += slope * gate;
            }
            continue;
        }
        for edge in edges {
            let neighbour = (rows.neighbours[edge] as usize - task.first) * columns;
            let gates = &task.gates[edge * columns..][..columns];
            let sent = &task.sent[neighbour..][..columns];
            let of_sent = &mut of_sent[neighbour..][..columns];
            let of_edge = &mut of_edges[edge * columns..][..columns];
            let out = of_edge.iter_mut().zip(of_sent);
            for (((of_edge, of_sent), (gate, sent)), slope) in out.zip(gates.iter().zip(sent)).zip(of_out) {
                let through = share * slope * gate;
                *of_sent += through;
                *of_edge = (through * sent).mul_add(1.0 - gate, *of_edge);
            }
        }
    }
}

pub(super) fn meet(
    instructions: Instructions,
    graph: &Graph<Cpu>,
    own: &Matrix<Cpu>,
    other: &Matrix<Cpu>,
    bias: &Matrix<Cpu>,
    out: &Matrix<Cpu>,
) {
    let (columns, degree) = (out.columns, graph.degree);
    let (own, other, bias) = (own.read(), other.read(), bias.read());
    let (own, other, bias) = (&*own, &*other, &*bias);
    let neighbours = graph.neighbours.as_slice();
    let rows = JOBS_OF_PIECE * degree;
    pieces_of(&mut out.write(), columns, rows, |first, out| {
        meet_rows(
            instructions,
            &neighbours[first..],
            degree,
            &own[first / degree * columns..],
            other,
            bias,
            out,
        );
    });
}

kernel!(
    meet_rows,
    meet_all_rows,
    fn(neighbours: &[u32], degree: usize, own: &[f32], other: &[f32], bias: &[f32], out: &mut [f32])
);

#[inline(always)]
unsafe fn meet_all_rows<V: RealRegister>(
    neighbours: &[u32],
    degree: usize,
    own: &[f32],
    other: &[f32],
    bias: &[f32],
    out: &mut [f32],
) {
    let columns = bias.len();
    for (edge, (out, &neighbour)) in out.chunks_exact_mut(columns).zip(neighbours).enumerate() {
        let own = &own[edge / degree * columns..][..columns];
        let other = &other[neighbour as usize * columns..][..columns];
        for (((out, own), other), bias) in out.iter_mut().zip(own).zip(other).zip(bias) {
            *out = own + other + bias;
        }
    }
}

pub(super) fn met(
    instructions: Instructions,
    graph: &Graph<Cpu>,
    of_edges: &Matrix<Cpu>,
    out: &Matrix<Cpu>,
    add: bool,
) {
    let (columns, degree, n) = (out.columns, graph.degree, graph.jobs);
    let of_edges = of_edges.read();
    let of_edges = &*of_edges;
    let neighbours = graph.neighbours.as_slice();
    pieces_of(&mut out.write(), columns, n, |first, out| {
        if !add {
            out.fill(0.0);
        }
        let edges = first * degree..(first + n) * degree;
        let of_edges = &of_edges[edges.start * columns..edges.end * columns];
        add_to_rows(instructions, &neighbours[edges], first, columns, of_edges, out);
    });
}

kernel!(
    add_to_rows,
    add_to_all_rows,
    fn(rows: &[u32], first: usize, columns: usize, from: &[f32], out: &mut [f32])
);

#[inline(always)]
unsafe fn add_to_all_rows<V: RealRegister>(
    rows: &[u32],
    first: usize,
    columns: usize,
    from: &[f32],
    out: &mut [f32],
) {
    for (from, &row) in from.chunks_exact(columns).zip(rows) {
        let out = &mut out[(row as usize - first) * columns..][..columns];
        for (out, x) in out.iter_mut().zip(from) {
            *out += x;
        }
    }
}
