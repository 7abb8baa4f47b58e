//! The registered solver.

use pfss_core::{Instance, Outcome, Run, SolveError, Solver, Time, makespan};

use super::{BeamConfig, BeamSearch, GuideChoice, Schedule};
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

    /// Searches with a given search, which may have a policy as its guide.
    ///
    /// # Errors
    /// [`SolveError`] when the order to start from is of another instance.
    pub fn search<T: Time>(
        &self,
        mut search: BeamSearch<'_, T>,
        run: &Run<'_, T>,
    ) -> Result<Outcome<T>, SolveError> {
        let problem = search.instance();
        open("beam", problem, run)?;
        if run.start().is_none() {
            // An order at once, for instances so large that not even the narrowest pass ends in time.
            let order = slope_order(problem);
            run.count(1);
            run.offer(&order, makespan(problem, &order));
        }
        let mut schedule = Schedule::new(self.config.plan(&search, run.memory()), &search);
        while !schedule.is_finished() && !run.must_end() {
            schedule.step(&mut search, run);
        }
        run.outcome()
    }
}

impl<T: Time> Solver<Instance<T>> for Beam {
    fn name(&self) -> &str {
        "beam"
    }

    fn solve(&self, problem: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        if self.config.guide == GuideChoice::Policy {
            return Err(SolveError::Unsupported {
                algorithm: "beam".to_string(),
                reason: "the guide `policy` needs a policy; give the search one, or choose another guide"
                    .to_string(),
            });
        }
        self.search(BeamSearch::new(problem), run)
    }
}
