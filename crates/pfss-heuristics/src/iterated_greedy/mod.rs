//! Iterated greedy: take a few jobs out, improve the rest, put the jobs back at their best places, improve
//! the whole, and decide whether to go on from there.
//!
//! Ruiz and Stuetzle, "A simple and effective iterated greedy algorithm for the permutation flowshop
//! scheduling problem", European Journal of Operational Research 177 (2007); local search on the partial
//! sequence by Dubois-Lacoste, Pagnozzi and Stuetzle, Computers & Operations Research 81 (2017); blocks that
//! stay together by Kizilay, Tasgetiren, Pan and Gao, Algorithms 12 (2019).

mod block;
mod common;
mod config;
mod descent;
mod elites;
mod islands;
mod search;
mod solver;

pub use config::{Acceptance, Destruction, IteratedGreedyConfig, Reinsertion, Tie};
pub use elites::{EXCHANGES, Elites};
pub use search::IteratedGreedySearch;
pub use solver::IteratedGreedy;
