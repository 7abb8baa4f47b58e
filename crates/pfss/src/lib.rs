//! Solve the permutation flow shop: in which order should jobs pass a line of machines, so that the last one is done as
//! early as possible?
//!
//! Every job visits machines 1, 2, ..., m in this order, and every machine takes the jobs in the same sequence. Give the
//! processing times and a time limit, get an order, its makespan, and a bound that says how far from the best it can be
//! at most:
//!
//! ```
//! use std::time::Duration;
//!
//! let jobs = [[3u32, 2, 4], [1, 5, 2], [4, 1, 3]];
//! let instance = pfss::Instance::from_job_rows("parts", &jobs)?;
//! let solution = pfss::solve(&instance, Duration::from_secs(10))?;
//! assert_eq!(solution.makespan(), 15);
//! assert_eq!(solution.order().len(), 3);
//! assert!(solution.is_optimal());
//! # Ok::<(), pfss::Error>(())
//! ```
//!
//! An instance may come from a file, too ([`read`]), or be a benchmark ([`named`]). [`Solve`] chooses the algorithm and
//! its settings, threads, limits, an order to start from, and who is told of improvements:
//!
//! ```
//! let instance = pfss::named("ta001")?;
//! let solution = pfss::Solve::new(&instance)
//!     .algorithm("iterated-greedy")
//!     .set("destruction-size", 3)
//!     .seed(7)
//!     .evaluations(100_000)
//!     .on_improvement(|new| println!("{} after {:?}", new.cost, new.runtime))
//!     .run()?;
//! println!("{} (at least {}), {:?}", solution.makespan(), solution.bound(), solution.status());
//! # assert!(solution.makespan().to_f64() <= 1297.0);
//! # Ok::<(), pfss::Error>(())
//! ```
//!
//! A [`Solution`] gives the schedule, a Gantt chart and the record that the command line writes:
//!
//! ```
//! # let instance = pfss::named("ta001")?;
//! let solution = pfss::Solve::new(&instance).algorithm("neh").run()?;
//! let page: String = solution.gantt_html()?;
//! let record: String = solution.to_json();
//! # assert!(page.contains("ta001") && record.contains("pfss.result/1"));
//! # Ok::<(), pfss::Error>(())
//! ```
//!
//! # The map
//!
//! * [`solve`], [`Solve`], [`Solution`], [`Error`]: the front door.
//! * [`read`], [`named`], [`Instance`], [`AnyInstance`]: where instances come from.
//! * [`algorithms`], [`Algorithm`], [`Settings`], [`Registry`]: every algorithm by name, its parameters, and room for
//!   one's own.
//! * [`Auto`]: the portfolio that is the default. [`Beam`], [`BranchAndBound`], [`LearnedPolicy`]: solvers that bring
//!   several crates together; a guide of one's own reaches the beam through [`Beam::guided_by`].
//! * [`load_model`], [`LoadedPolicy`], [`Building`], [`Labelling`]: trained policies, the orders that they build, and the
//!   orders that they learn from.
//! * [`Keeper`], [`CheckpointFile`]: proofs that go on from a file.
//! * [`Piece`], [`Workshop`], [`Hands`], [`spread`]: instances that others solve.
//! * [`planner`]: the same for lines with due dates, set-ups, breaks, buffers and other objectives.
//! * [`core`]: the problem and the contract of all solvers. [`heuristics`], [`exact`], [`neural`]: the algorithms
//!   themselves. [`io`], [`render`]: files and pictures.
//!
//! The library is silent: it prints nothing, reads no environment and no clock but that of a run. The same seed and the
//! same number of evaluations give the same order everywhere.

mod algorithm;
mod assignment;
mod auto;
mod beam;
mod branch_and_bound;
mod building;
mod built_in;
mod checkpoint;
mod error;
mod hands;
mod labelling;
#[cfg(feature = "mip")]
mod mip;
mod models;
mod piece;
pub mod planner;
mod policy;
mod reading;
mod registry;
mod settings;
mod shop;
mod solution;
mod solve;
mod starts;

pub use algorithm::{
    Algorithm, AlgorithmFor, BuildError, Builder, FlowShopBuilders, FlowShopSolver, ShopTime,
    named as algorithm_among, read as read_config,
};
pub use assignment::{AssignmentError, accepted, assignment, setting};
pub use auto::{Auto, AutoConfig, PlanLoss, PlanTable, PlanTableError, PolicyUse, SearchPlan, Situation};
pub use beam::{Beam, BeamConfig, GuideName, Switch};
pub use branch_and_bound::{BranchAndBound, BranchAndBoundConfig};
pub use building::{Building, BuildingError, Built};
pub use built_in::{algorithm, algorithms, missing_algorithms};
pub use checkpoint::{Checkpoint, CheckpointError, CheckpointFile, Keeper};
pub use error::Error;
pub use hands::{HandError, Hands, spread};
pub use labelling::{LabelError, Labelling};
#[cfg(feature = "mip")]
pub use mip::Mip;
pub use models::{
    BUILT_IN_MODEL, BUILT_IN_MODELS, LoadModelError, LoadedPolicy, MODEL_FILE, MODEL_FOLDER,
    load as load_model, load_for as load_model_for, model_content, model_file,
};
pub use pfss_core as core;
pub use pfss_core::{CancelFlag, Improvement, Instance, JobId, Status, StopReason};
pub use pfss_exact as exact;
pub use pfss_heuristics as heuristics;
pub use pfss_io as io;
pub use pfss_io::{AnyInstance, ResultRecord, TimeValue};
pub use pfss_neural as neural;
pub use pfss_render as render;
pub use piece::{
    Craft, Made, Piece, PieceError, PortableModel, PortableProblem, PortableShop, Solvable, Workshop,
};
pub use policy::{LearnedPolicy, MAX_JOBS, PolicyConfig, PolicyDecoding, PolicyImprovement, UnusedFinish};
pub use reading::{named, named_in, read};
pub use registry::{NoParameters, Registry};
pub use settings::{Settings, SettingsError};
pub use shop::Shop;
pub use solution::Solution;
pub use solve::{Solve, solve};

/// The example of the page that stands before the library is compiled and run, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadMe;
