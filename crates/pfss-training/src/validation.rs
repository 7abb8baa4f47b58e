//! How good a policy is beside an expert.

use pfss_neural::{DatasetError, LabelledSet, ModelError};
use rayon::prelude::*;

use crate::TrainingError;
use crate::config::Greedy;

/// What greedy orders cost beside an expert's, as [`Epoch`](crate::Epoch) has it.
#[derive(Default)]
pub(crate) struct Measured {
    pub(crate) cost: f64,
    pub(crate) gap: f64,
    pub(crate) mean_gap: f64,
    /// The gap of each set, where there are several.
    pub(crate) gaps: Vec<f64>,
}

/// Measures greedy orders. Of several sets, each of one size, every one counts the same.
pub(crate) fn measure(sets: &[LabelledSet], greedy: &Greedy) -> Result<Measured, TrainingError> {
    if sets.is_empty() {
        return Err(DatasetError::Empty.into());
    }
    let share = sets.len() as f64;
    let mut all = Measured::default();
    for set in sets {
        let found = measure_set(set, greedy)?;
        all.cost += found.cost / share;
        all.gap += found.gap / share;
        all.mean_gap += found.mean_gap / share;
        if sets.len() > 1 {
            all.gaps.push(found.gap);
        }
    }
    Ok(all)
}

fn measure_set(set: &LabelledSet, greedy: &Greedy) -> Result<Measured, ModelError> {
    let found: Vec<(f64, f64)> = set
        .items()
        .par_iter()
        .map(|item| {
            let cost = item.instance.cost(&greedy(&item.instance)?);
            Ok((cost, if item.cost > 0.0 { cost / item.cost - 1.0 } else { 0.0 }))
        })
        .collect::<Result<_, ModelError>>()?;
    let count = found.len() as f64;
    let cost = found.iter().map(|(cost, _)| cost).sum::<f64>() / count;
    let mean_gap = 100.0 * found.iter().map(|(_, gap)| gap).sum::<f64>() / count;
    let expert = set.mean_cost();
    let gap = if expert > 0.0 { 100.0 * (cost / expert - 1.0) } else { 0.0 };
    Ok(Measured { cost, gap, mean_gap, gaps: Vec::new() })
}
