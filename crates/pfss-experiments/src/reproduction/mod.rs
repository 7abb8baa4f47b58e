//! The paper's tables and figures: plans, their runs, and the printed values beside the measured ones.

mod cells;
mod engine;
mod figure;
mod group;
mod measurement;
mod model;
mod plain_neh;
mod plan;
mod plans;
mod printed;
pub mod render;
mod runner;
mod settings;
mod stages;
mod summary;

pub use figure::{Figure, Quantity};
pub use group::{Group, PlanInstance, Source};
pub use measurement::Measurement;
pub use model::{FoundModel, Models, TrainingRecord};
pub use plan::{Expert, Limit, Method, Plan, PlanError, Problem, Training};
pub use plans::{plan, plan_names, plans};
pub use printed::{Printed, PrintedCell};
pub use runner::{GroupRuns, MethodRuns, Outcome, Reproduction, Stage};
pub use summary::{
    Before, Cell, Fit, Gap, GroupSummary, Mark, Numbers, Origin, Summary, SummaryError, TrainingSummary,
};
