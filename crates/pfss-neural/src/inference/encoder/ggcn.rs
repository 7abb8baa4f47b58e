//! The gated graph convolution (Eq. 1 of the paper).
//!
//! Edges are never stored: what layer `l` needs of an edge is computed again from its distance and from what the
//! layers before it made of its two jobs. The first edge product is of rank one, since the edge embedding is a
//! distance times a vector; the last layer's edges are never used. So three layers need one product per edge.

use pfss_core::simd::{Instructions, RealRegister};
use rayon::prelude::*;

use crate::graph::NeighbourGraph;
use crate::inference::linear::PAD;
use crate::inference::linear::{Linear, multiply_rows};
use crate::inference::norm::{Norm, padded};
use crate::network::{Aggregation, Weights};
use pfss_core::kernel;
use pfss_core::simd::functions::sigmoid;

/// Edges that are worked on together.
const TILE: usize = 6;

/// Jobs that one thread takes at a time.
const JOBS_PER_TASK: usize = 16;

#[derive(Clone, Debug)]
struct Layer {
    /// The maps B and C of the jobs, then E and F; the last layer has only the first two.
    jobs: Linear,
    /// The map D of the edges, in layers after the first.
    edges: Option<Linear>,
    job_norm: Norm,
    edge_norm: Norm,
}

/// The graph encoder of a trained network.
#[derive(Clone, Debug)]
pub(super) struct GraphEncoder {
    stride: usize,
    aggregation: Aggregation,
    job_embedding: Linear,
    edge_weight: Vec<f32>,
    edge_bias: Vec<f32>,
    /// The first layer's map D of an edge embedding: the part that grows with the distance, and the constant part.
    first_slope: Vec<f32>,
    first_constant: Vec<f32>,
    layers: Vec<Layer>,
}

impl GraphEncoder {
    pub(super) fn new(weights: &Weights) -> Self {
        let config = weights.config();
        let d = config.width;
        let layer = |layer: usize| {
            let linear = |name: &str| {
                let get = |what: &str| weights.get(&format!("layers.{layer}.{name}.{what}"));
                (get("weight"), get("bias"))
            };
            let is_last = layer + 1 == config.layers;
            let names: &[&str] = if is_last { &["b", "c"] } else { &["b", "c", "e", "f"] };
            let maps: Vec<(&[f32], &[f32])> = names.iter().map(|name| linear(name)).collect();
            Layer {
                jobs: Linear::stacked(&maps, d, d),
                edges: (layer > 0 && !is_last).then(|| Linear::stacked(&[linear("d")], d, d)),
                job_norm: Norm::new(weights, &format!("layers.{layer}.job_norm")),
                edge_norm: Norm::new(weights, &format!("layers.{layer}.edge_norm")),
            }
        };
        let edge = |what: &str| weights.get(&format!("edge_embedding.{what}"));
        let first = weights.get("layers.0.d.weight");
        let product = |vector: &[f32]| -> Vec<f32> {
            first.chunks_exact(d).map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
        };
        let constant: Vec<f32> =
            product(edge("bias")).iter().zip(weights.get("layers.0.d.bias")).map(|(a, b)| a + b).collect();
        Self {
            stride: d.next_multiple_of(PAD),
            aggregation: config.aggregation,
            job_embedding: Linear::stacked(
                &[(weights.get("job_embedding.weight"), weights.get("job_embedding.bias"))],
                config.num_machines,
                d,
            ),
            edge_weight: padded(edge("weight")),
            edge_bias: padded(edge("bias")),
            first_slope: padded(&product(edge("weight"))),
            first_constant: padded(&constant),
            layers: (0..config.layers).map(layer).collect(),
        }
    }

