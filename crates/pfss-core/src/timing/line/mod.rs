//! The planner's flow shop inside: checked, in whole numbers.

mod admission;
mod jobs;
mod machines;
mod model;
mod order;

pub use machines::Gap;
pub use model::Line;

/// No schedule may be longer, so that sums of two times fit in 32 bits.
const MOST_TICKS: u32 = (1 << 31) - 1;
