//! Nodes: fixed-stride records in one flat array.

use super::element::Element;
use crate::{Instance, JobId, Time};

/// Where a job is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// After the jobs placed first.
    Front,
    /// Before the jobs placed last.
    Back,
}

impl End {
    /// Both ends.
    pub const BOTH: [Self; 2] = [Self::Front, Self::Back];

    /// The other end.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Front => Self::Back,
            Self::Back => Self::Front,
        }
    }
}

/// What the idle weight of a node sums up over the machines of an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighting {
    /// Idle time.
    Idle,
    /// The share of idle time in the front.
    Share,
}

/// Lanes come in blocks of this many; a block whose jobs are all placed is skipped.
pub const BLOCK: usize = 32;

/// Rows by machine are padded with zeros to a multiple of this, so that loops over them need no remainder.
pub(super) const CHUNK: usize = 8;

/// The times of an instance in the form in which the tree stores them.
pub struct Tree<E> {
    num_jobs: usize,
    num_machines: usize,
    /// Job by job, each row padded.
    times: Vec<E>,
    totals: Vec<E>,
    /// How much idle time counts, by end and machine.
    weights: [Vec<f32>; 2],
    /// What times are multiplied by where scores need them in single precision.
    scale: f64,
}

/// Times beyond this, and below its reciprocal, are scaled for scores: there products and quotients in single precision might
/// overflow or vanish. Nearer to one nothing is scaled.
#[expect(clippy::cast_precision_loss, reason = "a power of two")]
const COMMON: f64 = (1u64 << 40) as f64;

/// A power of two, so that scaling rounds nothing: 1, or what brings sums of the times near to one.
fn score_scale(horizon: f64) -> f64 {
    if horizon == 0.0 || (1.0 / COMMON..=COMMON).contains(&horizon) {
        return 1.0;
    }
    // Subnormal times stay small: 2^1000 is the most that a scale is.
    (-horizon.log2().floor().clamp(-1000.0, 1000.0)).exp2()
}

impl<E: Element> Tree<E> {
    /// Sets how much idle time at one end counts on each machine; at first it counts once everywhere.
    pub fn set_weights(&mut self, end: End, weights: impl Iterator<Item = f32>) {
        for (to, weight) in self.weights[end as usize][..self.num_machines].iter_mut().zip(weights) {
            *to = weight;
        }
    }

    pub(super) fn weights(&self, end: End) -> &[f32] {
        &self.weights[end as usize]
    }

    /// The search tree of an instance. Choose `E` by [`ElementKind::of`](super::ElementKind::of).
    pub fn new<T: Time>(instance: &Instance<T>) -> Self {
        let num_machines = instance.num_machines();
        let row = num_machines.next_multiple_of(CHUNK);
        let mut times = vec![E::default(); instance.num_jobs() * row];
        let mut totals = vec![E::default(); row];
        for (stored, job) in times.chunks_exact_mut(row).zip(instance.times().chunks_exact(num_machines)) {
            for ((stored, &time), total) in stored.iter_mut().zip(job).zip(&mut totals) {
                *stored = E::from_time(time);
                *total = total.plus(*stored);
            }
        }
        let scale = score_scale(instance.horizon().to_f64());
        let weights = [vec![1.0; row], vec![1.0; row]];
        Self { num_jobs: instance.num_jobs(), num_machines, times, totals, weights, scale }
    }

    /// What times are multiplied by where scores need them in single precision: 1 but for extremely large or small reals.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The number of jobs.
    pub fn num_jobs(&self) -> usize {
        self.num_jobs
    }

    /// The number of machines.
    pub fn num_machines(&self) -> usize {
        self.num_machines
    }

    /// The times of one job, by machine.
    #[inline]
    pub fn job(&self, job: JobId) -> &[E] {
        &self.job_row(job)[..self.num_machines]
    }

    #[inline]
    fn job_row(&self, job: JobId) -> &[E] {
        let row = self.totals.len();
        &self.times[job as usize * row..(job as usize + 1) * row]
    }

    /// The work of all jobs on each machine.
    pub fn totals(&self) -> &[E] {
        &self.totals[..self.num_machines]
    }

