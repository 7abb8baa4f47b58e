//! The positional model with start times: Wilson 1989, "Alternative formulations of a flow-shop scheduling
//! problem", Journal of the Operational Research Society 40.
//!
//! It has no big-M. On gamma instances of 8 jobs and 5 machines HiGHS solves it in about three quarters of
//! the time that the model with idle and waiting times (Wagner 1959, Stafford 1988) takes.

use highs::{Col, RowProblem};

use super::formulation::{Formulation, add_choice, add_makespan};
use super::work::Work;

/// `z[j][k] = 1` when job `j` stands at position `k`; `s[i][k]` is when machine `i` starts the job there.
pub(super) struct Positional<'a> {
    work: &'a Work,
}

impl<'a> Positional<'a> {
    /// The model of this work.
    pub(super) fn new(work: &'a Work) -> Self {
        Self { work }
    }

    /// How many nonzeros the matrix has, or a few more.
    pub(super) fn num_nonzeros(num_jobs: usize, num_machines: usize) -> usize {
        let per_row = num_jobs.saturating_add(2);
        let rows = num_jobs.saturating_mul(num_machines.saturating_add(1)).saturating_mul(2);
        rows.saturating_mul(per_row)
    }

    /// Every job has one position, every position one job.
    fn add_assignment(&self, problem: &mut RowProblem, choices: &[Col]) {
        let jobs = self.work.num_jobs();
        for a in 0..jobs {
            problem.add_row(1.0..=1.0, (0..jobs).map(|b| (choices[a * jobs + b], 1.0)));
            problem.add_row(1.0..=1.0, (0..jobs).map(|b| (choices[b * jobs + a], 1.0)));
        }
    }

    /// The first machine never waits, nor does the first job; every other operation starts when its machine
    /// and its job are free.
    fn add_starts(&self, problem: &mut RowProblem, choices: &[Col], starts: &[Col], makespan: Col) {
        let (jobs, machines) = (self.work.num_jobs(), self.work.num_machines());
        for (k, i) in (0..jobs).flat_map(|k| (0..machines).map(move |i| (k, i))) {
            // s[i][k] + sum over j of x[i][j] z[j][k] <= s[i][k+1]
            if k + 1 < jobs {
                self.add_follows(problem, choices, (k, i), starts, starts[(k + 1) * machines + i], i == 0);
            }
            // s[i][k] + sum over j of x[i][j] z[j][k] <= s[i+1][k]
            if i + 1 < machines {
                self.add_follows(problem, choices, (k, i), starts, starts[k * machines + i + 1], k == 0);
            }
        }
        let last = (jobs - 1, machines - 1);
        self.add_follows(problem, choices, last, starts, makespan, true);
    }

    /// `next` is not before the end of the operation at `(position, machine)`, or equals it.
    fn add_follows(
        &self,
        problem: &mut RowProblem,
        choices: &[Col],
        (position, machine): (usize, usize),
        starts: &[Col],
        next: Col,
        at_once: bool,
    ) {
        let (jobs, machines) = (self.work.num_jobs(), self.work.num_machines());
        let times = (0..jobs).map(|job| (choices[job * jobs + position], self.work.time(machine, job)));
        // HiGHS warns of explicit zeros.
        let times = times.filter(|&(_, time)| time > 0.0);
        let row = times.chain([(starts[position * machines + machine], 1.0), (next, -1.0)]);
        let lower = if at_once { 0.0 } else { f64::NEG_INFINITY };
        problem.add_row(lower..=0.0, row);
    }
}

impl Formulation for Positional<'_> {
    fn problem(&self) -> RowProblem {
        let mut problem = RowProblem::new();
        let (jobs, machines) = (self.work.num_jobs(), self.work.num_machines());
        let choices: Vec<Col> = (0..jobs * jobs).map(|_| add_choice(&mut problem)).collect();
        // The first operation starts at zero.
        let latest = |operation: usize| if operation == 0 { 0.0 } else { f64::INFINITY };
        let operations = 0..jobs * machines;
        let starts: Vec<Col> =
            operations.map(|operation| problem.add_column(0.0, 0.0..=latest(operation))).collect();
        let makespan = add_makespan(&mut problem, self.work);
        self.add_assignment(&mut problem, &choices);
        self.add_starts(&mut problem, &choices, &starts, makespan);
        problem
    }

    fn columns(&self, order: &[usize]) -> Vec<f64> {
        let (jobs, machines) = (self.work.num_jobs(), self.work.num_machines());
        let mut columns = vec![0.0; jobs * jobs];
        for (position, &job) in order.iter().enumerate() {
            columns[job * jobs + position] = 1.0;
        }
        let starts = self.work.starts(order);
        let end = match (starts.last(), order.last()) {
            (Some(start), Some(&job)) => start + self.work.time(machines - 1, job),
            _ => 0.0,
        };
        columns.extend(starts);
        columns.push(end);
        columns
    }

    fn order(&self, columns: &[f64]) -> Vec<usize> {
        let jobs = self.work.num_jobs();
        let mut placed = vec![false; jobs];
        let mut order = Vec::with_capacity(jobs);
        for position in 0..jobs {
            let value = |job: &usize| columns[job * jobs + position];
            let open = (0..jobs).filter(|&job| !placed[job]);
            let Some(next) = open.max_by(|a, b| value(a).total_cmp(&value(b))) else { break };
            placed[next] = true;
            order.push(next);
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::Instance;

    #[test]
    fn an_order_survives_the_way_through_the_columns() {
        let instance = Instance::from_job_rows("", &[[2u32, 4, 1], [3, 0, 1], [1, 1, 5], [2, 2, 2]]).unwrap();
        let work = Work::new(&instance, 20, 1);
        let model = Positional::new(&work);
        for order in [[0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]] {
            let columns = model.columns(&order);
            assert_eq!(columns.len(), model.problem().num_cols());
            assert_eq!(model.order(&columns), order);
        }
    }

    #[test]
    fn fractions_still_give_every_job_a_place() {
        let instance = Instance::from_job_rows("", &[[2u32, 4], [3, 1], [1, 1]]).unwrap();
        let work = Work::new(&instance, 20, 1);
        let model = Positional::new(&work);
        let mut order = model.order(&vec![0.5; model.problem().num_cols()]);
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2]);
    }
}
