//! Prices all children of a node at both ends at once.

use super::bounds::{Bounds, price, sum};
use super::columns::Columns;
use super::element::Element;
use super::node::{End, NodeRef, Tree, Weighting};
use super::score::{Score, Scores, score};
use crate::simd::{Aligned, Instructions};

/// How children are scored.
#[derive(Clone, Copy, Debug)]
pub struct Scoring {
    /// What the idle weight sums up.
    pub weighting: Weighting,
    /// The score from bound and idle weight.
    pub score: Score,
    /// Only scores below are wanted.
    pub threshold: f32,
}

/// The working memory of pricing; results stay readable until the next call.
pub struct Pricer<E: Element> {
    instructions: Instructions,
    rows: Vec<E::Spread>,
    real_rows: Vec<f32>,
    bounds: [Aligned<E>; 2],
    kept: [Vec<u32>; 2],
    counts: [u32; 2],
    selected: Vec<u32>,
    scores: Aligned<f32>,
}

impl<E: Element> Pricer<E> {
    /// A pricer that uses these instructions.
    pub fn new(instructions: Instructions) -> Self {
        Self {
            instructions,
            rows: Vec::new(),
            real_rows: Vec::new(),
            bounds: [Aligned::default(), Aligned::default()],
            kept: [Vec::new(), Vec::new()],
            counts: [0; 2],
            selected: Vec::new(),
            scores: Aligned::default(),
        }
    }

    /// Bounds all children of `node` at both ends; children whose bound is not below `limit` are pruned.
    pub fn price(&mut self, columns: &Columns<E>, node: NodeRef<'_, E>, limit: E) {
        for end in 0..2 {
            self.bounds[end].set_len(columns.num_lanes());
            self.kept[end].resize(columns.num_blocks(), 0);
        }
        self.rows.resize(4 * node.rows[0].len(), E::Spread::default());
        let [front_bounds, back_bounds] = &mut self.bounds;
        let [front_kept, back_kept] = &mut self.kept;
        let mut args = Bounds {
            times: columns.times(),
            stride: columns.num_lanes(),
            node,
            rows: &mut self.rows,
            limit,
            bounds: [front_bounds, back_bounds],
            kept: [front_kept, back_kept],
        };
        self.counts = price(self.instructions, &mut args);
    }

    /// How many children at `end` are not pruned.
    pub fn count(&self, end: End) -> u32 {
        self.counts[end as usize]
    }

    /// The children at `end` that are not pruned, one word per block of lanes.
    pub fn kept(&self, end: End) -> &[u32] {
        &self.kept[end as usize]
    }

    /// The bounds of the children at `end`, by lane; arbitrary where the lane is not open.
    pub fn bounds(&self, end: End) -> &[E] {
        &self.bounds[end as usize]
    }

    /// The sum of the bounds of the children at `end` that are not pruned.
    pub fn bound_sum(&self, end: End) -> f64 {
        sum(self.instructions, self.bounds(end), self.kept(end))
    }

    /// The end to branch at: the one with fewer children left, or with the larger sum of bounds
    /// (Libralesso et al. 2022).
    pub fn narrower_end(&self) -> End {
        let [front, back] = self.counts;
        let by_sum = || front > 0 && self.bound_sum(End::Back) > self.bound_sum(End::Front);
        if back < front || (back == front && by_sum()) { End::Back } else { End::Front }
    }

    /// Scores the children at `end` that the last [`price`](Self::price) of `node` kept. `other` is the idle
    /// weight of the other end. Returns the lanes whose score is below the threshold, one word per block, and
    /// the scores by lane.
    pub fn score(
        &mut self,
        tree: &Tree<E>,
        columns: &Columns<E>,
        node: NodeRef<'_, E>,
        end: End,
        scoring: Scoring,
        other: f32,
    ) -> (&[u32], &[f32]) {
        self.real_rows.resize(2 * node.rows[0].len(), 0.0);
        self.selected.clear();
        self.selected.extend_from_slice(&self.kept[end as usize]);
        self.scores.set_len(columns.num_lanes());
        let mut args = Scores {
            times: columns.reals(),
            stride: columns.num_lanes(),
            tree,
            node,
            end,
            rows: &mut self.real_rows,
            weighting: scoring.weighting,
            other,
            score: scoring.score,
            threshold: scoring.threshold,
            bounds: &self.bounds[end as usize],
            kept: &mut self.selected,
            scores: &mut self.scores,
        };
        score(self.instructions, &mut args);
        (&self.selected, &self.scores)
    }
}
