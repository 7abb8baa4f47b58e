//! The planner's flow shop as a problem for solvers.

use super::timetable::Timetable;
use super::{Line, Score, lower_bound};
use crate::{JobId, PermutationProblem};

impl PermutationProblem for Line {
    type Cost = Score;

    fn len(&self) -> usize {
        self.num_jobs()
    }

    fn cost(&self, order: &[JobId]) -> Score {
        Timetable::of(self, order).score()
    }

    fn lower_bound(&self) -> Score {
        lower_bound(self)
    }
}
