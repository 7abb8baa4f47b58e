//! Heuristics for the travelling salesman in the plane.

mod greedy;
mod local_search;
mod solver;
mod tour;

pub use solver::{TspIteratedLocalSearch, TspIteratedLocalSearchConfig};
