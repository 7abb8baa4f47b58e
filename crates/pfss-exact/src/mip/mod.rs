//! Mixed-integer models of the flow shop, solved by HiGHS.
//!
//! Two models are offered: positions ([`Model::Positional`], the quicker) and immediate predecessors with
//! big-M constraints ([`Model::Predecessor`], the model of the paper's Appendix B). Both are the baseline
//! against which branch and bound is measured; neither is the way to solve more than about fifteen jobs.

mod bound;
mod formulation;
mod highs_call;
mod positional;
mod predecessor;
mod solver;
mod watch;
mod work;

pub use solver::Mip;

pfss_core::choice! {
    /// How the order of the jobs is written as 0-1 variables.
    pub enum Model {
        /// Which job stands at which position.
        Positional = "positional",
        /// Which job comes immediately before which.
        Predecessor = "predecessor",
    }
}

pfss_core::config! {
    /// Parameters of the mixed-integer solver.
    pub struct MipConfig {
        /// The model: by position (quicker), or by immediate predecessor with big-M (Appendix B of the paper).
        model: Model = Model::Positional;
    }
}
