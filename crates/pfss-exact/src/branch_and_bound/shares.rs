//! How much of the tree is searched.

/// What part of a node's subtree each of its children is taken for, to tell how much of the tree is searched.
///
/// Children with larger bounds have smaller subtrees: each is taken for the same fraction of the one before.
pub(super) struct Shares {
    /// By the number of children: the part of the best one.
    first: Vec<f64>,
}

impl Shares {
    pub(super) const RATIO: f64 = 0.75;

    pub(super) fn new(num_jobs: usize) -> Self {
        let first = |count: usize| (1.0 - Self::RATIO) / (1.0 - Self::RATIO.powi(count as i32));
        // No children: infinite, so that what is left of the node is nothing.
        Self { first: (0..=num_jobs).map(first).collect() }
    }

    /// The part of the best of `count` children.
    #[inline(always)]
    pub(super) fn first(&self, count: usize) -> f64 {
        self.first[count]
    }
}
