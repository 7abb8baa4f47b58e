//! The positional model with idle and waiting times: Wagner 1959, as simplified by Stafford 1988
//! ("On the development of a mixed-integer linear programming model for the flowshop sequencing problem",
//! Journal of the Operational Research Society 39). Tseng, Stafford and Gupta 2004 found it the quickest of
//! the classical models; it has no big-M.

use highs::{Col, RowProblem};

use super::formulation::{Formulation, add_choice, add_makespan};
use super::work::Work;

/// `z[j][k] = 1` when job `j` stands at position `k`.
pub(super) struct Positional<'a> {
    work: &'a Work,
}

impl<'a> Positional<'a> {
    /// The model of this work.
    pub(super) fn new(work: &'a Work) -> Self {
        Self { work }
    }

    /// How many nonzeros the matrix has.
    pub(super) fn num_nonzeros(num_jobs: usize, num_machines: usize) -> usize {
        let choices = num_jobs.saturating_mul(num_jobs);
        choices.saturating_mul(2 * num_machines).saturating_add(5 * num_jobs * num_machines)
    }

    /// Every job has one position, every position one job.
    fn add_assignment(&self, problem: &mut RowProblem, choices: &[Col]) {
        let jobs = self.work.num_jobs();
        for a in 0..jobs {
            problem.add_row(1.0..=1.0, (0..jobs).map(|b| (choices[a * jobs + b], 1.0)));
            problem.add_row(1.0..=1.0, (0..jobs).map(|b| (choices[b * jobs + a], 1.0)));
        }
    }

    /// The time on `machine` of the job at `position`, as a linear expression times `sign`.
    fn time_at<'s>(
        &'s self,
        choices: &'s [Col],
        machine: usize,
        position: usize,
        sign: f64,
    ) -> impl Iterator<Item = (Col, f64)> + 's {
        let jobs = self.work.num_jobs();
        (0..jobs).map(move |job| (choices[job * jobs + position], sign * self.work.time(machine, job)))
    }
}
