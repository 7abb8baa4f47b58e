//! The bidirectional search tree of the permutation flow shop: jobs are placed at the front or at the back.
//!
//! A node holds the front `F` of the jobs placed first (when each machine becomes free), the front `B` of the
//! jobs placed last (how long before the end each machine is needed again) and the work `R` that is left on
//! each machine. No order below the node is shorter than `max_i (F_i + R_i + B_i)`. Beam search and branch
//! and bound share this tree; [`Pricer`] prices all children of a node at both ends with vector instructions.
//!
//! Nodes and one-machine bounds of children in O(m): Gmys, Mezmaz, Melab & Tuyttens, "A computationally
//! efficient Branch-and-Bound algorithm for the permutation flow-shop scheduling problem", European Journal
//! of Operational Research 284 (2020), and Libralesso, Focke, Secardin & Jost, "Iterative beam search
//! algorithms for the permutation flowshop", European Journal of Operational Research 301 (2022).

mod bounds;
mod columns;
mod element;
mod node;
mod open_node;
mod pricer;
mod score;
#[cfg(test)]
mod tests;

pub use columns::Columns;
pub use element::{Element, ElementKind};
pub use node::{BLOCK, End, NodeRef, Nodes, Tree, Weighting};
pub use open_node::{OpenNode, OpenNodeError};
pub use pricer::{Pricer, Scoring};
pub use score::Score;
