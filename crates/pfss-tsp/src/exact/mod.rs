//! Exact methods for the travelling salesman in the plane.
//!
//! Held and Karp, "The traveling-salesman problem and minimum spanning trees", Operations Research 18 (1970)
//! and Mathematical Programming 1 (1971): a 1-tree is a spanning tree of all cities but one, and two ways to
//! that one. Every tour is a 1-tree. Prices on the cities change the lengths of all tours by the same amount, but
//! not the shortest 1-tree, so prices that make it look like a tour give a bound close to the shortest tour.

mod ascent;
mod complete;
mod dynamic_program;
mod filter;
mod graph;
mod one_tree;
mod root;
mod search;
mod solver;
mod state;
mod threshold;

pub use dynamic_program::{MOST_CITIES, held_karp_dynamic_program};
pub use solver::{TspBranchAndBound, TspBranchAndBoundConfig};
