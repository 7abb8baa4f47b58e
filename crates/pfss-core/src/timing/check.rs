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
    let claimed = claimed.map(|score| line.values(score)).unwrap_or_default();
    check_values(line, order, &claimed)
}

/// [`check`] with claimed values in the user's units, the most important objective first; none, or fewer than there are
/// objectives, claim nothing of the others.
///
/// # Errors
/// [`PlanError`] says what is wrong.
pub fn check_values(line: &Line, order: &[JobId], claimed: &[f64]) -> Result<Score, PlanError> {
    let order = Permutation::new(order.to_vec(), line.num_jobs())?;
    check_places(line, &order)?;
    let actual = Timetable::of(line, &order).score();
    for ((objective, actual), &claimed) in line.objectives().zip(line.values(actual)).zip(claimed) {
        // Both are quotients of the same whole numbers, or a text that says so.
        if (actual - claimed).abs() > 1e-9 * actual.abs().max(1.0) {
            return Err(PlanError::Value { objective, actual, claimed });
        }
    }
    Ok(actual)
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
