//! What the rows of a bench say: mean deviations per size and algorithm, and comparisons.

mod aggregate;
mod comparison;
mod label;
mod table;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::Row;
use aggregate::{Aggregate, InstanceMean, instance_means};
pub use comparison::Comparison;
use comparison::comparisons;
pub use table::write_new_best_known;

/// The schema of a summary's JSON.
const SCHEMA: &str = "pfss.bench/1";

/// A summary of rows that were made under one limit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Always `pfss.bench/1`.
    pub schema: &'static str,
    /// The limits of the rows; more than one where rows of several benches are mixed.
    pub limits: Vec<String>,
    /// One entry per size and algorithm, by size, then in the order of the rows.
    pub groups: Vec<GroupSummary>,
    /// One entry per algorithm over all sizes.
    pub overall: Vec<OverallSummary>,
    /// Each pair of algorithms on the instances that both have solved.
    pub comparisons: Vec<Comparison>,
    /// Makespans below the best known, the best one per instance.
    pub new_best_known: Vec<NewBestKnown>,
}

/// One algorithm on one size. A mean is `None` where no instance has a best-known value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupSummary {
    /// The size, as `50x20`.
    pub group: String,
    /// The algorithm, with the settings by which it differs from others of its name.
    pub algorithm: String,
    /// How many instances.
    pub instances: usize,
    /// How many runs.
    pub runs: usize,
    /// The mean over the instances of their mean deviation from the best-known makespan, in percent.
    pub arpd: Option<f64>,
    /// The mean over the instances of their mean primal integral, in percent.
    pub primal_integral: Option<f64>,
    /// How many runs proved their order optimal.
    pub optimal: usize,
    /// How many runs are at or below the best-known makespan.
    pub at_best_known: usize,
    /// The mean makespan.
    pub makespan: f64,
    /// The mean gap to the proven bound, in percent.
    pub gap: f64,
    /// The mean time of a run, in seconds.
    pub runtime_s: f64,
}

/// One algorithm over all sizes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OverallSummary {
    /// The algorithm, with the settings by which it differs from others of its name.
    pub algorithm: String,
    /// How many instances.
    pub instances: usize,
    /// How many runs.
    pub runs: usize,
    /// The mean deviation over all instances: what "on average" means where nothing else is said.
    pub arpd_over_instances: Option<f64>,
    /// The mean of the size groups' mean deviations.
    pub arpd_over_groups: Option<f64>,
    /// The mean primal integral over all instances.
    pub primal_integral_over_instances: Option<f64>,
    /// The mean of the size groups' mean primal integrals.
    pub primal_integral_over_groups: Option<f64>,
    /// How many runs proved their order optimal.
    pub optimal: usize,
    /// How many runs are at or below the best-known makespan.
    pub at_best_known: usize,
    /// The mean makespan over all instances.
    pub makespan: f64,
    /// The mean gap to the proven bound over all instances, in percent.
    pub gap: f64,
    /// The mean time of a run over all instances, in seconds.
    pub runtime_s: f64,
}

/// A makespan below the best known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NewBestKnown {
    /// The instance.
    pub instance: String,
    /// The best-known makespan.
    pub best_known: f64,
    /// The new one.
    pub makespan: f64,
    /// The algorithm that found it.
    pub algorithm: String,
    /// The seed of its run.
    pub seed: u64,
    /// The jobs in order, 0-based, separated by blanks.
    pub order: String,
}

impl Summary {
    /// The summary of `rows`.
    pub fn new(rows: &[Row]) -> Self {
        let labels = label::labels(rows);
        let means = instance_means(rows, &labels);
        let mut limits: Vec<String> = Vec::new();
        let mut algorithms: Vec<String> = Vec::new();
        for (row, label) in rows.iter().zip(&labels) {
            if !limits.contains(&row.limit) {
                limits.push(row.limit.clone());
            }
            if !algorithms.contains(label) {
                algorithms.push(label.clone());
            }
        }
        Self {
            schema: SCHEMA,
            limits,
            groups: groups(&means, &algorithms),
            overall: algorithms.iter().map(|algorithm| overall(&means, algorithm)).collect(),
            comparisons: comparisons(&means, &algorithms),
            new_best_known: new_best_known(rows, &labels),
        }
    }

    /// The summary as one line of JSON, without a line end.
    ///
    /// # Errors
    /// When a value has no JSON form.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }
}

fn groups(means: &[InstanceMean<'_>], algorithms: &[String]) -> Vec<GroupSummary> {
    let mut sizes: Vec<(usize, usize)> = means.iter().map(|mean| mean.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut groups = Vec::new();
    for size in sizes {
        for algorithm in algorithms {
            let aggregate =
                Aggregate::of(means.iter().filter(|mean| mean.size == size && mean.algorithm == algorithm));
            if aggregate.instances > 0 {
                groups.push(GroupSummary {
                    group: format!("{}x{}", size.0, size.1),
                    algorithm: algorithm.clone(),
                    instances: aggregate.instances,
                    runs: aggregate.runs,
                    arpd: aggregate.rpd,
                    primal_integral: aggregate.primal_integral,
                    optimal: aggregate.optimal,
                    at_best_known: aggregate.at_best_known,
                    makespan: aggregate.makespan,
                    gap: aggregate.gap,
                    runtime_s: aggregate.runtime,
                });
            }
        }
    }
    groups
}

fn overall(means: &[InstanceMean<'_>], algorithm: &str) -> OverallSummary {
    let own: Vec<&InstanceMean<'_>> = means.iter().filter(|mean| mean.algorithm == algorithm).collect();
    let all = Aggregate::of(own.iter().copied());
    let mut by_size: BTreeMap<(usize, usize), Vec<&InstanceMean<'_>>> = BTreeMap::new();
    for mean in own {
        by_size.entry(mean.size).or_default().push(mean);
    }
    let by_size: Vec<Aggregate> = by_size.into_values().map(Aggregate::of).collect();
    OverallSummary {
        algorithm: algorithm.to_string(),
        instances: all.instances,
        runs: all.runs,
        arpd_over_instances: all.rpd,
        arpd_over_groups: aggregate::mean(by_size.iter().filter_map(|group| group.rpd)),
        primal_integral_over_instances: all.primal_integral,
        primal_integral_over_groups: aggregate::mean(
            by_size.iter().filter_map(|group| group.primal_integral),
        ),
        optimal: all.optimal,
        at_best_known: all.at_best_known,
        makespan: all.makespan,
        gap: all.gap,
        runtime_s: all.runtime,
    }
}

fn new_best_known(rows: &[Row], labels: &[String]) -> Vec<NewBestKnown> {
    let mut best: Vec<NewBestKnown> = Vec::new();
    for (row, label) in rows.iter().zip(labels).filter(|(row, _)| row.improves_best_known()) {
        let found = NewBestKnown {
            instance: row.instance.clone(),
            best_known: row.best_known.unwrap_or(row.makespan),
            makespan: row.makespan,
            algorithm: label.clone(),
            seed: row.seed,
            order: row.order.clone(),
        };
        match best.iter_mut().find(|known| known.instance == found.instance) {
            Some(known) if found.makespan < known.makespan => *known = found,
            Some(_) => {}
            None => best.push(found),
        }
    }
    best
}

#[cfg(test)]
mod tests;