    /// The front at one end of a node and the work placed there, chunk by chunk.
    #[inline(always)]
    pub(super) fn placed<'a>(
        &'a self,
        node: NodeRef<'a, E>,
        end: End,
    ) -> impl Iterator<Item = ([E; CHUNK], [E; CHUNK])> + 'a {
        let [front, back, remaining, front_work] = node.rows.map(|row| row.as_chunks::<CHUNK>().0);
        let totals = self.totals.as_chunks::<CHUNK>().0;
        (0..totals.len()).map(move |chunk| match end {
            End::Front => (front[chunk], front_work[chunk]),
            End::Back => {
                let mut placed = totals[chunk];
                for lane in 0..CHUNK {
                    placed[lane] = placed[lane].minus(remaining[chunk][lane]).minus(front_work[chunk][lane]);
                }
                (back[chunk], placed)
            }
        })
    }

    /// The idle weight of one end of a node: summed over the machines, idle time or its share in the front.
    pub fn idle_weight(&self, node: NodeRef<'_, E>, end: End, weighting: Weighting) -> f32 {
        let mut sums = [0f32; CHUNK];
        for ((ready, work), weights) in self.placed(node, end).zip(self.weights(end).as_chunks::<CHUNK>().0) {
            for lane in 0..CHUNK {
                let (ready, work) = (ready[lane].to_f32(self.scale), work[lane].to_f32(self.scale));
                sums[lane] += weights[lane]
                    * match weighting {
                        Weighting::Idle => ready - work,
                        Weighting::Share => (ready - work) / ready.max(f32::MIN_POSITIVE),
                    };
            }
        }
        sums.iter().sum()
    }
}

/// A node, read from [`Nodes`].
#[derive(Clone, Copy, Debug)]
pub struct NodeRef<'a, E> {
    /// When each machine becomes free after the jobs placed first (`F`).
    pub front: &'a [E],
    /// How long before the end each machine is needed by the jobs placed last (`B`).
    pub back: &'a [E],
    /// The work that is left on each machine (`R`).
    pub remaining: &'a [E],
    /// The work of the jobs placed first on each machine.
    pub front_work: &'a [E],
    /// Which lanes hold jobs that are not placed, one word per block of lanes.
    pub open: &'a [u32],
    /// The first four again, padded.
    pub(super) rows: [&'a [E]; ROWS],
    record: &'a [E],
}

impl<E> NodeRef<'_, E> {
    /// Whether the job of this lane is not placed.
    #[inline]
    pub fn is_open(&self, lane: usize) -> bool {
        self.open[lane / BLOCK] >> (lane % BLOCK) & 1 == 1
    }
}

/// Many nodes of one search.
#[derive(Clone)]
pub struct Nodes<E> {
    num_machines: usize,
    /// The padded number of machines.
    row: usize,
    num_blocks: usize,
    len: usize,
    records: Vec<E>,
    open: Vec<u32>,
}

/// Rows of a record: front, back, remaining, front work.
const ROWS: usize = 4;

impl<E: Element> Nodes<E> {
    /// No nodes.
    pub fn new(num_machines: usize) -> Self {
        let row = num_machines.next_multiple_of(CHUNK);
        Self { num_machines, row, num_blocks: 0, len: 0, records: Vec::new(), open: Vec::new() }
    }

    /// How many bytes a node takes.
    pub fn bytes_per_node(num_jobs: usize, num_machines: usize) -> usize {
        ROWS * num_machines.next_multiple_of(CHUNK) * size_of::<E>()
            + num_jobs.div_ceil(BLOCK) * size_of::<u32>()
    }

    /// Removes all nodes; those to come have `num_blocks` blocks of lanes. Memory is kept.
    pub fn clear(&mut self, num_blocks: usize) {
        self.len = 0;
        self.num_blocks = num_blocks;
        self.records.clear();
        self.open.clear();
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds the root: nothing is placed, every job has the lane of its number.
    pub fn push_root(&mut self, tree: &Tree<E>) {
        self.records.extend(std::iter::repeat_n(E::default(), 2 * self.row));
        self.records.extend_from_slice(&tree.totals);
        self.records.extend(std::iter::repeat_n(E::default(), self.row));
        let num_jobs = tree.num_jobs();
        self.open.extend((0..self.num_blocks).map(|block| {
            let lanes = num_jobs.saturating_sub(block * BLOCK);
            if lanes >= BLOCK { u32::MAX } else { (1 << lanes) - 1 }
        }));
        self.len += 1;
    }

    /// The node number `index`.
    #[inline]
    pub fn get(&self, index: usize) -> NodeRef<'_, E> {
        let (m, row) = (self.num_machines, self.row);
        let record = &self.records[index * ROWS * row..(index + 1) * ROWS * row];
        let (front, rest) = record.split_at(row);
        let (back, rest) = rest.split_at(row);
        let (remaining, front_work) = rest.split_at(row);
        let open = &self.open[index * self.num_blocks..(index + 1) * self.num_blocks];
        NodeRef {
            front: &front[..m],
            back: &back[..m],
            remaining: &remaining[..m],
            front_work: &front_work[..m],
            open,
            rows: [front, back, remaining, front_work],
            record,
        }
    }

