//! The permutation flow shop problem and the contract between problems and solvers.
//!
//! Every job visits machines `0, 1, ..., m-1` in this order, every machine processes the jobs in the same
//! sequence, and the makespan (the completion time of the last job on the last machine) is to be minimised.
//!
//! This crate holds the problem itself: [`Instance`], [`Permutation`], [`Schedule`] and its checker, the
//! makespan and its accelerated kernels, lower bounds, generators, and the contract ([`Solver`], [`Run`])
//! that all algorithms share. It reads no files, prints nothing and knows no algorithm.

// No number becomes another in silence; each exception says why it does not.
#![cfg_attr(
    not(test),
    deny(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss
    )
)]

// The config! macro names this crate from outside and from its own tests.
extern crate self as pfss_core;

#[doc(hidden)]
pub use serde;

mod bound;
mod config;
mod error;
pub mod generate;
mod insertion;
mod instance;
mod makespan;
mod opening;
mod permutation;
mod problem;
mod run;
mod schedule;
mod seed;
pub mod simd;
mod time;
pub mod timing;
pub mod tree;

pub use bound::{lower_bound, lower_bound_within, one_machine_bound, two_machine_bound};
pub use config::{Config, Parameter, ParameterError, ParameterKind, ParameterType, UnusedParameter};
pub use error::{InstanceError, PermutationError};
pub use insertion::{FlowShopPricer, MOVES, MovePricer};
pub use instance::{Instance, MachineId};
pub use makespan::makespan;
pub use opening::open;
pub use permutation::{JobId, Permutation};
pub use problem::{PermutationProblem, Solver};
pub use run::{
    CancelFlag, Elite, Improvement, Incumbents, Limits, Observer, Outcome, RaisedBound, Run, SharedTree,
    SolveError, Status, StopReason, Team, evaluations_per_look,
};
pub use schedule::{CheckError, Operation, Schedule, check, check_order};
pub use seed::{Rng, Seed};
pub use time::Time;
