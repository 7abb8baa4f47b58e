//! Instances by seed: Taillard's benchmark and random processing times, the same on every machine.

mod benchmark;
mod check;
mod correlated;
mod distribution;
mod generated;
mod independent;
mod lehmer;
mod parameter;
mod planning;
mod recipe;
mod size;
#[cfg(test)]
mod tests;
mod tuning;

pub use benchmark::{NUM_TAILLARD_INSTANCES, taillard_benchmark};
pub use correlated::{Correlated, CorrelatedBy};
pub use distribution::Distribution;
pub use generated::Generated;
pub use independent::{gamma, lognormal, normal, uniform};
pub use lehmer::taillard;
pub use parameter::Parameter;
pub use planning::{DueDates, Planning, Setups};
pub use recipe::Recipe;
pub use size::GenerateError;
