//! What one thread does in a pass.

use pfss_core::simd::Instructions;
use pfss_core::tree::{BLOCK, Element, End, Pricer, Scoring};

use super::candidates::{Candidates, child_of};
use super::history::Entry;
use super::leaves::{Leaf, Leaves};
use super::level::Segment;
use super::outside::Outside;
use super::pieces::piece;
use super::stage::Stage;

/// New nodes between two looks at the limits.
pub(super) const NODES_PER_LOOK: usize = 4096;

/// Tells whether the pass must end.
pub(super) type MustEnd<'c> = &'c (dyn Fn() -> bool + Sync);

/// The memory of one thread, and what it made last; on cache lines that no other thread writes to.
#[repr(align(128))]
pub(super) struct Part<'p, E: Element> {
    number: usize,
    pricer: Pricer<E>,
    /// The guide from outside, where there is one.
    pub(super) outside: Option<Outside<'p>>,
    pub(super) candidates: Candidates,
    piece: Vec<u64>,
    /// New nodes and how they came about.
    pub(super) segment: Segment<E>,
    pub(super) entries: Vec<Entry>,
    /// The lanes that are open in any of the new nodes.
    pub(super) open: Vec<u32>,
    pub(super) leaves: Leaves<E>,
}

impl<'p, E: Element> Part<'p, E> {
    /// Thread number `number` of a search.
    pub(super) fn new(number: usize, num_machines: usize, instructions: Instructions) -> Self {
        Self {
            number,
            pricer: Pricer::new(instructions),
            outside: None,
            candidates: Candidates::default(),
            piece: Vec::new(),
            segment: Segment::new(num_machines),
            entries: Vec::new(),
            open: Vec::new(),
            leaves: Leaves::new(),
        }
    }

    /// Prices children of the level and keeps those that may be among the best.
    pub(super) fn price(&mut self, stage: &Stage<E>, must_end: MustEnd<'_>) {
        self.candidates.clear(stage.width, stage.threads);
        let mut since_look = 0;
        while let Some(nodes) = stage.take() {
            self.candidates.heed(&stage.marks);
            since_look += nodes.len() as u64 * stage.num_open();
            for index in nodes {
                if self.outside.is_some() {
                    self.judge_node(stage, index);
                } else {
                    self.price_node(stage, index);
                }
                self.candidates.trim(self.number, &stage.marks);
            }
            if since_look >= stage.children_per_look {
                since_look = 0;
                if must_end() {
                    stage.stop();
                }
            }
        }
        self.candidates.finish(self.number, &stage.marks);
    }

    fn price_node(&mut self, stage: &Stage<E>, index: usize) {
        let (node, weights, _) = stage.level.get(index);
        self.pricer.price(&stage.columns, node, stage.limit);
        let end = self.pricer.narrower_end();
        stage.set_end(index, end);
        let kept = self.pricer.count(end) as usize;
        if kept == 0 {
            return;
        }
        let other = weights[end.other() as usize];
        let (weighting, score) = stage.scoring;
        let scoring = Scoring { weighting, score, threshold: self.candidates.threshold() };
        let before = self.candidates.len();
        let (selected, scores) = self.pricer.score(&stage.tree, &stage.columns, node, end, scoring, other);
        let first = index as u32 * stage.columns.num_lanes() as u32;
        for (block, &selected) in selected.iter().enumerate() {
            let mut bits = selected;
            while bits != 0 {
                let lane = block * BLOCK + bits.trailing_zeros() as usize;
                self.candidates.push(scores[lane], first + lane as u32);
                bits &= bits - 1;
            }
        }
        // A score that is no number, or infinite, drops a child that only a bound may exclude.
        if self.candidates.len() - before < kept {
            self.candidates.note_dropped();
        }
    }

    /// As [`Part::price_node`], but scores are those of the guide from outside along the path.
    fn judge_node(&mut self, stage: &Stage<E>, index: usize) {
        let Some(outside) = &mut self.outside else { return };
        let (node, _, path) = stage.level.get(index);
        self.pricer.price(&stage.columns, node, stage.limit);
        let (end, surprises) = outside.look(node, stage.columns.jobs(), &self.pricer);
        stage.set_end(index, end);
        let first = index as u32 * stage.columns.num_lanes() as u32;
        for &(lane, surprise) in surprises {
            let score = path + surprise;
            if score < self.candidates.threshold() {
                self.candidates.push(score, first + lane as u32);
            } else {
                self.candidates.note_dropped();
            }
        }
    }

    /// Makes nodes of this thread's piece of the best children.
    pub(super) fn grow(&mut self, stage: &Stage<E>, must_end: MustEnd<'_>) {
        let from = (self.number * stage.piece).min(stage.survivors);
        let to = (from + stage.piece).min(stage.survivors);
        piece(&stage.keys[..stage.threads], from, to, &mut self.piece);
        self.segment.clear(stage.columns.num_blocks());
        self.entries.clear();
        let lanes = stage.columns.num_lanes() as u32;
        let weighting = stage.scoring.0;
        for (count, &key) in self.piece.iter().enumerate() {
            let (score, child) = child_of(key);
            let (index, lane) = ((child / lanes) as usize, (child % lanes) as usize);
            let end = stage.end(index);
            let job = stage.columns.jobs()[lane];
            let (parent, mut weights, _) = stage.level.get(index);
            self.segment.nodes.push_child(&stage.tree, parent, job, lane, end);
            weights[end as usize] = stage.tree.idle_weight(self.segment.nodes.get(count), end, weighting);
            self.segment.weights.push(weights);
            self.segment.scores.push(score);
            // The root has no entry: it is the one before the first.
            self.entries.push(Entry { parent: stage.first_entry.wrapping_add(index as u32), job, end });
            if count % NODES_PER_LOOK == NODES_PER_LOOK - 1 {
                if must_end() {
                    stage.stop();
                }
                if stage.is_stopped() {
                    return;
                }
            }
        }
        if stage.wants_open {
            self.segment.nodes.open_in_any(&mut self.open);
        }
    }

    /// Drops the lanes of the new nodes that no node of the level needs.
    pub(super) fn pack(&mut self, stage: &Stage<E>) {
        self.segment.nodes.keep_lanes(&stage.open);
    }

    /// Every node has one job left: its bound is the makespan.
    pub(super) fn finish(&mut self, stage: &Stage<E>, must_end: MustEnd<'_>) {
        self.leaves.clear(stage.leaves);
        let mut since_look = 0;
        while let Some(nodes) = stage.take() {
            since_look += nodes.len() as u64;
            for index in nodes {
                let (node, _, _) = stage.level.get(index);
                self.pricer.price(&stage.columns, node, self.leaves.below().unwrap_or(stage.limit));
                for (block, &kept) in self.pricer.kept(End::Front).iter().enumerate() {
                    if kept != 0 {
                        let lane = block * BLOCK + kept.trailing_zeros() as usize;
                        let cost = self.pricer.bounds(End::Front)[lane];
                        self.leaves.push(Leaf { cost, node: index, lane });
                    }
                }
            }
            if since_look >= stage.children_per_look {
                since_look = 0;
                if must_end() {
                    stage.stop();
                }
            }
        }
    }
}