    /// Drops all nodes from number `len` on.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        if len < self.len {
            self.len = len;
            self.records.truncate(len * ROWS * self.row);
            self.open.truncate(len * self.num_blocks);
        }
    }

    /// Adds the child of `parent` (a node of the same lanes, held elsewhere) that places `job`, the job of
    /// `lane`, at `end`.
    #[inline]
    pub fn push_child(&mut self, tree: &Tree<E>, parent: NodeRef<'_, E>, job: JobId, lane: usize, end: End) {
        self.records.extend_from_slice(parent.record);
        self.open.extend_from_slice(parent.open);
        self.place_in_last(tree, job, lane, end);
    }

    /// Adds the child of node number `parent` of these nodes that places `job`, the job of `lane`, at `end`.
    #[inline]
    pub fn push_child_of(&mut self, tree: &Tree<E>, parent: usize, job: JobId, lane: usize, end: End) {
        let record = ROWS * self.row;
        self.records.extend_from_within(parent * record..(parent + 1) * record);
        self.open.extend_from_within(parent * self.num_blocks..(parent + 1) * self.num_blocks);
        self.place_in_last(tree, job, lane, end);
    }

    /// Places a job in the copy of its parent that was added last.
    #[inline(always)]
    fn place_in_last(&mut self, tree: &Tree<E>, job: JobId, lane: usize, end: End) {
        let (m, row) = (self.num_machines, self.row);
        let times = tree.job_row(job);
        let from = self.records.len() - ROWS * row;
        let record = &mut self.records[from..];
        let (front, rest) = record.split_at_mut(row);
        let (back, rest) = rest.split_at_mut(row);
        let (remaining, front_work) = rest.split_at_mut(row);
        let mut free = E::default();
        match end {
            End::Front => {
                for (front, &time) in front[..m].iter_mut().zip(&times[..m]) {
                    free = free.larger(*front).plus(time);
                    *front = free;
                }
                by_chunk(front_work, times, E::plus);
            }
            End::Back => {
                for (back, &time) in back[..m].iter_mut().zip(&times[..m]).rev() {
                    free = free.larger(*back).plus(time);
                    *back = free;
                }
            }
        }
        by_chunk(remaining, times, E::minus);
        let open_from = self.open.len() - self.num_blocks;
        self.open[open_from + lane / BLOCK] &= !(1 << (lane % BLOCK));
        self.len += 1;
    }

    /// Sets, in `union`, every lane that is open in some node.
    pub fn open_in_any(&self, union: &mut Vec<u32>) {
        union.clear();
        union.resize(self.num_blocks, 0);
        for open in self.open.chunks_exact(self.num_blocks.max(1)) {
            for (union, open) in union.iter_mut().zip(open) {
                *union |= open;
            }
        }
    }

    /// Drops all lanes but those of `kept`, which must hold every open lane of every node; the kept lanes
    /// move together in their order.
    #[expect(clippy::cast_possible_truncation, reason = "the low half is written, and then shifted out")]
    pub fn keep_lanes(&mut self, kept: &[u32]) {
        let num_blocks = kept.iter().map(|bits| bits.count_ones() as usize).sum::<usize>().div_ceil(BLOCK);
        let old_blocks = self.num_blocks;
        for node in 0..self.len {
            let mut packed = 0u64;
            let mut filled = 0;
            let mut target = node * num_blocks;
            for (block, &kept) in kept.iter().enumerate() {
                // Never behind the reader: packing only shortens.
                let open = self.open[node * old_blocks + block];
                packed |= u64::from(extract_bits(open, kept)) << filled;
                filled += kept.count_ones();
                if filled >= 32 {
                    self.open[target] = packed as u32;
                    target += 1;
                    packed >>= 32;
                    filled -= 32;
                }
            }
            if target < (node + 1) * num_blocks {
                self.open[target] = packed as u32;
            }
        }
        self.num_blocks = num_blocks;
        self.open.truncate(self.len * num_blocks);
    }
}

/// Changes each item of a padded row.
#[inline(always)]
fn by_chunk<E: Element>(row: &mut [E], times: &[E], change: impl Fn(E, E) -> E) {
    for (row, times) in row.as_chunks_mut::<CHUNK>().0.iter_mut().zip(times.as_chunks::<CHUNK>().0) {
        for (item, &time) in row.iter_mut().zip(times) {
            *item = change(*item, time);
        }
    }
}

/// The bits of `value` at the places of `mask`, moved together.
fn extract_bits(value: u32, mask: u32) -> u32 {
    if mask == u32::MAX {
        return value;
    }
    let mut rest = value & mask;
    let mut result = 0;
    while rest != 0 {
        let place = rest.trailing_zeros();
        result |= 1 << (mask & ((1 << place) - 1)).count_ones();
        rest &= rest - 1;
    }
    result
}
