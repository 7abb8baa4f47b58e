//! The registered solver.

use pfss_core::{Instance, Outcome, Run, SolveError, Solver, Time, makespan};

use super::{BeamConfig, BeamSearch, Schedule};
use crate::{open, slope_order};

/// Iterative bidirectional beam search: passes of growing width until a limit is met or a pass that dropped
/// nothing proves the best order optimal.
pub struct Beam {
    config: BeamConfig,
}

impl Beam {
    /// Beam search with these parameters.
    pub fn new(config: BeamConfig) -> Self {
        Self { config }
    }
}

impl<T: Time> Solver<Instance<T>> for Beam {
    fn name(&self) -> &str {
        "beam"
    }

    fn solve(&self, problem: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        open("beam", problem, run)?;
        if run.start().is_none() {
            // An order at once, for instances so large that not even the narrowest pass ends in time.
            let order = slope_order(problem);
            run.count(1);
            run.offer(&order, makespan(problem, &order));
        }
        let mut search = BeamSearch::new(problem);
        let mut schedule = Schedule::new(self.config.plan(&search), &search);
        while !schedule.is_finished() && !run.must_end() {
            schedule.step(&mut search, run);
        }
        run.outcome()
    }
}
