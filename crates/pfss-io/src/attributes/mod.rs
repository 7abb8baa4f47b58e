//! What jobs and machines carry beyond times, as texts say it: shared by all formats.

mod breaks;
mod families;
mod tidy;
mod value;

pub(crate) use breaks::Breaks;
pub use families::Families;
pub(crate) use tidy::tidy;
pub(crate) use value::{available_from, due, duration, flag, release, weight};
