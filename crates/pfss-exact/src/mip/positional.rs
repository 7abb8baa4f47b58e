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
        let times = (0..jobs).map(move |job| (job, self.work.time(machine, job)));
        // HiGHS warns of explicit zeros.
        times
            .filter(|&(_, time)| time > 0.0)
            .map(move |(job, time)| (choices[job * jobs + position], sign * time))
    }

    /// The index of idle or waiting time `(machine or gap, position)`, counted from 0; the first position
    /// has neither.
    fn gap_index(&self, gap: usize, position: usize) -> usize {
        gap * (self.work.num_jobs() - 1) + position - 1
    }

    /// How many idle times there are, and how many waiting times.
    fn num_gaps(&self) -> usize {
        (self.work.num_machines() - 1) * (self.work.num_jobs() - 1)
    }

    /// From the end of one job on machine `i` to the start of the next on machine `i + 1`, the way over the
    /// next job on machine `i` is as long as the way over this job on machine `i + 1`:
    /// `X[i][k+1] + t[i][k+1] + Y[i][k+1] = Y[i][k] + t[i+1][k] + X[i+1][k+1]`, where `X[i][k]` is the idle
    /// time of machine `i` before position `k` and `Y[i][k]` the wait of the job at `k` for machine `i + 1`.
    fn add_gaps(&self, problem: &mut RowProblem, choices: &[Col], idle: &[Col], wait: &[Col]) {
        for i in 0..self.work.num_machines() - 1 {
            for k in 0..self.work.num_jobs() - 1 {
                let mut row: Vec<(Col, f64)> = self.time_at(choices, i, k + 1, 1.0).collect();
                row.extend(self.time_at(choices, i + 1, k, -1.0));
                row.push((wait[self.gap_index(i, k + 1)], 1.0));
                row.push((idle[self.gap_index(i, k + 1)], -1.0));
                if i > 0 {
                    row.push((idle[self.gap_index(i - 1, k + 1)], 1.0));
                }
                if k > 0 {
                    row.push((wait[self.gap_index(i, k)], -1.0));
                }
                problem.add_row(0.0..=0.0, row);
            }
        }
    }

    /// The last machine works and stands idle until the makespan; before its first job it stands idle for as
    /// long as this job spends on all other machines.
    fn add_end(&self, problem: &mut RowProblem, choices: &[Col], idle: &[Col], makespan: Col) {
        let (jobs, last) = (self.work.num_jobs(), self.work.num_machines() - 1);
        let head = |job: usize| (0..last).map(|i| self.work.time(i, job)).sum::<f64>();
        let heads = (0..jobs).map(|job| (job, head(job))).filter(|&(_, head)| head > 0.0);
        let mut row: Vec<(Col, f64)> = heads.map(|(job, head)| (choices[job * jobs], head)).collect();
        if last > 0 {
            row.extend((1..jobs).map(|k| (idle[self.gap_index(last - 1, k)], 1.0)));
        }
        row.push((makespan, -1.0));
        let total = self.work.machine_total(last);
        problem.add_row(-total..=-total, row);
    }
}

impl Formulation for Positional<'_> {
    fn problem(&self) -> RowProblem {
        let mut problem = RowProblem::new();
        let jobs = self.work.num_jobs();
        let choices: Vec<Col> = (0..jobs * jobs).map(|_| add_choice(&mut problem)).collect();
        let mut gaps = || (0..self.num_gaps()).map(|_| problem.add_column(0.0, 0.0..)).collect();
        let (idle, wait): (Vec<Col>, Vec<Col>) = (gaps(), gaps());
        let makespan = add_makespan(&mut problem, self.work);
        self.add_assignment(&mut problem, &choices);
        self.add_gaps(&mut problem, &choices, &idle, &wait);
        self.add_end(&mut problem, &choices, &idle, makespan);
        problem
    }

    fn columns(&self, order: &[usize]) -> Vec<f64> {
        let (jobs, machines) = (self.work.num_jobs(), self.work.num_machines());
        let (idle, wait) = (jobs * jobs, jobs * jobs + self.num_gaps());
        let makespan = wait + self.num_gaps();
        let mut columns = vec![0.0; makespan + 1];
        let starts = self.work.starts(order);
        let end = |k: usize, i: usize| starts[k * machines + i] + self.work.time(i, order[k]);
        for (k, &job) in order.iter().enumerate() {
            columns[job * jobs + k] = 1.0;
            for i in (0..machines - 1).filter(|_| k > 0) {
                columns[idle + self.gap_index(i, k)] = starts[k * machines + i + 1] - end(k - 1, i + 1);
                columns[wait + self.gap_index(i, k)] = starts[k * machines + i + 1] - end(k, i);
            }
        }
        columns[makespan] = end(jobs - 1, machines - 1);
        columns
    }

    fn order(&self, columns: &[f64]) -> Vec<usize> {
        let jobs = self.work.num_jobs();
        let mut placed = vec![false; jobs];
        let mut order = Vec::with_capacity(jobs);
        for k in 0..jobs {
            let value = |job: &usize| columns[job * jobs + k];
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
