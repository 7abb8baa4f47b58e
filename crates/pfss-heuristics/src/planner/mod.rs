//! The planner's flow shop: constructive starts by objective, iterated greedy with descents by insertions and swaps, and a
//! forward beam.

mod beam;
mod descent;
mod greedy;
mod insertion;
mod rules;
mod temperature;
mod windows;

pub use beam::{BeamShape, LineBeam};
pub use greedy::{LineGreedy, LineGreedyConfig};
pub use insertion::{construct, construction_effort};
pub use rules::{Rule, arrange, suitable_rules};
