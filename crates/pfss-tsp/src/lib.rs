//! The travelling salesman in the plane, the second problem of the paper whose network `pfss-neural` runs: shortest
//! closed tours through cities.
//!
//! All of it is here: the problem ([`TspInstance`]), its files ([`tsplib`], [`tsp_json`], [`TourRecord`]), local search
//! ([`TspIteratedLocalSearch`]), 1-tree branch and bound ([`exact`]), what a policy sees of it, and every algorithm by
//! name ([`tsp_algorithm`]). Orders of cities are orders of jobs ([`pfss_core::Permutation`]), and solvers keep to the
//! contract of all others ([`pfss_core::Solver`]).

mod auto;
mod branch_and_bound;
pub mod exact;
mod files;
mod instance;
mod learning;
mod models;
mod neighbours;
mod piece;
mod policy;
mod registry;
mod search;

pub use auto::{Auto, AutoConfig};
pub use branch_and_bound::{BranchAndBound, BranchAndBoundConfig};
pub use files::{TOUR_SCHEMA, TourRecord, TsplibError, resolve_tsp, tsp_json, tsplib};
pub use instance::{Metric, TspError, TspInstance, open, tour_length};
pub use learning::{STORED_TOURS, TOURS};
pub use models::load as load_model;
pub use neighbours::NeighbourLists;
pub use piece::{TOUR_CRAFT, portable_model};
pub use policy::TourPolicy;
pub use registry::{TspAlgorithm, TspSolver, tsp_algorithm, tsp_algorithms};
pub use search::{TspIteratedLocalSearch, TspIteratedLocalSearchConfig};
