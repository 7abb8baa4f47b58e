//! Mixed-integer models of the flow shop, solved by HiGHS.
//!
//! Two models are offered: positions ([`Model::Positional`], the quicker) and immediate predecessors with
//! big-M constraints ([`Model::Predecessor`], the model of the paper's Appendix B). Both are the baseline
//! against which branch and bound is measured; neither is the way to solve more than about fifteen jobs.

mod bound;
mod config;
mod formulation;
mod highs_call;
mod positional;
mod predecessor;
mod solver;
mod watch;
mod work;

pub use config::{MipConfig, Model};
pub use solver::Mip;
