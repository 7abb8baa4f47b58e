//! The planner's flow shop as a problem for solvers.

use super::bound::lower_bound_while;
use super::timetable::Timetable;
use super::{Line, Score, lower_bound};
use crate::{JobId, PermutationProblem, Run};

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

    fn lower_bound_during(&self, run: &Run<'_, Score>) -> Score {
        lower_bound_while(self, &|| !run.is_called_off())
    }
}
