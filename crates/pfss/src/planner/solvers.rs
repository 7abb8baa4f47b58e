//! The parts of the portfolio as solvers of their own.

use pfss_core::timing::{Line, Score};
use pfss_core::{Outcome, Run, SolveError, Solver};
use pfss_exact::LineTree;
use pfss_heuristics::planner::{BeamShape, LineBeam, LineGreedy, LineGreedyConfig};

use super::kept;
use super::opening::{insert, open};

pfss_core::config! {
    /// Parameters of [`LineNeh`]: none.
    pub struct LineNehConfig {}
}

/// Job after job at its best place.
pub struct LineNeh;

impl LineNeh {
    /// The heuristic.
    pub fn new(_: LineNehConfig) -> Self {
        Self
    }
}

impl Solver<Line> for LineNeh {
    fn name(&self) -> &str {
        "neh"
    }

    fn solve(&self, line: &Line, run: &Run<'_, Score>) -> Result<Outcome<Score>, SolveError> {
        open("neh", line, run)?;
        insert(line, 1, run);
        run.outcome()
    }
}

/// Iterated greedy, until a limit.
pub struct LineIteratedGreedy {
    config: LineGreedyConfig,
}

impl LineIteratedGreedy {
    /// The search with these parameters.
    pub fn new(config: LineGreedyConfig) -> Self {
        Self { config }
    }
}

impl Solver<Line> for LineIteratedGreedy {
    fn name(&self) -> &str {
        "iterated-greedy"
    }

    fn solve(&self, line: &Line, run: &Run<'_, Score>) -> Result<Outcome<Score>, SolveError> {
        open("iterated-greedy", line, run)?;
        insert(line, 2, run);
        if let Some((order, _)) = run.best()
            && !run.must_end()
        {
            let rng = run.stream("iterated-greedy");
            let mut search = LineGreedy::new(line, self.config.clone(), rng, &order, run);
            search.run_for(u64::MAX, run);
        }
        run.outcome()
    }
}

pfss_core::config! {
    /// Parameters of [`LineBeamSearch`].
    pub struct LineBeamConfig {
        /// The width of the widest pass; passes double up to there.
        max_width: usize = 1_048_576, in 1..=1_048_576;
        /// What a unit of idle time counts.
        idle: f64 = 1.0, in 0.0..=100.0;
        /// What a unit of work counts against idle time; above one, long jobs come earlier.
        work: f64 = 1.0, in 0.0..=10.0;
    }
}

/// Forward beams, wider and wider, until a limit.
pub struct LineBeamSearch {
    config: LineBeamConfig,
}

impl LineBeamSearch {
    /// The search with these parameters.
    pub fn new(config: LineBeamConfig) -> Self {
        Self { config }
    }
}

impl Solver<Line> for LineBeamSearch {
    fn name(&self) -> &str {
        "beam"
    }

    fn solve(&self, line: &Line, run: &Run<'_, Score>) -> Result<Outcome<Score>, SolveError> {
        open("beam", line, run)?;
        let mut beam = LineBeam::new(line, BeamShape { idle: self.config.idle, work: self.config.work });
        let most = self.config.max_width.min(run.memory() / beam.bytes_per_width()).max(1);
        let mut width = 1;
        while !run.must_end() && beam.pass(width, run, |_| true).is_some() && width < most {
            width = (2 * width).min(most);
        }
        run.outcome()
    }
}

pfss_core::config! {
    /// Parameters of [`LineBranchAndBound`]: none.
    pub struct LineBranchAndBoundConfig {}
}

/// Branch and bound, until the best order is proven.
pub struct LineBranchAndBound;

impl LineBranchAndBound {
    /// The search.
    pub fn new(_: LineBranchAndBoundConfig) -> Self {
        Self
    }
}

impl Solver<Line> for LineBranchAndBound {
    fn name(&self) -> &str {
        "branch-and-bound"
    }

    fn solve(&self, line: &Line, run: &Run<'_, Score>) -> Result<Outcome<Score>, SolveError> {
        open("branch-and-bound", line, run)?;
        insert(line, 1, run);
        if !run.must_end() {
            let mut tree = LineTree::new(line, run.memory() / 2);
            match run.team() {
                // Several processes each search all of it: nothing could be kept of that.
                Some(team) if team.ranks() == 1 => kept::search(tree, team, run),
                _ => tree.run_for(u64::MAX, run),
            }
        }
        run.outcome()
    }
}
