//! The rows of one method on one group, instance by instance.

use std::collections::HashMap;

use super::machine::Machine;
use super::measurement::Measurement;
use super::runs::Outcome;

/// The costs of one method, instance by instance, and its times.
pub(super) struct Column {
    /// The mean over the seeds, for each instance.
    pub(super) costs: Vec<f64>,
    /// The costs of each seed or training, for each instance; the seeds in order.
    pub(super) by_seed: Vec<(u64, Vec<f64>)>,
    /// The sum of the times over the instances, the mean of it over the seeds.
    pub(super) seconds: f64,
    /// How many instances were proven optimal with every seed.
    pub(super) proven: usize,
    /// What measured the times; `None` when it was more than one machine.
    pub(super) machine: Option<Machine>,
}

impl Column {
    /// The rows of an outcome, or why there are none. Every seed has a row for every instance.
    pub(super) fn new(instances: &[String], outcome: &Outcome) -> Result<Self, String> {
        match outcome {
            Outcome::Rows(rows) => {
                Self::of_rows(instances, rows).ok_or_else(|| "failed: no rows".to_string())
            }
            Outcome::Missing(what) => Err(what.clone()),
            Outcome::Failed(reason) => Err(format!("failed: {reason}")),
        }
    }

    fn of_rows(instances: &[String], rows: &[Measurement]) -> Option<Self> {
        let places: HashMap<&str, usize> =
            instances.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
        let place = |row: &Measurement| places.get(row.instance.as_str()).copied();
        let mut placed: Vec<(usize, &Measurement)> =
            rows.iter().map(|row| Some((place(row)?, row))).collect::<Option<_>>()?;
        // Sums of reals depend on their order, and rows come in the order in which they were made.
        placed.sort_by_key(|(at, row)| (row.seed, *at));
        let mut by_seed: Vec<(u64, Vec<f64>)> = Vec::new();
        let mut proven = vec![true; instances.len()];
        for (at, row) in &placed {
            if by_seed.last().is_none_or(|(seed, _)| *seed != row.seed) {
                by_seed.push((row.seed, Vec::with_capacity(instances.len())));
            }
            let (_, costs) = by_seed.last_mut()?;
            if costs.len() != *at {
                return None;
            }
            costs.push(row.cost);
            proven[*at] &= row.proven;
        }
        if by_seed.is_empty() || by_seed.iter().any(|(_, costs)| costs.len() != instances.len()) {
            return None;
        }
        let seeds = by_seed.len() as f64;
        let total: f64 = placed.iter().map(|(_, row)| row.runtime_s).sum();
        let first = rows.first()?.machine();
        Some(Self {
            costs: (0..instances.len())
                .map(|at| by_seed.iter().map(|(_, costs)| costs[at]).sum::<f64>() / seeds)
                .collect(),
            seconds: total / seeds,
            proven: proven.iter().filter(|proven| **proven).count(),
            machine: rows.iter().all(|row| row.machine() == first).then_some(first),
            by_seed,
        })
    }
}
