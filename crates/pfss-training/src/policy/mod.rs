//! Training of the paper's policy and its rivals: by imitation of an expert, or by trial.

mod actor_critic;
mod batches;
mod behaviour_cloning;
mod config;
mod critic;
mod decoder;
mod forward;
mod ggcn;
mod lessons;
mod network;
mod rivals;
mod sampling;
#[cfg(test)]
mod tests;
mod training;

pub use config::{CostScale, Method, PolicyTrainingConfig};
pub use forward::ForwardPass;
pub use lessons::{Draw, Fresh, PolicyLessons};
pub use training::PolicyTraining;
