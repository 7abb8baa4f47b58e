//! How far a printed number is from the measured one, beside what chance can do: one rule for all rows.
//!
//! The paper drew other instances and trained other networks. So the difference of two means has the error of the
//! instances twice, and that of seeds or trainings once for the paper's one and once for the mean of ours:
//! `2 e² + (1 + 1/k) s²`, with the standard error `e` over the instances and the standard deviation `s` of our `k` seeds
//! or trainings. Instances of a benchmark are the paper's own: they add nothing.

use crate::reproduction::printed::{number, percent};
use crate::reproduction::{Numbers, Plan, PrintedCell, SeedMean, Source, Summary};

/// Differences of means beyond so many standard errors are no chance.
pub(super) const ERRORS: f64 = 3.0;
/// Half a unit of the last printed decimal.
pub(super) const ROUNDING: f64 = 0.05;

/// A printed number beside a measured one.
pub(super) struct Distance {
    pub(super) printed: f64,
    pub(super) measured: f64,
    /// The part that rounding does not explain.
    beyond: f64,
    /// The standard error of the difference.
    spread: f64,
    /// The part of it that the instances have.
    instances: f64,
}

impl Distance {
    /// In standard errors; infinite where nothing is left to chance.
    pub(super) fn errors(&self) -> f64 {
        if self.beyond == 0.0 { 0.0 } else { self.beyond / self.spread }
    }

    pub(super) fn is_chance(&self) -> bool {
        self.errors() <= ERRORS
    }

    /// Whether it is chance only because seeds or trainings differ so much.
    pub(super) fn is_spread_of_seeds(&self) -> bool {
        self.is_chance() && self.beyond > ERRORS * self.instances
    }
}

/// The printed mean cost beside the measured one.
pub(super) fn cost_distance(plan: &Plan, summary: &Summary, cell: &PrintedCell) -> Option<Distance> {
    let (printed, numbers) = (number(&cell.cost)?, summary.numbers(&cell.method, &cell.group)?);
    let measured = numbers.cost;
    let seeds = numbers.by_seed.iter().map(|one: &SeedMean| one.cost).collect::<Vec<_>>();
    let error = instance_error(plan, cell, numbers.cost_error);
    Some(Distance {
        printed,
        measured,
        beyond: ((printed - measured).abs() - ROUNDING).max(0.0),
        spread: spread(error, &seeds),
        instances: spread(error, &[]),
    })
}

/// The printed gap to the baseline beside the measured one; both methods of it saw the same instances.
pub(super) fn gap_distance(plan: &Plan, summary: &Summary, cell: &PrintedCell) -> Option<Distance> {
    if cell.method == plan.baseline || cell.method == plan.printed_baseline() {
        return None;
    }
    let numbers: &Numbers = summary.numbers(&cell.method, &cell.group)?;
    let gap = numbers.gap?;
    let (printed, rounding) = match percent(&cell.gap) {
        Some(printed) => (printed, ROUNDING),
        None => implied_gap(plan, cell)?,
    };
    // The 95 % interval reaches 1.96 standard errors to each side.
    let error = instance_error(plan, cell, (gap.high - gap.low) / (2.0 * 1.96));
    let seeds: Vec<f64> = numbers.by_seed.iter().filter_map(|one| one.gap).collect();
    // The printed gaps are ratios of the printed means, the paper's code takes means of ratios: either will do.
    let distance = (printed - gap.mean_of_ratios).abs().min((printed - gap.ratio_of_means).abs());
    Some(Distance {
        printed,
        measured: gap.mean_of_ratios,
        beyond: (distance - rounding).max(0.0),
        spread: spread(error, &seeds),
        instances: spread(error, &[]),
    })
}

/// The gap of the printed mean to the baseline's, and what rounding alone can do to it.
pub(super) fn implied_gap(plan: &Plan, cell: &PrintedCell) -> Option<(f64, f64)> {
    if cell.method == plan.printed_baseline() {
        return None;
    }
    let base = number(&plan.printed.cell(plan.printed_baseline(), &cell.group)?.cost)?;
    let cost = number(&cell.cost)?;
    Some((100.0 * (cost / base - 1.0), 100.0 * ROUNDING * (1.0 + cost / base) / base))
}

/// The error over the instances, where the paper had others.
fn instance_error(plan: &Plan, cell: &PrintedCell, error: f64) -> f64 {
    match plan.group(&cell.group).map(|group| group.source()) {
        Some(Ok(Source::Set(_))) => 0.0,
        _ => error,
    }
}

