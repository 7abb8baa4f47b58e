//! What follows for single edges from a bound: which ones a better tour cannot take, which ones it must take.

use pfss_core::JobId;

use super::ascent::Best;
use super::graph::EdgeId;
use super::state::{Edge, Infeasible, State};

const NONE: u32 = u32::MAX;

/// Memory for looking at a 1-tree.
pub(super) struct Filter {
    /// For each edge of the tree, the edges at its two ends, chained.
    heads: Vec<u32>,
    links: Vec<u32>,
    parents: Vec<JobId>,
    parent_edges: Vec<EdgeId>,
    depths: Vec<u32>,
    stack: Vec<JobId>,
    lengths: Vec<f64>,
    is_chosen: Vec<bool>,
    /// What the bound gains at least when an edge of the tree is left out.
    pub(super) replacement: Vec<f64>,
    decisions: Vec<(EdgeId, Edge)>,
}

impl Filter {
    pub(super) fn new(num_cities: usize, num_edges: usize) -> Self {
        Self {
            heads: vec![NONE; num_cities],
            links: vec![NONE; 2 * num_edges],
            parents: vec![0; num_cities],
            parent_edges: vec![NONE; num_cities],
            depths: vec![0; num_cities],
            stack: Vec::with_capacity(num_cities),
            lengths: vec![0.0; num_edges],
            is_chosen: vec![false; num_edges],
            replacement: vec![0.0; num_edges],
            decisions: Vec::new(),
        }
    }

    /// Whether an edge was chosen for the tree.
    #[inline]
    pub(super) fn is_chosen(&self, edge: EdgeId) -> bool {
        self.is_chosen[edge as usize]
    }

    /// Leaves out the free edges whose part in a 1-tree lifts its bound to the threshold, and takes those without
    /// which it is lifted there (Benchimol, van Hoeve, Régin, Rousseau, Rueher, Constraints 17 (2012)). Returns
    /// how many decisions that gave, conclusions not counted.
    pub(super) fn apply(
        &mut self,
        state: &mut State<'_>,
        special: JobId,
        best: &Best,
        threshold: f64,
    ) -> Result<usize, Infeasible> {
        self.plant(state, special, best);
        let gap = threshold - best.bound;
        self.decisions.clear();
        self.price_special(state, special, gap);
        self.price_others(state, special, gap);
        for &edge in &best.chosen {
            if self.replacement[edge as usize] >= gap {
                self.decisions.push((edge, Edge::In));
            }
        }
        for &(edge, decision) in &self.decisions {
            if state.is_free(edge) {
                state.decide(edge, decision)?;
            } else if state.edge(edge) != decision {
                return Err(Infeasible);
            }
        }
        state.propagate()?;
        Ok(self.decisions.len())
    }

    /// Lengths under the best prices, and the tree as one with a root.
    fn plant(&mut self, state: &State<'_>, special: JobId, best: &Best) {
        let graph = state.graph;
        self.heads.fill(NONE);
        self.is_chosen.fill(false);
        for (edge, &[a, b]) in (0..).zip(&graph.ends) {
            let decision = state.edge(edge);
            if decision == Edge::Out {
                continue;
            }
            self.lengths[edge as usize] =
                graph.costs[edge as usize] + (best.prices[a as usize] + best.prices[b as usize]);
            if decision == Edge::In && a != special && b != special {
                self.link(edge, a, b);
            }
        }
        for &edge in &best.chosen {
            self.is_chosen[edge as usize] = true;
            self.replacement[edge as usize] = f64::INFINITY;
            let [a, b] = graph.ends[edge as usize];
            if a != special && b != special {
                self.link(edge, a, b);
            }
        }
        let root = JobId::from(special == 0);
        self.depths[root as usize] = 0;
        self.parent_edges[root as usize] = NONE;
        self.parents[root as usize] = root;
        self.stack.clear();
        self.stack.push(root);
        while let Some(city) = self.stack.pop() {
            let mut link = self.heads[city as usize];
            while link != NONE {
                let edge = link / 2;
                if edge != self.parent_edges[city as usize] {
                    let child = graph.other(edge, city);
                    self.parents[child as usize] = city;
                    self.parent_edges[child as usize] = edge;
                    self.depths[child as usize] = self.depths[city as usize] + 1;
                    self.stack.push(child);
                }
                link = self.links[link as usize];
            }
        }
    }

    fn link(&mut self, edge: EdgeId, a: JobId, b: JobId) {
        for (side, city) in [(0, a), (1, b)] {
            let link = 2 * edge + side;
            self.links[link as usize] = self.heads[city as usize];
            self.heads[city as usize] = link;
        }
    }

    /// The edges of the special city: one that comes in pushes out the longer of the free ones in the tree.
    fn price_special(&mut self, state: &State<'_>, special: JobId, gap: f64) {
        let (mut longest, mut next) = (f64::NEG_INFINITY, f64::INFINITY);
        for &edge in state.graph.at(special) {
            if state.is_free(edge) {
                let length = self.lengths[edge as usize];
                if self.is_chosen[edge as usize] {
                    longest = longest.max(length)
                } else {
                    next = next.min(length)
                }
            }
        }
        for &edge in state.graph.at(special) {
            if state.is_free(edge) {
                if self.is_chosen[edge as usize] {
                    self.replacement[edge as usize] = next - self.lengths[edge as usize];
                } else if self.lengths[edge as usize] - longest >= gap {
                    self.decisions.push((edge, Edge::Out));
                }
            }
        }
    }

    /// All other edges: one that comes in pushes out the longest free one between its ends, and may replace each
    /// of them.
    fn price_others(&mut self, state: &State<'_>, special: JobId, gap: f64) {
        for (edge, &[a, b]) in (0..).zip(&state.graph.ends) {
            if !state.is_free(edge) || self.is_chosen[edge as usize] || a == special || b == special {
                continue;
            }
            let length = self.lengths[edge as usize];
            let mut longest = f64::NEG_INFINITY;
            let (mut a, mut b) = (a, b);
            while a != b {
                if self.depths[a as usize] < self.depths[b as usize] {
                    (a, b) = (b, a);
                }
                let above = self.parent_edges[a as usize] as usize;
                if self.is_chosen[above] {
                    longest = longest.max(self.lengths[above]);
                    let replacement = &mut self.replacement[above];
                    *replacement = replacement.min(length - self.lengths[above]);
                }
                a = self.parents[a as usize];
            }
            if length - longest >= gap {
                self.decisions.push((edge, Edge::Out));
            }
        }
    }
}
