//! The best leaves of a pass.

use std::cmp::Ordering;

use pfss_core::tree::Element;

/// A node of the last level with the one job that is left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf<E> {
    pub(super) cost: E,
    pub(super) node: usize,
    pub(super) lane: usize,
}

impl<E: Element> Leaf<E> {
    /// By cost; among equals the node with the better score is first.
    fn compare(&self, other: &Self) -> Ordering {
        let by_cost = self.cost.partial_cmp(&other.cost).unwrap_or(Ordering::Equal);
        by_cost.then(self.node.cmp(&other.node))
    }
}

/// The best so many leaves of a stream whose nodes come in order.
pub(super) struct Leaves<E> {
    leaves: Vec<Leaf<E>>,
    most: usize,
    below: Option<E>,
}

impl<E: Element> Leaves<E> {
    pub(super) fn new() -> Self {
        Self { leaves: Vec::new(), most: 1, below: None }
    }

    /// Forgets all; the `most` best (at least one) of those to come will be kept.
    pub(super) fn clear(&mut self, most: usize) {
        self.leaves.clear();
        self.most = most.max(1);
        self.below = None;
    }

    /// Only costs below this, where there is one, can still matter: later leaves lose ties.
    pub(super) fn below(&self) -> Option<E> {
        self.below
    }

    pub(super) fn push(&mut self, leaf: Leaf<E>) {
        self.leaves.push(leaf);
        if self.leaves.len() >= self.most.saturating_mul(2) {
            self.select();
        }
    }

    fn select(&mut self) {
        if self.leaves.len() > self.most {
            self.leaves.select_nth_unstable_by(self.most - 1, Leaf::compare);
            self.leaves.truncate(self.most);
            self.below = self.leaves.last().map(|leaf| leaf.cost);
        }
    }

    /// Takes over the leaves of others.
    pub(super) fn absorb(&mut self, others: &mut Self) {
        self.leaves.append(&mut others.leaves);
    }

    /// The best, best first.
    pub(super) fn finish(&mut self) -> &[Leaf<E>] {
        self.select();
        self.leaves.sort_unstable_by(Leaf::compare);
        &self.leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_kept_whoever_found_them() {
        let cost = |node: usize| (node as u32).wrapping_mul(2_654_435_761) >> 24;
        let mut expected: Vec<(u32, usize)> = (0..3000).map(|node| (cost(node), node)).collect();
        expected.sort_unstable();
        for most in [1, 2, 10, 2999, 5000] {
            let mut parts = [Leaves::new(), Leaves::new(), Leaves::new()];
            parts.iter_mut().for_each(|part| part.clear(most));
            for node in 0..3000 {
                let part = &mut parts[node / 7 % 3];
                if part.below().is_none_or(|below| cost(node) < below) {
                    part.push(Leaf { cost: cost(node), node, lane: 0 });
                }
            }
            let [mut all, mut second, mut third] = parts;
            all.absorb(&mut second);
            all.absorb(&mut third);
            let found: Vec<(u32, usize)> = all.finish().iter().map(|leaf| (leaf.cost, leaf.node)).collect();
            assert_eq!(found, expected[..most.min(3000)]);
        }
    }
}
