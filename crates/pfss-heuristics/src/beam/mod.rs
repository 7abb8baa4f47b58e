//! Iterative bidirectional beam search.
//!
//! Libralesso, Focke, Secardin & Jost, "Iterative beam search algorithms for the permutation flowshop",
//! European Journal of Operational Research 301 (2022). Deviations: all children of a node are priced at once
//! with vector instructions, passes aim below the best known cost ([`Schedule`]), and nodes with nothing
//! placed at one end are put last.
//!
//! A level keeps the children that a guide finds best: one made by hand ([`HandMade`]), or one from outside ([`Guide`]).
//!
//! ```
//! use pfss_core::{Limits, Run, Seed, generate::taillard_benchmark};
//! use pfss_heuristics::beam::{BeamSearch, Plan, Schedule};
//! let instance = taillard_benchmark(61).unwrap();
//! let run = Run::new(Seed::new(1), Limits { evaluations: Some(1_000_000), ..Limits::default() });
//! let mut search = BeamSearch::new(&instance);
//! let plan = Plan::new(&search, run.memory());
//! Schedule::new(plan, &search).search(&mut search, &run);
//! assert!(run.best_cost() < 5600);
//! ```

mod candidates;
mod crew;
mod descent;
mod engine;
mod fitted;
mod forecast;
mod gate;
mod guide;
mod hand_made;
mod history;
mod leaves;
mod level;
mod marks;
mod meter;
mod outside;
mod pace;
mod padded;
mod part;
mod pass;
mod pieces;
mod plan;
mod schedule;
mod search;
mod stage;
mod weighing;

pub use fitted::{Shape, WeighingTable, WeighingTableError};
pub use guide::{Guide, OpenNode};
pub use hand_made::HandMade;
pub use pass::{PassResult, PassSettings};
pub use plan::Plan;
pub use schedule::Schedule;
pub use search::BeamSearch;
pub use weighing::Weighing;

#[cfg(test)]
mod tests;
