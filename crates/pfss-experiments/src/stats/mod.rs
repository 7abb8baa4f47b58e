//! Statistics to compare algorithms on the same instances.

mod holm;
mod ranks;
mod wilcoxon;

pub use holm::holm;
pub use ranks::mid_ranks;
pub use wilcoxon::{Alternative, Method, Wilcoxon, wilcoxon};
