//! The planner's flow shop inside: checked, in whole numbers.

mod admission;
mod jobs;
mod machines;
mod model;
mod order;

pub use machines::Gap;
pub use model::Line;
