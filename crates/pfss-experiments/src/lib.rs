//! Benchmarks that can be trusted and resumed: sets of instances, best-known values, a parallel runner that
//! writes one row per run, summaries against the best-known values, and the statistics to compare algorithms.
//!
//! The crate prints nothing: a [`Monitor`] is told how a bench goes, and [`Summary`] gives tables and JSON.

mod best_known;
mod contender;
mod execute;
mod fingerprint;
mod glob;
mod guide;
mod journal;
mod limit;
mod mistake;
pub mod pages;
mod plans;
mod pool;
mod primal_integral;
mod progress;
mod provenance;
pub mod reproduction;
mod row;
mod runner;
mod set;
pub mod stats;
mod summary;
mod training_plan;

pub use best_known::{BestKnown, BestKnownTable, all_best_known, best_known};
pub use contender::{Contender, ContenderError, parse_setting};
pub use execute::RunFailure;
pub use fingerprint::unknown_hash;
pub use glob::matches_pattern;
pub use guide::{Evolution, Generation, GuideFit};
pub use journal::{Journal, JournalError, JournalRow, read_rows};
pub use limit::{LimitError, LimitTextError, RunLimit};
pub use mistake::Mistake;
pub use plans::{FitError, fit as fit_plans};
pub use pool::{BenchError, Panicked};
pub use primal_integral::{Trace, primal_integral};
pub use progress::{Monitor, Progress, Silent, Task};
pub use provenance::{Provenance, cpu_model};
pub use row::{Row, RowKey};
pub use runner::{Bench, Failure, Report};
pub use set::{BenchInstance, NamedSet, Selection, SetError, load, load_planned};
pub use summary::{Comparison, GroupSummary, NewBestKnown, OverallSummary, Summary, write_new_best_known};
pub use training_plan::{PlannedTraining, TrainingPlanError, read_training_plan};
