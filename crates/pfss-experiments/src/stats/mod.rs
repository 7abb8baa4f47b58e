//! Statistics to compare algorithms on the same instances.

mod bootstrap;
mod holm;
mod power_law;
mod ranks;
mod wilcoxon;

pub use bootstrap::{RESAMPLES, bootstrap_mean};
pub use holm::holm;
pub use power_law::{PowerLaw, power_law};
pub use ranks::mid_ranks;
pub use wilcoxon::{Alternative, Method, Wilcoxon, paired_differences, wilcoxon};
