//! Whole commands: standard output, standard error, exit code and the files they leave.

// Functions shared by tests may fail as tests do.
#![allow(clippy::unwrap_used)]

mod bad_input;
mod check;
mod describe;
mod files;
mod generate;
mod harness;
mod man;
mod planning;
mod plot;
mod policy;
mod progress;
mod proofs;
mod renamed;
mod same_results;
mod signals;
mod solve;
mod train_plan;
mod training;
#[cfg(feature = "tsp")]
mod tsp;
mod unused;
