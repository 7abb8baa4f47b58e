//! Training of learned policies, on the CPU or (feature `cuda`) on a GPU.
//!
//! A [`Training`] is a state that is advanced batch by batch and can be saved and restored between any two of them: the
//! same configuration, lessons and seed give the same weights, however often it was interrupted. It is the same loop for
//! every kind of policy. What differs lies in its [`TrainingConfig`] (the network, the learning rate, how orders are built)
//! and in its [`Learner`] (what a batch teaches): [`PolicyTrainingConfig`] for the paper's network and its rivals, by
//! imitation or by actor and critic; [`FrontTrainingConfig`] for the policy that builds orders from both ends.
//!
//! All files are left to the caller.

mod checkpoint;
mod config;
mod device;
mod engine;
mod epoch;
mod error;
#[cfg(test)]
mod finite_differences;
mod front;
mod learner;
mod module;
mod parameters;
mod policy;
mod training;
mod validation;

pub use checkpoint::{Snapshot, checkpoint_config};
pub use config::{Greedy, Lessons, TrainingConfig, differences};
pub use device::Device;
pub use epoch::{Epoch, Step};
pub use error::TrainingError;
pub use front::{DrawShop, FrontLessons, FrontSource, FrontTraining, FrontTrainingConfig, Rollouts};
pub use learner::{BatchNumber, Learner, Pupil, Told};
pub use policy::{
    CostScale, Draw, ForwardPass, Fresh, Method, PolicyLessons, PolicyTraining, PolicyTrainingConfig,
};
pub use training::Training;
