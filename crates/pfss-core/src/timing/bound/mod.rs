//! Scores that no order undercuts: every machine on its own.

mod calendar;
mod machine;
mod relaxation;

pub use relaxation::{Relaxation, lower_bound};
