//! Branch and bound over the bidirectional tree, depth first, best child first.
//!
//! Each node branches at the end where fewer children survive, or where their bounds are larger in sum. The
//! bounds of all children at both ends come from one pass over the machines, with children as vector lanes.
//!
//! Gmys, Mezmaz, Melab & Tuyttens, "A computationally efficient Branch-and-Bound algorithm for the permutation
//! flow-shop scheduling problem", European Journal of Operational Research 284 (2020). Deviations: reals, vector
//! instructions, and a second search that raises the bound of instances that are too hard.

mod dive;
mod engine;
mod forest;
mod frontier;
mod ground;
mod lessons;
mod memo;
mod open_node;
mod pair;
mod pair_lanes;
mod pair_test;
mod pairs;
mod part;
mod pool;
mod raise;
mod samples;
mod search;
mod shared;
mod shares;
mod steps;
mod supervisor;
mod task;
mod worker;

pub use pfss_core::tree::OpenNode;
pub use search::TreeSearch;

#[cfg(test)]
mod tests;
