//! Instances by seed: Taillard's benchmark and random processing times, the same on every machine.

mod benchmark;
mod distribution;
mod lehmer;
mod size;

pub use benchmark::{NUM_TAILLARD_INSTANCES, taillard_benchmark};
pub use distribution::{Distribution, Generated, gamma, normal, uniform};
pub use lehmer::taillard;
pub use size::GenerateError;