    /// The embeddings of all jobs. `features` holds the jobs' processing times, rows padded to a multiple of [`PAD`].
    /// `None` when `goes_on` said so.
    pub(super) fn encode(
        &self,
        instructions: Instructions,
        features: &[f32],
        graph: &NeighbourGraph,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<f32>> {
        let rows = graph.neighbours().len().checked_div(graph.num_neighbours());
        let num_jobs = rows.unwrap_or(1);
        let mut jobs = vec![0.0; num_jobs * self.stride];
        self.job_embedding.apply(instructions, features, &mut jobs);
        let mut mapped: Vec<Vec<f32>> = Vec::with_capacity(self.layers.len());
        for (index, layer) in self.layers.iter().enumerate() {
            let output = layer.jobs.output_stride();
            let mut maps = vec![0.0; num_jobs * output];
            maps.par_chunks_mut(JOBS_PER_TASK * output)
                .zip(jobs.par_chunks(JOBS_PER_TASK * self.stride))
                .for_each(|(maps, jobs)| layer.jobs.apply(instructions, jobs, maps));
            mapped.push(maps);
            let task = Task { encoder: self, layer: index, graph, mapped: &mapped };
            let chunks = jobs.par_chunks_mut(JOBS_PER_TASK * self.stride).enumerate();
            let is_whole = chunks.map(|(chunk, rows)| {
                if !goes_on() {
                    return false;
                }
                convolve(instructions, &task, chunk * JOBS_PER_TASK, rows);
                true
            });
            if !is_whole.all(|is_done| is_done) {
                return None;
            }
        }
        Some(jobs)
    }
}

/// One layer of the convolution.
struct Task<'t> {
    encoder: &'t GraphEncoder,
    layer: usize,
    graph: &'t NeighbourGraph,
    /// The mapped jobs of all layers so far.
    mapped: &'t [Vec<f32>],
}

impl Task<'_> {
    /// Map number `map` (B, C, E, F) of a job in a layer.
    #[inline(always)]
    fn mapped(&self, layer: usize, job: usize, map: usize) -> &[f32] {
        let (stride, row) = (self.encoder.stride, self.encoder.layers[layer].jobs.output_stride());
        &self.mapped[layer][job * row + map * stride..job * row + (map + 1) * stride]
    }
}

