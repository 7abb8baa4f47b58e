//! Means over runs and instances.

use std::collections::HashMap;

use crate::Row;

/// The runs of one algorithm on one instance.
#[derive(Clone, Debug)]
pub(super) struct InstanceMean<'a> {
    pub(super) instance: &'a str,
    pub(super) algorithm: &'a str,
    pub(super) size: (usize, usize),
    pub(super) makespan: f64,
    rpd: Option<f64>,
    gap: f64,
    runtime: f64,
    primal_integral: Option<f64>,
    runs: usize,
    optimal: usize,
    at_best_known: usize,
}

/// Several instances together.
#[derive(Clone, Debug, Default)]
pub(super) struct Aggregate {
    pub(super) instances: usize,
    pub(super) runs: usize,
    pub(super) rpd: Option<f64>,
    pub(super) primal_integral: Option<f64>,
    pub(super) makespan: f64,
    /// The mean of (makespan - bound) / bound, in percent.
    pub(super) gap: f64,
    /// The mean time of a run in seconds.
    pub(super) runtime: f64,
    pub(super) optimal: usize,
    pub(super) at_best_known: usize,
}

/// The mean of each instance and algorithm over its runs, so that an instance with fewer runs (of a bench
/// that was interrupted) weighs as much as any other.
pub(super) fn instance_means<'a>(rows: &'a [Row], labels: &'a [String]) -> Vec<InstanceMean<'a>> {
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    let mut runs: Vec<(&'a str, Vec<&'a Row>)> = Vec::new();
    for (row, label) in rows.iter().zip(labels) {
        let place = *places.entry((&row.instance, label)).or_insert(runs.len());
        if place == runs.len() {
            runs.push((label, Vec::new()));
        }
        runs[place].1.push(row);
    }
    let summarise = |(algorithm, rows): (&'a str, Vec<&'a Row>)| {
        let first = rows.first()?;
        Some(InstanceMean {
            instance: &first.instance,
            algorithm,
            size: (first.num_jobs, first.num_machines),
            makespan: mean(rows.iter().map(|row| row.makespan))?,
            rpd: mean(rows.iter().filter_map(|row| row.rpd)),
            gap: mean(rows.iter().map(|row| row.gap()))?,
            runtime: mean(rows.iter().map(|row| row.runtime_s))?,
            primal_integral: mean(rows.iter().filter_map(|row| row.primal_integral)),
            runs: rows.len(),
            optimal: rows.iter().filter(|row| row.is_optimal()).count(),
            at_best_known: rows.iter().filter(|row| row.reaches_best_known()).count(),
        })
    };
    runs.into_iter().filter_map(summarise).collect()
}

impl Aggregate {
    pub(super) fn of<'a, 'b: 'a>(means: impl IntoIterator<Item = &'a InstanceMean<'b>>) -> Self {
        let means: Vec<&InstanceMean<'_>> = means.into_iter().collect();
        Self {
            instances: means.len(),
            runs: means.iter().map(|mean| mean.runs).sum(),
            rpd: mean(means.iter().filter_map(|mean| mean.rpd)),
            primal_integral: mean(means.iter().filter_map(|mean| mean.primal_integral)),
            makespan: mean(means.iter().map(|mean| mean.makespan)).unwrap_or_default(),
            gap: mean(means.iter().map(|mean| mean.gap)).unwrap_or_default(),
            runtime: mean(means.iter().map(|mean| mean.runtime)).unwrap_or_default(),
            optimal: means.iter().map(|mean| mean.optimal).sum(),
            at_best_known: means.iter().map(|mean| mean.at_best_known).sum(),
        }
    }
}

/// The mean, or `None` of nothing.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0usize), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / count as f64)
}
