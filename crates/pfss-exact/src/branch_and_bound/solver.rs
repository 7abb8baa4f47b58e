//! The solver.

use pfss_core::{Instance, JobId, Outcome, Run, SolveError, Solver, Time, makespan, open};

use super::TreeSearch;

/// Children priced between two looks at whether all is done.
const SLICE: u64 = 1 << 28;

pfss_core::config! {
    /// Parameters of [`BranchAndBound`]: none.
    pub struct BranchAndBoundConfig {}
}

/// Branch and bound from the run's best order, until it is proven optimal or a limit is met.
///
/// A good order to start from matters much: the search prunes with it, and does not look for it first.
pub struct BranchAndBound;

impl BranchAndBound {
    /// Branch and bound.
    pub fn new(_: BranchAndBoundConfig) -> Self {
        Self
    }
}

impl<T: Time> Solver<Instance<T>> for BranchAndBound {
    fn name(&self) -> &str {
        "branch-and-bound"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        open("branch-and-bound", instance, run)?;
        if run.best_cost() == T::MAX {
            let order: Vec<JobId> = (0..instance.num_jobs() as JobId).collect();
            run.count(1);
            run.offer(&order, makespan(instance, &order));
        }
        let mut search = TreeSearch::new(instance, run.threads());
        while !search.is_finished() && !run.must_end() {
            search.run_for(SLICE, run);
        }
        run.outcome()
    }
}
