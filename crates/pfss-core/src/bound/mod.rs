//! Lower bounds on the makespan of an instance.

mod ends;
mod lower;
mod one_machine;
mod two_machine;

pub(crate) use lower::lower_bound_during;
pub use lower::{lower_bound, lower_bound_within};
pub use one_machine::one_machine_bound;
pub use two_machine::two_machine_bound;
