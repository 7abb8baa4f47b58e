//! The predecessor model: Appendix B of Li et al., after Rios-Mercado and Bard 1998.

use highs::{Col, RowProblem};

use super::formulation::{Formulation, add_choice, add_makespan};
use super::work::Work;

/// `z[j][k] = 1` when job `j` is the immediate predecessor of job `k`; job 0 is a dummy before the first and
/// after the last job, so the jobs with work are numbered from 1 here.
pub(super) struct Predecessor<'a> {
    work: &'a Work,
}

impl<'a> Predecessor<'a> {
    /// The model of this work.
    pub(super) fn new(work: &'a Work) -> Self {
        Self { work }
    }

    /// How many nonzeros the matrix has.
    pub(super) fn num_nonzeros(num_jobs: usize, num_machines: usize) -> usize {
        let pairs = num_jobs.saturating_mul(num_jobs + 1);
        pairs.saturating_mul(3 * num_machines + 2)
    }

    /// The pairs `(j, k)` with `j != k` of jobs and dummy, in the order of their columns (7).
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let all = self.work.num_jobs() + 1;
        (0..all).flat_map(move |j| (0..all).filter(move |&k| k != j).map(move |k| (j, k)))
    }

    /// The place of `z[j][k]` among the columns.
    fn pair_index(&self, j: usize, k: usize) -> usize {
        j * self.work.num_jobs() + k - usize::from(k > j)
    }

    /// (8): `y[i][j] >= 0`. Its own operations before and after bound a start more narrowly where the whole
    /// schedule is to be no longer than the known one; HiGHS then lowers the big-M by itself.
    fn add_starts(&self, problem: &mut RowProblem) -> Vec<Col> {
        let machines = self.work.num_machines();
        let mut starts = Vec::with_capacity(self.work.num_jobs() * machines);
        for j in 0..self.work.num_jobs() {
            let mut head = 0.0;
            let mut tail: f64 = (0..machines).map(|i| self.work.time(i, j)).sum();
            for i in 0..machines {
                starts.push(problem.add_column(0.0, head..=self.work.upper_bound() - tail));
                head += self.work.time(i, j);
                tail -= self.work.time(i, j);
            }
        }
        starts
    }

    /// (2) and (3): every job, and the dummy, has one predecessor and one successor.
    fn add_degrees(&self, problem: &mut RowProblem, choices: &[Col]) {
        let all = self.work.num_jobs() + 1;
        for k in 0..all {
            let others = || (0..all).filter(move |&j| j != k);
            problem.add_row(1.0..=1.0, others().map(|j| (choices[self.pair_index(j, k)], 1.0)));
            problem.add_row(1.0..=1.0, others().map(|j| (choices[self.pair_index(k, j)], 1.0)));
        }
    }

    /// (4): `y[i][j] + x[i][j] <= y[i][k] + A[i] (1 - z[j][k])`.
    ///
    /// Summed over a cycle of jobs this says that the cycle has no work on machine `i`. A job whose times are
    /// all zero would therefore be free to leave the path, alone with others of its kind; such jobs are not in
    /// the model, so every cycle has work on some machine and is excluded.
    fn add_sequence(&self, problem: &mut RowProblem, choices: &[Col], starts: &[Col]) {
        let machines = self.work.num_machines();
        let mut latest_end = 0.0;
        for i in 0..machines {
            // A[i] = A[i-1] + sum over j of x[i][j]: no machine ends later in an earliest schedule.
            latest_end += self.work.machine_total(i);
            for (j, k) in self.pairs().filter(|&(j, k)| j > 0 && k > 0) {
                let (from, to) = (starts[(j - 1) * machines + i], starts[(k - 1) * machines + i]);
                let choice = choices[self.pair_index(j, k)];
                let time = self.work.time(i, j - 1);
                problem.add_row(..=latest_end - time, [(from, 1.0), (to, -1.0), (choice, latest_end)]);
            }
        }
    }

    /// (5): `y[m][j] + x[m][j] <= C_max`, and (6): `y[i][j] + x[i][j] <= y[i+1][j]`.
    fn add_jobs(&self, problem: &mut RowProblem, starts: &[Col], makespan: Col) {
        let machines = self.work.num_machines();
        for j in 0..self.work.num_jobs() {
            for i in 0..machines {
                let next = if i + 1 < machines { starts[j * machines + i + 1] } else { makespan };
                let start = starts[j * machines + i];
                problem.add_row(..=-self.work.time(i, j), [(start, 1.0), (next, -1.0)]);
            }
        }
    }
}

