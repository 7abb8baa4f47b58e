//! From the rows of a group to its cells.

use pfss_core::Seed;

use super::cell::{Cell, Gap, Mark, Numbers, SeedMean};
use super::column::Column;
use super::machine::Machine;
use super::plan::Plan;
use super::runs::GroupRuns;
use crate::stats::{Alternative, bootstrap_mean, holm, paired_differences, wilcoxon};

/// A mark stands where chance explains the difference with at most this probability.
pub(super) const SIGNIFICANT: f64 = 0.05;

/// The cells of a group: means, gaps and marks of each method.
pub(super) fn group_cells(plan: &Plan, runs: &GroupRuns, machines: &[Machine]) -> Vec<Cell> {
    let columns: Vec<(&str, Result<Column, String>)> = runs
        .methods
        .iter()
        .map(|method| (method.method.as_str(), Column::new(&runs.instances, &method.outcome)))
        .collect();
    let find = |id: &str| {
        columns.iter().find(|(method, _)| *method == id).and_then(|(_, column)| column.as_ref().ok())
    };
    let (baseline, ours) = (find(&plan.baseline), find(&plan.ours));
    let place = |machine: &Machine| machines.iter().position(|known| known == machine);
    let mut cells: Vec<Cell> = columns
        .iter()
        .map(|(method, column)| {
            let seed = Seed::new(plan.data_seed).child(&plan.name).child(method).child(&runs.group.id);
            let numbers = column.as_ref().ok().map(|column| Numbers {
                seeds: column.by_seed.len(),
                cost: mean(&column.costs),
                cost_error: standard_error(&column.costs),
                gap: baseline.and_then(|baseline| gap(&column.costs, &baseline.costs, seed)),
                seconds: column.seconds,
                before: None,
                proven: column.proven,
                mark: ours.filter(|_| *method != plan.ours).and_then(|ours| mark(&column.costs, &ours.costs)),
                by_seed: by_seed(column, baseline),
                machine: column.machine.as_ref().and_then(place),
            });
            Cell {
                method: method.to_string(),
                group: runs.group.id.clone(),
                numbers,
                absent: column.as_ref().err().cloned(),
            }
        })
        .collect();
    correct(&mut cells);
    cells
}

/// The means of each seed, where there are several.
fn by_seed(column: &Column, baseline: Option<&Column>) -> Vec<SeedMean> {
    if column.by_seed.len() < 2 {
        return Vec::new();
    }
    let seeds = column.by_seed.iter().map(|(seed, costs)| SeedMean {
        seed: *seed,
        cost: mean(costs),
        gap: baseline.map(|baseline| mean(&ratios(costs, &baseline.costs))),
    });
    seeds.collect()
}

/// How far each instance is above the baseline, in percent.
fn ratios(costs: &[f64], baseline: &[f64]) -> Vec<f64> {
    costs.iter().zip(baseline).map(|(cost, base)| 100.0 * (cost / base - 1.0)).collect()
}

fn gap(costs: &[f64], baseline: &[f64], seed: Seed) -> Option<Gap> {
    let ratios = ratios(costs, baseline);
    let (low, high) = bootstrap_mean(&ratios, seed)?;
    let ratio_of_means = 100.0 * (mean(costs) / mean(baseline) - 1.0);
    ratio_of_means.is_finite().then(|| Gap { mean_of_ratios: mean(&ratios), low, high, ratio_of_means })
}

fn mark(costs: &[f64], ours: &[f64]) -> Option<Mark> {
    let test = wilcoxon(&paired_differences(costs, ours), Alternative::Greater)?;
    let p_value = test.p_value;
    Some(Mark { p_value, p_value_holm: p_value, zeros: test.num_zeros, significant: false })
}

