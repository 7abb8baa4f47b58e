//! Guides made by hand: scores of bounds and idle time, computed on vector registers for all children of a node.

use pfss_core::tree::{Score, Weighting};

use super::weighing::Weighing;

pfss_core::choice! {
    /// A guide made by hand: which children of a level survive (Libralesso et al. 2022).
    pub enum HandMade {
        /// The lower bound.
        Bound = "bound",
        /// The idle time of both ends.
        Idle = "idle",
        /// From idle time at the root to the bound at the leaves.
        Alpha = "alpha",
        /// The bound, weighted by the share of idle time near the root.
        Walpha = "walpha",
        /// The bound and the share of idle time, weighted by the gap to the best known order.
        Gap = "gap",
        /// As `walpha`, with weights by machine, end and depth that were fitted to drawn instances of a similar shape.
        Fitted = "fitted",
    }
}

impl HandMade {
    /// What the idle weight of a node sums up under this guide.
    pub(super) fn weighting(self) -> Weighting {
        match self {
            Self::Bound | Self::Idle | Self::Alpha => Weighting::Idle,
            Self::Walpha | Self::Gap | Self::Fitted => Weighting::Share,
        }
    }

    /// How children at `depth` (jobs placed, of `num_jobs`) are scored; `weighing` is what `walpha` and `fitted` have.
    pub(super) fn score(
        self,
        weighing: &Weighing,
        depth: usize,
        num_jobs: usize,
        num_machines: usize,
        upper: f32,
    ) -> Score {
        let done = depth as f32 / num_jobs as f32;
        match self {
            Self::Bound => Score::Blend { bound: 1.0, idle: 0.0, product: 0.0 },
            Self::Idle => Score::Blend { bound: 0.0, idle: 1.0, product: 0.0 },
            Self::Alpha => {
                let scale = depth as f32 / num_machines as f32;
                Score::Blend { bound: done, idle: (1.0 - done) * scale, product: 0.0 }
            }
            Self::Walpha | Self::Fitted => weighing.score(done),
            Self::Gap => Score::Gap { upper },
        }
    }
}
