//! Training of the policy that builds orders from both ends: imitation of an expert, then policy gradient.

mod config;
mod learner;
mod lessons;
mod network;
#[cfg(test)]
mod tests;
mod training;

pub use config::{FrontTrainingConfig, Rollouts};
pub use lessons::{DrawShop, FrontLessons, FrontSource};
pub use training::FrontTraining;
