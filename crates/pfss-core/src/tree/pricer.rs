//! Prices all children of a node at both ends at once.

use super::aligned::Aligned;
use super::kernel::{Bounds, Scores, score};
use super::{Columns, Element, End, NodeRef, Path, Score, Tree};

/// What the idle weight of a child sums up over the machines of one end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighting {
    /// Idle time.
    Idle,
    /// Idle time divided by the front: the share of the time so far that was lost.
    Share,
}

/// The working memory of pricing; results stay readable until the next call.
pub struct Pricer<E: Element> {
    path: Path,
    steps: Vec<[E::Spread; 4]>,
    real_steps: Vec<[f32; 2]>,
    bounds: [Aligned<E>; 2],
    kept: [Vec<u32>; 2],
    counts: [u32; 2],
    selected: Vec<u32>,
    scores: Aligned<f32>,
}

impl<E: Element> Pricer<E> {
    /// A pricer that uses `path`, or the widest path of this processor where it lacks that one.
    pub fn new(path: Path) -> Self {
        Self {
            path: path.or_detected(),
            steps: Vec::new(),
            real_steps: Vec::new(),
            bounds: [Aligned::new(), Aligned::new()],
            kept: [Vec::new(), Vec::new()],
            counts: [0; 2],
            selected: Vec::new(),
            scores: Aligned::new(),
        }
    }

    /// Bounds all children of `node` at both ends; children whose bound is not below `limit` are pruned.
    pub fn price(&mut self, columns: &Columns<E>, node: NodeRef<'_, E>, limit: E) {
        let lanes = columns.num_lanes();
        for end in 0..2 {
            self.bounds[end].set_len(lanes);
            self.kept[end].resize(columns.num_blocks(), 0);
        }
        self.steps.clear();
        let (front, back) = (node.front.iter(), node.back.iter());
        let ascending = front.clone().zip(back.clone()).zip(node.remaining);
        let descending = front.zip(back).zip(node.remaining).rev();
        self.steps.extend(ascending.zip(descending).map(|(((&f, &b), &r), ((&f_rev, &b_rev), &r_rev))| {
            [f.spread(), r.plus(b).spread(), b_rev.spread(), r_rev.plus(f_rev).spread()]
        }));
        let [front_bounds, back_bounds] = &mut self.bounds;
        let [front_kept, back_kept] = &mut self.kept;
        self.counts = E::price(
            self.path,
            &mut Bounds {
                times: columns.times(),
                stride: lanes,
                steps: &self.steps,
                open: node.open,
                limit: (limit, limit.spread()),
                bounds: [front_bounds, back_bounds],
                kept: [front_kept, back_kept],
            },
        );
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
        E::sum(self.path, self.bounds(end), self.kept(end))
    }

    /// The end to branch at: the one with fewer children left, or with the larger sum of bounds
    /// (Libralesso et al. 2022).
    pub fn narrower_end(&self) -> End {
        let [front, back] = self.counts;
        let back_is_narrower = back < front
            || (back == front && front > 0 && self.bound_sum(End::Back) > self.bound_sum(End::Front));
        if back_is_narrower { End::Back } else { End::Front }
    }

    /// Scores the children at `end` that the last [`price`](Self::price) of `node` kept. `other` is the idle
    /// weight of the other end. Returns the lanes whose score is below `threshold`, one word per block, and
    /// the scores by lane.
    #[allow(clippy::too_many_arguments)]
    pub fn score(
        &mut self,
        tree: &Tree<E>,
        columns: &Columns<E>,
        node: NodeRef<'_, E>,
        end: End,
        weighting: Weighting,
        score_by: Score,
        other: f32,
        threshold: f32,
    ) -> (&[u32], &[f32]) {
        self.set_real_steps(tree, node, end);
        self.selected.clear();
        self.selected.extend_from_slice(&self.kept[end as usize]);
        self.scores.set_len(columns.num_lanes());
        score(
            self.path,
            &mut Scores {
                times: columns.reals(),
                stride: columns.num_lanes(),
                steps: &self.real_steps,
                reversed: end == End::Back,
                relative: weighting == Weighting::Share,
                other,
                score: score_by,
                threshold,
                bounds: &self.bounds[end as usize],
                kept: &mut self.selected,
                scores: &mut self.scores,
            },
        );
        (&self.selected, &self.scores)
    }

    /// The fronts and the work placed at `end`, in single precision, in the order of its machines.
    fn set_real_steps(&mut self, tree: &Tree<E>, node: NodeRef<'_, E>, end: End) {
        self.real_steps.clear();
        match end {
            End::Front => {
                let steps = node.front.iter().zip(node.front_work);
                self.real_steps.extend(steps.map(|(front, work)| [front.to_f32(), work.to_f32()]));
            }
            End::Back => {
                let placed = tree.totals().iter().zip(node.remaining).zip(node.front_work);
                let steps = node.back.iter().zip(placed).rev();
                self.real_steps.extend(steps.map(|(back, ((&total, &left), &work))| {
                    [back.to_f32(), total.minus(left).minus(work).to_f32()]
                }));
            }
        }
    }

    /// The idle weight of one end of a node.
    pub fn idle_weight(tree: &Tree<E>, node: NodeRef<'_, E>, end: End, weighting: Weighting) -> f32 {
        let mut weight = 0.0;
        let mut add = |front: E, work: E| {
            let idle = front.to_f32() - work.to_f32();
            weight += match weighting {
                Weighting::Idle => idle,
                Weighting::Share => idle / front.to_f32().max(f32::MIN_POSITIVE),
            };
        };
        for (machine, &total) in tree.totals().iter().enumerate() {
            match end {
                End::Front => add(node.front[machine], node.front_work[machine]),
                End::Back => {
                    let work = total.minus(node.remaining[machine]).minus(node.front_work[machine]);
                    add(node.back[machine], work);
                }
            }
        }
        weight
    }
}
