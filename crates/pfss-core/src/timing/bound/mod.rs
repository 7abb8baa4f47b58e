//! Scores that no order undercuts: every machine on its own.

mod calendar;
mod machine;
mod relaxation;

pub(crate) use relaxation::lower_bound_while;
pub use relaxation::{Relaxation, lower_bound};
