//! The planner's flow shop: due dates, releases, set-ups, breaks, buffers, fixed jobs, five objectives.
//!
//! [`Attributes`] are what a file or a caller says, [`Line`] is the same checked and in whole numbers, and [`Timetable`] is the
//! schedule of an order by the plain definition, which everything faster is tested against.

mod attributes;
mod bound;
mod check;
mod error;
mod goals;
mod line;
mod objective;
pub mod pricing;
mod problem;
mod score;
#[cfg(test)]
mod tests;
mod ticks;
mod timetable;

pub use attributes::{Attributes, JobAttributes, MachineAttributes, Setup};
pub use bound::{Relaxation, lower_bound};
pub use check::{PlanError, check, check_values};
pub use error::AttributeError;
pub use goals::JobCost;
pub use line::{Gap, Line};
pub use objective::{Objective, UnknownObjective};
pub use score::Score;
pub use timetable::{TimedOperation, Timetable};