/// Holm's correction over the rows of a group.
fn correct(cells: &mut [Cell]) {
    let mut marks: Vec<&mut Mark> = cells
        .iter_mut()
        .filter_map(|cell| cell.numbers.as_mut())
        .filter_map(|numbers| numbers.mark.as_mut())
        .collect();
    let adjusted = holm(&marks.iter().map(|mark| mark.p_value).collect::<Vec<_>>());
    for (mark, adjusted) in marks.iter_mut().zip(adjusted) {
        mark.p_value_holm = adjusted;
        mark.significant = adjusted <= SIGNIFICANT;
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn standard_error(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (squares / (values.len() - 1) as f64 / values.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduction::measurement::Measurement;
    use crate::reproduction::runs::{MethodRuns, Outcome};
    use crate::reproduction::{Group, Plan};

    const PLAN: &str = r#"
title = "t"
paper = "p"
caption = "c"
baseline = "base"
ours = "mine"
groups = [{ id = "g", label = "g", distribution = "gamma", jobs = 5, machines = 2, count = 8 }]
methods = [
    { id = "base", label = "b", algorithm = "neh" },
    { id = "mine", label = "m", algorithm = "random-search" },
    { id = "gone", label = "x", algorithm = "policy", model = "no-such-model" },
]
"#;

    fn rows(method: &str, costs: impl Fn(usize, u64) -> f64, seeds: u64) -> MethodRuns {
        let row = |instance: usize, seed: u64| Measurement {
            group: "g".into(),
            instance: instance.to_string(),
            method: method.into(),
            config: String::new(),
            limit: String::new(),
            seed,
            cost: costs(instance, seed),
            bound: 0.0,
            proven: instance == 0,
            runtime_s: 0.5,
            evaluations: 1,
            version: String::new(),
            commit: String::new(),
            cpu: if instance == 3 && method == "mixed" { "other" } else { "one" }.into(),
            workers: 2,
            instance_hash: crate::unknown_hash(),
        };
        let all = (0..8).flat_map(|instance| (1..=seeds).map(move |seed| (instance, seed)));
        let rows = all.map(|(instance, seed)| row(instance, seed)).collect();
        MethodRuns { method: method.into(), outcome: Outcome::Rows(rows) }
    }

    #[test]
    fn seeds_are_averaged_before_instances_are_paired() {
        let plan = Plan::parse("t", PLAN, "").unwrap();
        let runs = GroupRuns {
            group: Group::clone(&plan.groups[0]),
            instances: (0..8).map(|at: usize| at.to_string()).collect(),
            skipped: None,
            methods: vec![
                rows("base", |instance, _| 100.0 + instance as f64, 1),
                // The mean of the two seeds is 2 % below the baseline, by other amounts on each instance.
                rows(
                    "mine",
                    |instance, seed| {
                        let base = 100.0 + instance as f64;
                        base * (0.98 + 0.001 * (instance as f64 - 3.5)) + if seed == 1 { 5.0 } else { -5.0 }
                    },
                    2,
                ),
                MethodRuns {
                    method: "gone".into(),
                    outcome: Outcome::Missing("no model: no-such-model".into()),
                },
            ],
        };
        let machines = [Machine { cpu: "one".into(), workers: 2 }];
        let cells = group_cells(&plan, &runs, &machines);
        let base = cells[0].numbers.as_ref().unwrap();
        let mine = cells[1].numbers.as_ref().unwrap();
        assert_eq!((base.cost, base.seeds, base.seconds, base.proven), (103.5, 1, 4.0, 1));
        assert_eq!((mine.seeds, mine.seconds, mine.machine), (2, 4.0, Some(0)));
        let by_seed: Vec<(u64, f64)> = mine.by_seed.iter().map(|one| (one.seed, one.cost)).collect();
        assert!(by_seed[0].0 == 1 && (by_seed[0].1 - by_seed[1].1 - 10.0).abs() < 1e-9, "{by_seed:?}");
        assert!(base.by_seed.is_empty());
        // Of 1 to 8 the standard deviation is sqrt(6), that of the mean sqrt(6 / 8).
        assert!((base.cost_error - 0.75f64.sqrt()).abs() < 1e-12, "{base:?}");
        let gap = mine.gap.unwrap();
        assert!((gap.mean_of_ratios + 2.0).abs() < 1e-9, "{gap:?}");
        assert!(gap.low < -2.0 && gap.high > -2.0 && gap.low > -2.4 && gap.high < -1.6, "{gap:?}");
        // All eight differences have one sign: 1 / 2^8, and one comparison needs no correction.
        let mark = base.mark.unwrap();
        assert_eq!(
            (mark.p_value, mark.p_value_holm, mark.zeros, mark.significant),
            (1.0 / 256.0, 1.0 / 256.0, 0, true)
        );
        assert_eq!(mine.mark, None);
        assert_eq!(cells[2].absent.as_deref(), Some("no model: no-such-model"));
    }

    #[test]
    fn an_instance_without_a_row_leaves_no_numbers() {
        let plan = Plan::parse("t", PLAN, "").unwrap();
        let mut runs = GroupRuns {
            group: plan.groups[0].clone(),
            instances: (0..9).map(|at: usize| at.to_string()).collect(),
            skipped: None,
            methods: vec![rows("base", |_, _| 1.0, 1)],
        };
        assert!(group_cells(&plan, &runs, &[])[0].numbers.is_none());
        runs.instances.pop();
        assert!(group_cells(&plan, &runs, &[])[0].numbers.is_some());
    }

    #[test]
    fn a_cell_of_two_processors_has_no_machine() {
        let plan = Plan::parse("t", &PLAN.replace("gone", "mixed"), "").unwrap();
        let runs = GroupRuns {
            group: plan.groups[0].clone(),
            instances: (0..8).map(|at: usize| at.to_string()).collect(),
            skipped: None,
            methods: vec![rows("base", |_, _| 1.0, 1), rows("mixed", |_, _| 1.0, 1)],
        };
        let machines = ["one", "other"].map(|cpu| Machine { cpu: cpu.into(), workers: 2 });
        let cells = group_cells(&plan, &runs, &machines);
        let machine = |at: usize| cells[at].numbers.as_ref().unwrap().machine;
        assert_eq!((machine(0), machine(1)), (Some(0), None));
    }
}
