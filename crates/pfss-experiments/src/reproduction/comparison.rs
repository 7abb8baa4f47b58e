//! Which of two methods has the shorter orders, group by group.

use serde::{Deserialize, Serialize};

use super::cells::SIGNIFICANT;
use super::column::Column;
use super::plan::Plan;
use super::runs::GroupRuns;
use crate::stats::{Alternative, holm, paired_differences, wilcoxon};

/// Two methods on the groups that both were measured on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// A method of the plan.
    pub first: String,
    /// Another one.
    pub second: String,
    /// The tests.
    pub groups: Vec<GroupComparison>,
}

/// Two one-sided Wilcoxon signed-rank tests on one group, after Holm's correction over both and all groups.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupComparison {
    /// The group of the plan.
    pub group: String,
    /// The chance that equal methods make the first look so much shorter.
    pub p_shorter: f64,
    /// The chance that equal methods make the first look so much longer.
    pub p_longer: f64,
    /// What follows at the 5 % level.
    pub order: Order,
}

/// What can be said of the first method's costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// They are below the second's.
    Shorter,
    /// They are above the second's.
    Longer,
    /// Chance explains the difference.
    Undecided,
}

/// The comparisons that the texts of a plan speak of.
pub(super) fn comparisons(plan: &Plan, runs: &[GroupRuns]) -> Vec<Comparison> {
    pairs(plan).into_iter().map(|(first, second)| compare(plan, runs, first, second)).collect()
}

/// The pairs of methods in places such as `{compare:FIRST:SECOND}`, each once.
fn pairs(plan: &Plan) -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for text in [&plan.reading, &plan.conclusion] {
        let places = text.split('{').skip(1).filter_map(|part| part.split_once('}'));
        for (place, _) in places {
            if let ["compare" | "ahead" | "behind" | "undecided", first, second] =
                place.split(':').collect::<Vec<_>>()[..]
            {
                let pair = (first.to_string(), second.to_string());
                if !pairs.contains(&pair) {
                    pairs.push(pair);
                }
            }
        }
    }
    pairs
}

fn compare(plan: &Plan, runs: &[GroupRuns], first: String, second: String) -> Comparison {
    let costs = |runs: &GroupRuns, method: &str| {
        let found = runs.methods.iter().find(|runs| runs.method == method)?;
        Column::new(&runs.instances, &found.outcome).ok().map(|column| column.costs)
    };
    let tests: Vec<(&str, f64, f64)> = runs
        .iter()
        .filter(|runs| plan.group(&runs.group.id).is_some_and(|group| !group.hidden))
        .filter_map(|runs| {
            let differences = paired_differences(&costs(runs, &first)?, &costs(runs, &second)?);
            let p_value =
                |alternative: Alternative| wilcoxon(&differences, alternative).map(|test| test.p_value);
            Some((runs.group.id.as_str(), p_value(Alternative::Less)?, p_value(Alternative::Greater)?))
        })
        .collect();
    let p_values: Vec<f64> = tests.iter().flat_map(|(_, shorter, longer)| [*shorter, *longer]).collect();
    let adjusted = holm(&p_values);
    let groups = tests.iter().zip(adjusted.chunks_exact(2)).map(|((group, ..), adjusted)| {
        let (p_shorter, p_longer) = (adjusted[0], adjusted[1]);
        let order = match (p_shorter <= SIGNIFICANT, p_longer <= SIGNIFICANT) {
            (true, false) => Order::Shorter,
            (false, true) => Order::Longer,
            _ => Order::Undecided,
        };
        GroupComparison { group: group.to_string(), p_shorter, p_longer, order }
    });
    Comparison { groups: groups.collect(), first, second }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduction::measurement::Measurement;
    use crate::reproduction::runs::{MethodRuns, Outcome};

    const PLAN: &str = r#"
title = "t"
paper = "p"
caption = "c"
reading = "{compare:a:b}, {ahead:a:b}, {time:b:c}"
groups = [
    { id = "g", label = "g", distribution = "gamma", jobs = 5, machines = 2, count = 12 },
    { id = "h", label = "h", distribution = "gamma", jobs = 6, machines = 2, count = 12 },
    { id = "i", label = "i", distribution = "gamma", jobs = 7, machines = 2, count = 12 },
]
methods = [
    { id = "a", label = "a", algorithm = "neh" },
    { id = "b", label = "b", algorithm = "neh" },
    { id = "c", label = "c", algorithm = "neh" },
]
"#;

    fn rows(method: &str, cost: impl Fn(usize) -> f64) -> MethodRuns {
        let row = |instance: usize| Measurement {
            group: String::new(),
            instance: instance.to_string(),
            method: method.into(),
            config: String::new(),
            limit: String::new(),
            seed: 1,
            cost: cost(instance),
            bound: 0.0,
            proven: false,
            runtime_s: 1.0,
            evaluations: 1,
            version: String::new(),
            commit: String::new(),
            cpu: String::new(),
            workers: 1,
            instance_hash: crate::unknown_hash(),
        };
        MethodRuns { method: method.into(), outcome: Outcome::Rows((0..12).map(row).collect()) }
    }

    #[test]
    fn the_tests_decide_in_which_groups_a_method_is_ahead() {
        let plan = Plan::parse("t", PLAN, "").unwrap();
        // Below in one group, above in the next, and by turns in the third.
        let shift = [-1.0, 1.0, 0.0];
        let runs: Vec<GroupRuns> = plan
            .groups
            .iter()
            .zip(shift)
            .map(|(group, shift)| GroupRuns {
                group: group.clone(),
                instances: (0..12).map(|at: usize| at.to_string()).collect(),
                skipped: None,
                methods: vec![
                    rows("a", move |at| {
                        100.0 + shift + 0.01 * at as f64 * if at % 2 == 0 { 1.0 } else { -1.0 }
                    }),
                    rows("b", |_| 100.0),
                ],
            })
            .collect();
        let found = comparisons(&plan, &runs);
        assert_eq!(found.len(), 1, "one pair is compared, once");
        let orders: Vec<(&str, Order)> =
            found[0].groups.iter().map(|group| (group.group.as_str(), group.order)).collect();
        assert_eq!(orders, [("g", Order::Shorter), ("h", Order::Longer), ("i", Order::Undecided)]);
        // All twelve differences have one sign: 1 / 2^12, times the six tests of the pair.
        let p_value = found[0].groups[0].p_shorter;
        assert!((p_value - 6.0 / 4096.0).abs() < 1e-12, "{p_value}");
    }
}
