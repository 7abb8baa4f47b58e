//! What a problem offers to solvers, and what a solver is.

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
}

/// A problem that prices all places of one job at once.
pub trait InsertionProblem: PermutationProblem {
    /// The incremental evaluator.
    type Pricer<'p>: InsertionPricer<Cost = Self::Cost>
    where
        Self: 'p;

    /// A fresh evaluator that holds the empty sequence.
    fn pricer(&self) -> Self::Pricer<'_>;
}

/// Holds a sequence and prices changes of it.
///
/// After [`price`](InsertionPricer::price) or [`price_removed`](InsertionPricer::price_removed) the prices of
/// all places can be read until the next call that prices or changes the sequence.
pub trait InsertionPricer {
    /// What an order costs.
    type Cost: Time;

    /// The sequence held now.
    fn order(&self) -> &[JobId];

    /// The cost of the sequence held now.
    fn cost(&self) -> Self::Cost;

    /// Replaces the sequence.
    fn load(&mut self, order: &[JobId]);

    /// Prices inserting `job`, which is not in the sequence, at each of the `len + 1` places.
    /// Returns the least price.
    fn price(&mut self, job: JobId) -> Self::Cost;

    /// Prices taking out the job at `position` and putting it back at each of the `len` places of the
    /// shortened sequence. The sequence stays as it is. Returns the least price.
    fn price_removed(&mut self, position: usize) -> Self::Cost;

    /// How many places the last pricing priced.
    fn num_places(&self) -> usize;

    /// The price of one place in the last pricing.
    fn price_at(&self, place: usize) -> Self::Cost;

    /// The first place at or after `from` that costs at most `limit`.
    fn place_at_most(&self, limit: Self::Cost, from: usize) -> Option<usize>;

    /// The last place that costs at most `limit`.
    fn last_place_at_most(&self, limit: Self::Cost) -> Option<usize>;

    /// How many places cost at most `limit`.
    fn count_at_most(&self, limit: Self::Cost) -> usize;

    /// Puts `job` at `place`.
    fn insert(&mut self, job: JobId, place: usize);

    /// Takes out the job at `position`.
    fn remove(&mut self, position: usize) -> JobId;
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
}
