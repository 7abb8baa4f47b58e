//! Rows of a chart with more operations than pixels: each column shows the job that fills most of it.

use pfss_core::{JobId, MachineId, Schedule, Time};

/// Columns of one row that show the same job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run {
    pub(crate) job: JobId,
    pub(crate) first: usize,
    /// One past the last column.
    pub(crate) end: usize,
}

#[derive(Clone, Copy, Default)]
struct Column {
    busy: f64,
    largest: f64,
    job: JobId,
}

/// One machine's row in `num_columns` columns from time zero to `horizon`. A column in which the machine
/// stands still for more than half of the time stays empty.
pub(super) fn merged_row<T: Time>(
    schedule: &Schedule<T>,
    machine: MachineId,
    num_columns: usize,
    horizon: f64,
) -> Vec<Run> {
    let operations = (0..schedule.order().len()).map(|position| {
        let operation = schedule.operation(position, machine);
        (operation.job, operation.start.to_f64(), operation.end.to_f64())
    });
    merged(operations, num_columns, horizon)
}

/// [`merged_row`] of jobs with their starts and ends.
pub(crate) fn merged(
    operations: impl Iterator<Item = (JobId, f64, f64)>,
    num_columns: usize,
    horizon: f64,
) -> Vec<Run> {
    let mut columns = vec![Column::default(); num_columns];
    for (job, start, end) in operations {
        let start = start / horizon * num_columns as f64;
        let end = (end / horizon * num_columns as f64).min(num_columns as f64);
        for (index, column) in columns.iter_mut().enumerate().take(end.ceil() as usize).skip(start as usize) {
            let cover = end.min(index as f64 + 1.0) - start.max(index as f64);
            column.busy += cover;
            if cover > column.largest {
                (column.largest, column.job) = (cover, job);
            }
        }
    }
    runs(&columns)
}

fn runs(columns: &[Column]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (index, column) in columns.iter().enumerate().filter(|(_, column)| column.busy >= 0.5) {
        match runs.last_mut() {
            Some(run) if run.job == column.job && run.end == index => run.end += 1,
            _ => runs.push(Run { job: column.job, first: index, end: index + 1 }),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::Instance;

    #[test]
    fn columns_show_the_job_that_fills_them() {
        let instance = Instance::from_job_rows("", &[[4u32, 0], [1, 2], [3, 1]]).unwrap();
        let schedule = Schedule::new(&instance, &[0, 1, 2]).unwrap();
        // Machine 0: job 0 until 4, job 1 until 5, job 2 until 8. Machine 1: job 1 from 5 to 7, job 2 from 8.
        let row = merged_row(&schedule, 0, 4, 8.0);
        assert_eq!(
            row,
            [
                Run { job: 0, first: 0, end: 2 },
                Run { job: 1, first: 2, end: 3 },
                Run { job: 2, first: 3, end: 4 }
            ]
        );
        assert_eq!(merged_row(&schedule, 1, 9, 9.0)[0], Run { job: 1, first: 5, end: 7 });
    }
}
