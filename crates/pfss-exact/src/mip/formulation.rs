//! What both models have in common.

use highs::{Col, RowProblem};

use super::work::Work;

/// A mixed-integer model whose feasible points are orders of the jobs with work, the makespan its objective.
pub(super) trait Formulation: Sync {
    /// The rows and columns.
    fn problem(&self) -> RowProblem;

    /// The values of all columns for the earliest schedule of an order.
    fn columns(&self, order: &[usize]) -> Vec<f64>;

    /// The order in a solution. Always an order of all jobs, whatever the tolerances have left of the 0-1
    /// values; its makespan is recomputed by the caller.
    fn order(&self, columns: &[f64]) -> Vec<usize>;
}

/// Adds the makespan as the objective, between the proven bound and the length of the known order.
///
/// Every makespan of integer times is an integer; as an integer variable it lets HiGHS cut off all nodes that
/// are not better by a whole unit.
pub(super) fn add_makespan(problem: &mut RowProblem, work: &Work) -> Col {
    let bounds = work.lower_bound()..=work.upper_bound();
    if work.is_integral() { problem.add_integer_column(1.0, bounds) } else { problem.add_column(1.0, bounds) }
}

/// Adds a 0-1 variable.
pub(super) fn add_choice(problem: &mut RowProblem) -> Col {
    problem.add_integer_column(0.0, 0.0..=1.0)
}
