//! Every algorithm for the planner's flow shop by name.

use std::sync::LazyLock;

use pfss_core::Solver;
use pfss_core::timing::Line;
use pfss_heuristics::planner::LineGreedyConfig;

use super::auto::{LineAuto, LineAutoConfig};
use super::plain::OnPlainLine;
use super::solvers::{
    LineBeamConfig, LineBeamSearch, LineBranchAndBound, LineBranchAndBoundConfig, LineIteratedGreedy,
    LineNeh, LineNehConfig,
};
use crate::algorithm::{Algorithm, AlgorithmFor, BuildError, named, read};
use crate::settings::Settings;

/// A solver for the planner's flow shop.
pub type LineSolver = Box<dyn Solver<Line>>;

/// An algorithm for the planner's flow shop.
pub type PlannerAlgorithm = AlgorithmFor<LineBuilder>;

/// How an algorithm for the planner's flow shop is made.
pub enum LineBuilder {
    /// For any line.
    Any(fn(&Settings) -> Result<LineSolver, BuildError>),
    /// From one for plain flow shops, for lines that are.
    Plain(&'static Algorithm),
}

impl PlannerAlgorithm {
    /// The algorithm.
    ///
    /// # Errors
    /// See [`AlgorithmFor::config`].
    pub fn build(&self, settings: &Settings) -> Result<LineSolver, BuildError> {
        match self.build {
            LineBuilder::Any(build) => build(settings),
            LineBuilder::Plain(algorithm) => Ok(Box::new(OnPlainLine(algorithm.integer(settings)?))),
        }
    }
}

/// One entry: `$solver::new($config)` must give a solver.
macro_rules! entry {
    ($name:literal, $solver:ty, $config:ty, $summary:literal, $reference:literal) => {
        PlannerAlgorithm::new::<$config>(
            $name,
            $summary,
            $reference,
            LineBuilder::Any(|settings| Ok(Box::new(<$solver>::new(read::<$config>($name, settings)?)))),
        )
    };
}

/// Every algorithm for any line of the planner's flow shop, `auto` first.
pub fn algorithms() -> &'static [PlannerAlgorithm] {
    static ALGORITHMS: &[PlannerAlgorithm] = &[
        entry!(
            "auto",
            LineAuto,
            LineAutoConfig,
            "The default: rules, insertion, beams, iterated greedy and branch and bound in shares that suit the line",
            "a portfolio of the algorithms below"
        ),
        entry!(
            "neh",
            LineNeh,
            LineNehConfig,
            "Inserts job after job at its best place, in an order that suits the objective",
            "Nawaz, Enscore, Ham 1983; Kim 1993 for due dates"
        ),
        entry!(
            "iterated-greedy",
            LineIteratedGreedy,
            LineGreedyConfig,
            "Takes out and reinserts a few jobs, with descents by insertions and swaps, until a limit",
            "Ruiz, Stuetzle 2007; Pan, Ruiz 2012"
        ),
        entry!(
            "beam",
            LineBeamSearch,
            LineBeamConfig,
            "Builds orders from the front, wider and wider; for total completion",
            "Libralesso, Focke, Secardin, Jost 2022"
        ),
        entry!(
            "branch-and-bound",
            LineBranchAndBound,
            LineBranchAndBoundConfig,
            "Searches all orders that the bounds cannot exclude, until the best one is proven; for few jobs",
            "after Ignall, Schrage 1965"
        ),
    ];
    ALGORITHMS
}

/// The algorithm of this name for this line: one of the plain flow shop where the line is one, with the parameters that it
/// has there.
///
/// # Errors
/// [`BuildError::UnknownAlgorithm`] lists the names that exist for such a line.
pub fn algorithm_of(line: &Line, name: &str) -> Result<&'static PlannerAlgorithm, BuildError> {
    static PLAIN: LazyLock<Vec<PlannerAlgorithm>> = LazyLock::new(|| {
        crate::algorithms()
            .iter()
            .map(|algorithm| algorithm.with_build(LineBuilder::Plain(algorithm)))
            .collect()
    });
    match line.plain_shop() {
        Some(_) => named(&PLAIN, crate::algorithm(name)?.name),
        None => algorithm(name),
    }
}

/// The algorithm of this name for any line.
///
/// # Errors
/// [`BuildError::UnknownAlgorithm`] lists the names that exist.
pub fn algorithm(name: &str) -> Result<&'static PlannerAlgorithm, BuildError> {
    named(algorithms(), name)
}