impl Formulation for Predecessor<'_> {
    fn problem(&self) -> RowProblem {
        let mut problem = RowProblem::new();
        let choices: Vec<Col> = self.pairs().map(|_| add_choice(&mut problem)).collect(); // (7)
        let starts = self.add_starts(&mut problem);
        let makespan = add_makespan(&mut problem, self.work); // (1)
        self.add_degrees(&mut problem, &choices);
        self.add_sequence(&mut problem, &choices, &starts);
        self.add_jobs(&mut problem, &starts, makespan);
        problem
    }

    fn columns(&self, order: &[usize]) -> Vec<f64> {
        let (jobs, machines) = (self.work.num_jobs(), self.work.num_machines());
        let num_choices = jobs * (jobs + 1);
        let mut columns = vec![0.0; num_choices + jobs * machines + 1];
        let starts = self.work.starts(order);
        let mut previous = 0;
        for (position, &job) in order.iter().enumerate() {
            columns[self.pair_index(previous, job + 1)] = 1.0;
            previous = job + 1;
            let from = &starts[position * machines..(position + 1) * machines];
            let place = num_choices + job * machines;
            columns[place..place + machines].copy_from_slice(from);
        }
        columns[self.pair_index(previous, 0)] = 1.0;
        if let (Some(start), Some(&last)) = (starts.last(), order.last()) {
            columns[num_choices + jobs * machines] = start + self.work.time(machines - 1, last);
        }
        columns
    }

    fn order(&self, columns: &[f64]) -> Vec<usize> {
        let jobs = self.work.num_jobs();
        let mut placed = vec![false; jobs + 1];
        placed[0] = true;
        let mut order = Vec::with_capacity(jobs);
        let mut here = 0;
        while order.len() < jobs {
            // Follow the arcs. Where they end before all jobs are placed (a cycle of jobs so short that they
            // vanish within the tolerances), this takes the likeliest of the jobs that are left.
            let value = |k: &usize| columns[self.pair_index(here, *k)];
            let open = (1..=jobs).filter(|&k| !placed[k]);
            let Some(next) = open.max_by(|a, b| value(a).total_cmp(&value(b))) else { break };
            placed[next] = true;
            order.push(next - 1);
            here = next;
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::Instance;

    fn work() -> Work {
        let instance = Instance::from_job_rows("", &[[2u32, 4], [3, 1], [1, 1], [2, 2]]).unwrap();
        Work::new(&instance, 20, 1)
    }

    #[test]
    fn pairs_have_consecutive_columns() {
        let work = work();
        let model = Predecessor::new(&work);
        for (index, (j, k)) in model.pairs().enumerate() {
            assert_eq!(model.pair_index(j, k), index);
        }
    }

    #[test]
    fn an_order_survives_the_way_through_the_columns() {
        let work = work();
        let model = Predecessor::new(&work);
        for order in [[0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]] {
            let columns = model.columns(&order);
            assert_eq!(columns.len(), model.problem().num_cols());
            assert_eq!(model.order(&columns), order);
        }
    }

    #[test]
    fn a_cycle_still_gives_every_job_a_place() {
        let work = work();
        let model = Predecessor::new(&work);
        let mut columns = vec![0.0; model.problem().num_cols()];
        for (j, k) in [(0, 2), (2, 0), (1, 3), (3, 4), (4, 1)] {
            columns[model.pair_index(j, k)] = 1.0;
        }
        let mut order = model.order(&columns);
        assert_eq!(order[0], 1);
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2, 3]);
    }
}