/// The standard error of the difference between one run of the paper and the mean of ours.
fn spread(error: f64, seeds: &[f64]) -> f64 {
    let count = seeds.len() as f64;
    let variance = if seeds.len() < 2 {
        0.0
    } else {
        let mean = seeds.iter().sum::<f64>() / count;
        seeds.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0)
            * (1.0 + 1.0 / count)
    };
    (2.0 * error * error + variance).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduction::{Cell, Gap};

    const PLAN: &str = r#"
title = "t"
paper = "p"
caption = "c"
baseline = "base"
groups = [
    { id = "g", label = "g", distribution = "gamma", jobs = 5, machines = 2, count = 8 },
    { id = "t", label = "t", set = "taillard", jobs = 20, machines = 5 },
]
methods = [
    { id = "base", label = "b", algorithm = "neh" },
    { id = "net", label = "n", algorithm = "policy", model = "net" },
]
"#;
    const PRINTED: &str = "method,group,cost,gap,time,total,mark,other\nbase,g,100.0,0.0%,,,,\nnet,g,103.0,3.0%,,,,\nbase,t,,0%,,,,\nnet,t,,3.0%,,,,\n";

    /// A row with a gap of 2 % whose instances have an error of 0.1 points, and trainings that are `apart`.
    fn summary(apart: f64) -> Summary {
        let cell = |group: &str| Cell {
            method: "net".into(),
            group: group.into(),
            numbers: Some(Numbers {
                seeds: 3,
                cost: 102.0,
                cost_error: 1.0,
                gap: Some(Gap {
                    mean_of_ratios: 2.0,
                    low: 2.0 - 0.196,
                    high: 2.0 + 0.196,
                    ratio_of_means: 2.0,
                }),
                seconds: 1.0,
                before: None,
                proven: 0,
                mark: None,
                by_seed: [-1.0, 0.0, 1.0]
                    .map(|at| SeedMean { seed: 1, cost: 102.0 + apart * at, gap: Some(2.0 + apart * at) })
                    .to_vec(),
                machine: None,
            }),
            absent: None,
        };
        Summary { cells: vec![cell("g"), cell("t")], ..Summary::default() }
    }

    #[test]
    fn rows_with_a_model_are_held_to_the_gap_too() {
        let plan = Plan::parse("t", PLAN, PRINTED).unwrap();
        let cell = plan.printed.cell("net", "g").unwrap();
        // The makespan is one point away, and its error is 1.41; the gap's is 0.141 without that of trainings.
        let equal = summary(0.0);
        let errors = cost_distance(&plan, &equal, cell).unwrap().errors();
        assert!((errors - 0.95 / 2f64.sqrt()).abs() < 1e-9, "{errors}");
        let errors = gap_distance(&plan, &equal, cell).unwrap().errors();
        assert!((errors - 0.95 / 0.02f64.sqrt()).abs() < 1e-9, "{errors}");
        // Trainings that are half a point apart make it chance: 0.95 / sqrt(0.02 + 4/3 * 0.25).
        let apart = gap_distance(&plan, &summary(0.5), cell).unwrap();
        assert!((apart.errors() - 0.95 / (0.02f64 + 1.0 / 3.0).sqrt()).abs() < 1e-9 && apart.is_chance());
        assert!(apart.is_spread_of_seeds());
        assert!(!cost_distance(&plan, &summary(0.5), cell).unwrap().is_spread_of_seeds());
    }

    #[test]
    fn instances_of_a_benchmark_are_no_chance() {
        let plan = Plan::parse("t", PLAN, PRINTED).unwrap();
        let cell = plan.printed.cell("net", "t").unwrap();
        assert_eq!(gap_distance(&plan, &summary(0.0), cell).unwrap().errors(), f64::INFINITY);
        let errors = gap_distance(&plan, &summary(0.1), cell).unwrap().errors();
        assert!((errors - 0.95 / (4.0f64 / 300.0).sqrt()).abs() < 1e-9, "{errors}");
        assert!(cost_distance(&plan, &summary(0.1), cell).is_none());
    }

    #[test]
    fn rounding_is_forgiven() {
        let plan =
            Plan::parse("t", PLAN, &PRINTED.replace("3.0%", "2.05%").replace("103.0", "102.04")).unwrap();
        let cell = plan.printed.cell("net", "g").unwrap();
        assert_eq!(cost_distance(&plan, &summary(0.0), cell).unwrap().errors(), 0.0);
        assert!(gap_distance(&plan, &summary(0.0), cell).unwrap().is_chance());
    }
}
