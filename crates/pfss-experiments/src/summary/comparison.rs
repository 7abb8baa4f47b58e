//! Pairs of algorithms on the instances that both have solved.

use std::collections::BTreeMap;

use serde::Serialize;

use super::aggregate::InstanceMean;
use crate::stats::{Alternative, holm, paired_differences, wilcoxon};

/// Two algorithms on the instances that both have solved, by their mean makespans.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The one algorithm.
    pub first: String,
    /// The other.
    pub second: String,
    /// On how many instances the first is better.
    pub wins: usize,
    /// On how many both are equal.
    pub ties: usize,
    /// On how many the second is better.
    pub losses: usize,
    /// Two-sided Wilcoxon signed-rank test of the relative differences.
    pub p_value: f64,
    /// The same after Holm's correction for all pairs.
    pub p_value_holm: f64,
}

/// Every pair, corrected for their number.
pub(super) fn comparisons(means: &[InstanceMean<'_>], algorithms: &[String]) -> Vec<Comparison> {
    let makespans = |algorithm: &String| -> BTreeMap<&str, f64> {
        let own = means.iter().filter(|mean| mean.algorithm == algorithm);
        own.map(|mean| (mean.instance, mean.makespan)).collect()
    };
    let mut comparisons = Vec::new();
    for (at, first) in algorithms.iter().enumerate() {
        for second in &algorithms[at + 1..] {
            let (own, other) = (makespans(first), makespans(second));
            let (a, b): (Vec<f64>, Vec<f64>) =
                own.iter().filter_map(|(name, a)| other.get(name).map(|b| (a, b))).unzip();
            let differences = relative_differences(&a, &b);
            let Some(test) = wilcoxon(&differences, Alternative::TwoSided) else {
                continue;
            };
            comparisons.push(Comparison {
                first: first.clone(),
                second: second.clone(),
                wins: differences.iter().filter(|&&d| d < 0.0).count(),
                ties: test.num_zeros,
                losses: differences.iter().filter(|&&d| d > 0.0).count(),
                p_value: test.p_value,
                p_value_holm: test.p_value,
            });
        }
    }
    let adjusted = holm(&comparisons.iter().map(|pair| pair.p_value).collect::<Vec<_>>());
    for (pair, adjusted) in comparisons.iter_mut().zip(adjusted) {
        pair.p_value_holm = adjusted;
    }
    comparisons
}

/// The differences relative to the mean size of both values, so that instances of all sizes weigh alike. Values such as the
/// greatest lateness may be below zero.
fn relative_differences(a: &[f64], b: &[f64]) -> Vec<f64> {
    let sizes = a.iter().zip(b).map(|(a, b)| (a.abs() + b.abs()) / 2.0);
    let relative = |(difference, size): (f64, f64)| if difference == 0.0 { 0.0 } else { difference / size };
    paired_differences(a, b).into_iter().zip(sizes).map(relative).collect()
}
