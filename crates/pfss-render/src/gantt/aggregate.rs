//! Rows of a chart with more operations than pixels: each column shows the job that fills most of it.

use pfss_core::JobId;

/// Columns of one row that show the same job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Run {
    pub(super) job: JobId,
    pub(super) first: usize,
    /// One past the last column.
    pub(super) end: usize,
}

#[derive(Clone, Copy, Default)]
struct Column {
    busy: f64,
    largest: f64,
    job: JobId,
}

/// One machine's row of jobs with their starts and ends, in `num_columns` columns from time zero to `horizon`. A column in
/// which the machine stands still for more than half of the time stays empty.
pub(super) fn merged_row(
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

    #[test]
    fn columns_show_the_job_that_fills_them() {
        let first = [(0, 0.0, 4.0), (1, 4.0, 5.0), (2, 5.0, 8.0)];
        let row = merged_row(first.into_iter(), 4, 8.0);
        let runs = [(0, 0, 2), (1, 2, 3), (2, 3, 4)].map(|(job, first, end)| Run { job, first, end });
        assert_eq!(row, runs);
        let second = [(0, 4.0, 4.0), (1, 5.0, 7.0), (2, 8.0, 9.0)];
        assert_eq!(merged_row(second.into_iter(), 9, 9.0)[0], Run { job: 1, first: 5, end: 7 });
    }
}
