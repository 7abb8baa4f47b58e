//! The jobs that can still be placed, laid out as lanes.

use super::element::Element;
use super::node::{BLOCK, Tree};
use crate::JobId;
use crate::permutation::job_id;
use crate::simd::{Aligned, WINDOW};

/// A set of jobs as columns of a table: one row of times per machine, padded to whole blocks.
///
/// A search that has placed some jobs in all of its nodes can drop their columns.
pub struct Columns<E> {
    jobs: Vec<JobId>,
    stride: usize,
    times: Aligned<E>,
    reals: Aligned<f32>,
}

impl<E: Element> Columns<E> {
    /// One column for each job of `tree`.
    pub fn all(tree: &Tree<E>) -> Self {
        let mut columns =
            Self { jobs: Vec::new(), stride: 0, times: Aligned::default(), reals: Aligned::default() };
        columns.set(tree, 0..job_id(tree.num_jobs()));
        columns
    }

    /// Replaces the columns; memory is kept.
    pub fn set(&mut self, tree: &Tree<E>, jobs: impl IntoIterator<Item = JobId>) {
        self.jobs.clear();
        self.jobs.extend(jobs);
        self.stride = self.jobs.len().div_ceil(BLOCK) * BLOCK;
        self.times.set_len(self.stride * tree.num_machines());
        // The last block's window reaches beyond the last row.
        self.reals.set_len(self.stride * tree.num_machines() + WINDOW - BLOCK);
        // The padding repeats the last job: any legal times do.
        for lane in 0..self.stride {
            let Some(&job) = self.jobs.get(lane).or(self.jobs.last()) else { return };
            for (machine, &time) in tree.job(job).iter().enumerate() {
                self.times[machine * self.stride + lane] = time;
                self.reals[machine * self.stride + lane] = time.to_f32(tree.scale());
            }
        }
    }

    /// The jobs, by lane.
    pub fn jobs(&self) -> &[JobId] {
        &self.jobs
    }

    /// The number of lanes, padding included.
    pub fn num_lanes(&self) -> usize {
        self.stride
    }

    /// The number of blocks, which is the number of mask words of a node.
    pub fn num_blocks(&self) -> usize {
        self.stride / BLOCK
    }

    pub(super) fn times(&self) -> &[E] {
        &self.times
    }

    pub(super) fn reals(&self) -> &[f32] {
        &self.reals
    }
}
