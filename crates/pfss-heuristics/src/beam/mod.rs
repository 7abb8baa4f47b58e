//! Iterative bidirectional beam search.
//!
//! Libralesso, Focke, Secardin & Jost, "Iterative beam search algorithms for the permutation flowshop",
//! European Journal of Operational Research 301 (2022). Deviations: all children of a node are priced at once
//! with vector instructions, passes aim below the best known cost ([`Schedule`]), and nodes with nothing
//! placed at one end are put last.

mod candidates;
mod config;
mod engine;
mod guide;
mod history;
mod meter;
mod pass;
mod policy;
mod schedule;
mod search;
mod solver;

pub use config::{BeamConfig, GuideChoice, Switch};
pub use guide::Guide;
pub use pass::{PassResult, PassSettings};
pub use policy::{NodePolicy, OpenNode};
pub use schedule::{Plan, Schedule};
pub use search::BeamSearch;
pub use solver::Beam;

#[cfg(test)]
mod tests;
