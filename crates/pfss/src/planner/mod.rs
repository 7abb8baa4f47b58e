//! The planner's flow shop: every algorithm by name, and the automatic portfolio.
//!
//! A [`Line`](pfss_core::timing::Line) is an instance with due dates, releases, set-ups, breaks, buffers and fixed jobs. Its
//! solvers are asked for by the same names as those of the plain problem:
//!
//! ```
//! use pfss::core::timing::{Attributes, JobAttributes, Line, Objective};
//! use pfss::core::{Limits, Run, Seed};
//!
//! let jobs = [[4u32, 3], [2, 5], [3, 3]];
//! let instance = pfss::Instance::from_job_rows("parts", &jobs)?;
//! let due = |due| JobAttributes { due: Some(due), ..JobAttributes::default() };
//! let attributes = Attributes {
//!     jobs: vec![due(12.0), due(7.0), due(10.0)],
//!     objectives: vec![Objective::TotalTardiness],
//!     ..Attributes::default()
//! };
//! let line = Line::new(&instance, &attributes)?;
//! let solver = pfss::planner::algorithm_of(&line, "auto")?.build(&pfss::Settings::new())?;
//! let outcome = solver.solve(&line, &Run::new(Seed::new(1), Limits::default()))?;
//! assert_eq!(outcome.order.as_slice(), [1, 2, 0]);
//! assert_eq!(line.value(outcome.cost), 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod auto;
mod clock;
mod kept;
mod opening;
mod place;
mod plain;
mod portfolio;
mod registry;
mod solvers;

pub use auto::{LineAuto, LineAutoConfig};
pub use registry::{LineBuilder, LineSolver, PlannerAlgorithm, algorithm, algorithm_of, algorithms};
pub use solvers::{
    LineBeamConfig, LineBeamSearch, LineBranchAndBound, LineBranchAndBoundConfig, LineIteratedGreedy,
    LineNeh, LineNehConfig,
};
