//! What a problem offers to solvers, and what a solver is.

use crate::bound::lower_bound_during;
use crate::{Instance, JobId, Outcome, Run, SolveError, Time, lower_bound, makespan};

/// A problem whose solutions are orders of `len()` jobs, cheapest first.
pub trait PermutationProblem: Sync {
    /// What an order costs.
    type Cost: Time;

    /// The number of jobs.
    fn len(&self) -> usize;

    /// Whether there is nothing to order.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cost of an order, by the plain definition.
    fn cost(&self, order: &[JobId]) -> Self::Cost;

    /// A cost that no order undercuts.
    fn lower_bound(&self) -> Self::Cost;

    /// A bound that suits the limits of a run: a weaker one where there is no time for [`PermutationProblem::lower_bound`].
    fn lower_bound_during(&self, run: &Run<'_, Self::Cost>) -> Self::Cost {
        let _ = run;
        self.lower_bound()
    }
}

/// An algorithm for problems of type `P`.
pub trait Solver<P: PermutationProblem + ?Sized>: Send + Sync {
    /// The name on the command line, in JSON and in tables.
    fn name(&self) -> &str;

    /// Solves `problem` within the limits of `run`, which collects incumbents and bounds.
    ///
    /// # Errors
    /// [`SolveError`] when the algorithm cannot treat the problem at all. Running out of time is an answer.
    fn solve(&self, problem: &P, run: &Run<'_, P::Cost>) -> Result<Outcome<P::Cost>, SolveError>;
}

impl<T: Time> PermutationProblem for Instance<T> {
    type Cost = T;

    fn len(&self) -> usize {
        self.num_jobs()
    }

    fn cost(&self, order: &[JobId]) -> T {
        makespan(self, order)
    }

    fn lower_bound(&self) -> T {
        lower_bound(self)
    }

    fn lower_bound_during(&self, run: &Run<'_, T>) -> T {
        lower_bound_during(self, run)
    }
}
