//! The checker of reported orders and values.

use thiserror::Error;

use super::timetable::Timetable;
use super::{Line, Objective, Score};
use crate::{JobId, Permutation, PermutationError};

/// Why a reported result is wrong.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum PlanError {
    /// The order is not an order of all jobs.
    #[error(transparent)]
    Order(#[from] PermutationError),
    /// A fixed job does not stand where it should.
    #[error("position {position} holds job {found}, but first fixes job {expected} there")]
    First {
        /// The 0-based position.
        position: usize,
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
    /// A precedence is broken.
    #[error("job {after} stands before job {before}, but precedence wants {before} before {after}")]
    Precedence {
        /// What should come before.
        before: String,
        /// What should come after.
        after: String,
    },
    /// A value is not the one that was claimed.
    #[error("the order has {objective} {actual}, not {claimed}")]
    Value {
        /// The objective.
        objective: Objective,
        /// The recomputed value.
        actual: f64,
        /// The claimed one.
        claimed: f64,
    },
}

/// Checks a result by the plain definition: `order` holds every job once, respects fixed jobs and precedence, and has the
/// score `claimed`. Returns the recomputed score.
///
/// # Errors
/// [`PlanError`] says what is wrong.
pub fn check(line: &Line, order: &[JobId], claimed: Option<Score>) -> Result<Score, PlanError> {
    let actual = check_values(line, order, &[])?;
    let Some(claimed) = claimed.filter(|&claimed| claimed != actual) else { return Ok(actual) };
    let error = |((objective, actual), claimed)| PlanError::Value { objective, actual, claimed };
    let values = line.objectives().zip(line.values(actual)).zip(line.values(claimed)).map(error);
    let differs =
        |error: &PlanError| matches!(error, PlanError::Value { actual, claimed, .. } if actual != claimed);
    let mut errors: Vec<PlanError> = values.collect();
    errors.sort_by_key(|error| !differs(error));
    errors.into_iter().next().map_or(Ok(actual), Err)
}

/// [`check`] with claimed values in the user's units, the most important objective first; none, or fewer than there are
/// objectives, claim nothing of the others.
///
/// # Errors
/// [`PlanError`] says what is wrong.
pub fn check_values(line: &Line, order: &[JobId], claimed: &[f64]) -> Result<Score, PlanError> {
    let order = Permutation::new(order.to_vec(), line.num_jobs())?;
    check_places(line, &order)?;
    let table = Timetable::of(line, &order);
    for (objective, &claimed) in line.objectives().zip(claimed) {
        let actual = line.units_of(objective, value(line, &table, objective));
        // Less than half a tick off, as a text with all its decimals is, or the last bits of a double.
        if (actual - claimed).abs()
            > (0.4 * line.units_of(objective, 1)).max(4.0 * f64::EPSILON * actual.abs())
        {
            return Err(PlanError::Value { objective, actual, claimed });
        }
    }
    Ok(table.score())
}

/// An objective by its definition, from the completion times alone, in ticks and whole weights.
fn value(line: &Line, table: &Timetable, objective: Objective) -> i128 {
    let jobs = || table.order().iter().zip(table.completions());
    let late = |(&job, end): (&JobId, u32)| line.due(job).map(|due| i128::from(end) - i128::from(due));
    let sum = |of: &dyn Fn((&JobId, u32)) -> i128| {
        jobs().map(|done| i128::from(line.scaled_weight(*done.0)) * of(done)).sum()
    };
    match objective {
        Objective::Makespan => i128::from(table.makespan()),
        Objective::TotalCompletion => sum(&|(_, end)| i128::from(end)),
        Objective::TotalTardiness => sum(&|done| late(done).unwrap_or(0).max(0)),
        Objective::MaxLateness => jobs().filter_map(late).max().unwrap_or(0),
        Objective::LateJobs => sum(&|done| i128::from(late(done) > Some(0))),
    }
}

fn check_places(line: &Line, order: &[JobId]) -> Result<(), PlanError> {
    let label = |job| line.shop().job_label(job);
    for (position, (&found, &expected)) in order.iter().zip(line.first()).enumerate() {
        if found != expected {
            return Err(PlanError::First { position, found: label(found), expected: label(expected) });
        }
    }
    let mut places = vec![0; order.len()];
    for (place, &job) in order.iter().enumerate() {
        places[job as usize] = place;
    }
    match line.precedence().iter().find(|pair| places[pair.0 as usize] > places[pair.1 as usize]) {
        Some(&(before, after)) => Err(PlanError::Precedence { before: label(before), after: label(after) }),
        None => Ok(()),
    }
}
