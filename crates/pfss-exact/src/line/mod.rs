//! The planner's flow shop: branch and bound from the front, for small instances.

mod dominance;
mod frontier;
mod open;
#[cfg(test)]
mod tests;
mod tree;

pub use tree::LineTree;