kernel!(convolve, convolve_jobs, fn(task: &Task<'_>, first: usize, rows: &mut [f32]));

/// Replaces the embeddings of the jobs from `first` on by those of the next layer.
#[inline(always)]
unsafe fn convolve_jobs<V: RealRegister>(task: &Task<'_>, first: usize, rows: &mut [f32]) {
    let stride = task.encoder.stride;
    let mut gathered = vec![0.0; stride];
    let mut buffers = [vec![0.0; TILE * stride], vec![0.0; TILE * stride]];
    for (index, row) in rows.chunks_exact_mut(stride).enumerate() {
        let job = first + index;
        // SAFETY: the caller's feature; all rows have the stride.
        unsafe {
            gather::<V>(task, job, &mut gathered, &mut buffers);
            let norm = &task.encoder.layers[task.layer].job_norm;
            let own = task.mapped(task.layer, job, 0);
            for (sum, own) in gathered.iter_mut().zip(own) {
                *sum += own;
            }
            norm.prepare(&mut gathered);
            for column in (0..stride).step_by(V::LANES) {
                let value = norm.apply(V::load(gathered.as_ptr().add(column)), column).max(V::splat(0.0));
                let target = row.as_mut_ptr().add(column);
                V::load(target).add(value).store(target);
            }
        }
    }
}

/// Puts together what a job's neighbours send through the gates of their edges.
#[inline(always)]
unsafe fn gather<V: RealRegister>(
    task: &Task<'_>,
    job: usize,
    gathered: &mut [f32],
    buffers: &mut [Vec<f32>; 2],
) {
    let encoder = task.encoder;
    let aggregation = encoder.aggregation;
    let (neighbours, distances) = (task.graph.neighbours_of(job), task.graph.distances_of(job));
    gathered.fill(if aggregation == Aggregation::Max { f32::NEG_INFINITY } else { 0.0 });
    // Up to the second layer an edge is computed where it is used, without passing through memory.
    let is_direct = task.layer == 0 || task.layer == 1 && !encoder.layers[0].edge_norm.needs_rows();
    for (neighbours, distances) in neighbours.chunks(TILE).zip(distances.chunks(TILE)) {
        // SAFETY: the caller's feature; all rows have the stride.
        unsafe {
            if is_direct {
                let first = FirstEdges::<V>::new(task, job, neighbours, distances);
                accumulate::<V>(task, neighbours, gathered, |edge, column| {
                    first.entering(task, edge, column)
                });
            } else {
                edges::<V>(task, job, neighbours, distances, buffers);
                let (rows, stride) = (buffers[0].as_ptr(), encoder.stride);
                accumulate::<V>(task, neighbours, gathered, |edge, column| {
                    V::load(rows.add(edge * stride + column))
                });
            }
        }
    }
    if neighbours.is_empty() {
        gathered.fill(0.0);
    } else if aggregation == Aggregation::Mean {
        let share = 1.0 / neighbours.len() as f32;
        gathered.iter_mut().for_each(|sum| *sum *= share);
    }
}

/// Adds what some neighbours send, given the values of the edges to them.
#[inline(always)]
unsafe fn accumulate<V: RealRegister>(
    task: &Task<'_>,
    neighbours: &[u32],
    gathered: &mut [f32],
    value: impl Fn(usize, usize) -> V,
) {
    let mut sent = [std::ptr::null::<f32>(); TILE];
    for (sent, &neighbour) in sent.iter_mut().zip(neighbours) {
        *sent = task.mapped(task.layer, neighbour as usize, 1).as_ptr();
    }
    let sent = &sent[..neighbours.len()];
    for column in (0..gathered.len()).step_by(V::LANES) {
        // SAFETY: the caller's feature; all rows have the length of `gathered`.
        unsafe {
            let target = gathered.as_mut_ptr().add(column);
            let mut sum = V::load(target);
            for (edge, sent) in sent.iter().enumerate() {
                let gate = sigmoid(value(edge, column));
                let sent = V::load(sent.add(column));
                sum = match task.encoder.aggregation {
                    Aggregation::Max => sum.max(gate.mul(sent)),
                    _ => gate.fma(sent, sum),
                };
            }
            sum.store(target);
        }
    }
}

/// The edges to some neighbours as they enter the first or the second layer: functions of the distance and of what the
/// first layer makes of the two jobs.
struct FirstEdges<V> {
    distances: [V; TILE],
    /// The first layer's map E of the job, and F of each neighbour.
    own: *const f32,
    others: [*const f32; TILE],
}

impl<V: RealRegister> FirstEdges<V> {
    #[inline(always)]
    unsafe fn new(task: &Task<'_>, job: usize, neighbours: &[u32], distances: &[f32]) -> Self {
        // SAFETY: the caller's feature.
        let mut edges = unsafe {
            Self { distances: [V::splat(0.0); TILE], own: std::ptr::null(), others: [std::ptr::null(); TILE] }
        };
        for (edge, (&neighbour, &distance)) in neighbours.iter().zip(distances).enumerate() {
            // SAFETY: the caller's feature.
            edges.distances[edge] = unsafe { V::splat(distance) };
            if task.layer > 0 {
                edges.others[edge] = task.mapped(0, neighbour as usize, 3).as_ptr();
            }
        }
        if task.layer > 0 {
            edges.own = task.mapped(0, job, 2).as_ptr();
        }
        edges
    }

    /// The edge as it enters the task's layer, or the second one.
    #[inline(always)]
    unsafe fn entering(&self, task: &Task<'_>, edge: usize, column: usize) -> V {
        let encoder = task.encoder;
        // SAFETY: the caller's feature; all rows are padded to the stride.
        unsafe {
            let at = |row: &[f32]| V::load(row.as_ptr().add(column));
            let distance = self.distances[edge];
            let value = distance.fma(at(&encoder.edge_weight), at(&encoder.edge_bias));
            if task.layer == 0 {
                return value;
            }
            let inner = distance.fma(at(&encoder.first_slope), at(&encoder.first_constant));
            let inner = inner.add(V::load(self.own.add(column))).add(V::load(self.others[edge].add(column)));
            value.add(encoder.layers[0].edge_norm.apply(inner, column).max(V::splat(0.0)))
        }
    }
}

/// The edges to some neighbours of a job, as they enter the task's layer (not the first), into the first buffer.
#[inline(always)]
unsafe fn edges<V: RealRegister>(
    task: &Task<'_>,
    job: usize,
    neighbours: &[u32],
    distances: &[f32],
    [edges, mapped]: &mut [Vec<f32>; 2],
) {
    let encoder = task.encoder;
    let stride = encoder.stride;
    let count = neighbours.len() * stride;
    // SAFETY: the caller's feature; all rows have the stride.
    unsafe {
        let mut next = 0;
        if encoder.layers[0].edge_norm.needs_rows() {
            for (edge, &distance) in edges.chunks_exact_mut(stride).zip(distances) {
                embed::<V>(edge, distance, &encoder.edge_weight, &encoder.edge_bias);
            }
        } else {
            let first = FirstEdges::<V>::new(task, job, neighbours, distances);
            for (edge, row) in edges[..count].chunks_exact_mut(stride).enumerate() {
                for column in (0..stride).step_by(V::LANES) {
                    first.entering(task, edge, column).store(row.as_mut_ptr().add(column));
                }
            }
            next = 1;
        }
        for (index, layer) in encoder.layers[..task.layer].iter().enumerate().skip(next) {
            match &layer.edges {
                Some(map) => multiply_rows::<V>(map, &edges[..count], &mut mapped[..count]),
                None => {
                    for (row, &distance) in mapped.chunks_exact_mut(stride).zip(distances) {
                        embed::<V>(row, distance, &encoder.first_slope, &encoder.first_constant);
                    }
                }
            }
            let own = task.mapped(index, job, 2);
            let rows = edges.chunks_exact_mut(stride).zip(mapped.chunks_exact_mut(stride));
            for ((edge, row), &neighbour) in rows.zip(neighbours) {
                let other = task.mapped(index, neighbour as usize, 3);
                let inner = |row: &[f32], column: usize| {
                    let sum = V::load(row.as_ptr().add(column)).add(V::load(own.as_ptr().add(column)));
                    sum.add(V::load(other.as_ptr().add(column)))
                };
                let is_summed = layer.edge_norm.needs_rows();
                if is_summed {
                    for column in (0..stride).step_by(V::LANES) {
                        inner(row, column).store(row.as_mut_ptr().add(column));
                    }
                    layer.edge_norm.prepare(row);
                }
                for column in (0..stride).step_by(V::LANES) {
                    let value =
                        if is_summed { V::load(row.as_ptr().add(column)) } else { inner(row, column) };
                    let value = layer.edge_norm.apply(value, column);
                    let target = edge.as_mut_ptr().add(column);
                    V::load(target).add(value.max(V::splat(0.0))).store(target);
                }
            }
        }
    }
}

/// `distance * slope + constant`.
#[inline(always)]
unsafe fn embed<V: RealRegister>(row: &mut [f32], distance: f32, slope: &[f32], constant: &[f32]) {
    for column in (0..row.len()).step_by(V::LANES) {
        // SAFETY: the caller's feature; all three are padded rows.
        unsafe {
            let constant = V::load(constant.as_ptr().add(column));
            V::splat(distance)
                .fma(V::load(slope.as_ptr().add(column)), constant)
                .store(row.as_mut_ptr().add(column));
        }
    }
}
