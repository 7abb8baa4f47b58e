//! Which of two methods has the shorter orders, group by group.

use serde::{Deserialize, Serialize};

use super::cells::SIGNIFICANT;
use super::column::Column;
use super::plan::Plan;
use super::runs::GroupRuns;
use super::verdict::claims;
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

/// Two methods on one group: two one-sided Wilcoxon signed-rank tests over its instances, after Holm's correction over both and
/// all groups, or, where both were trained several times, what the trainings say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupComparison {
    /// The group of the plan.
    pub group: String,
    /// The chance that equal methods make the first look so much shorter.
    pub p_shorter: f64,
    /// The chance that equal methods make the first look so much longer.
    pub p_longer: f64,
    /// What follows at the 5 % level; of trainings, what all of them say.
    pub order: Order,
    /// How many pairs of trainings with the same seed were compared; none where instances were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trainings: Option<usize>,
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
    let claims = claims().unwrap_or_default();
    let of_plan = claims.iter().filter(|claim| claim.plan == plan.name).map(|claim| &claim.measured);
    for text in std::iter::once(&plan.reading).chain(of_plan) {
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
    let column = |runs: &GroupRuns, method: &str| {
        let found = runs.methods.iter().find(|runs| runs.method == method)?;
        Column::new(&runs.instances, &found.outcome).ok()
    };
    // A policy that draws nothing has other orders with another seed only where it was trained anew.
    let is_trained =
        |id: &str| plan.method(id).is_some_and(|method| !method.model.is_empty() && !method.is_random());
    let both_trained = is_trained(&first) && is_trained(&second);
    let tests: Vec<Test<'_>> = runs
        .iter()
        .filter(|runs| plan.group(&runs.group.id).is_some_and(|group| !group.hidden))
        .filter_map(|runs| {
            let (first, second) = (column(runs, &first)?, column(runs, &second)?);
            let of_trainings = if both_trained { by_training(&first, &second) } else { Vec::new() };
            let trainings = (of_trainings.len() > 1).then_some(of_trainings.len());
            let differences = match trainings {
                Some(_) => of_trainings,
                None => paired_differences(&first.costs, &second.costs),
            };
            let p_value =
                |alternative: Alternative| wilcoxon(&differences, alternative).map(|test| test.p_value);
            let p_values = [p_value(Alternative::Less)?, p_value(Alternative::Greater)?];
            let order = trainings.map(|_| unanimous(&differences));
            Some(Test { group: &runs.group.id, p_values, trainings, order })
        })
        .collect();
    let of_instances = tests.iter().filter(|test| test.trainings.is_none());
    let mut adjusted = holm(&of_instances.flat_map(|test| test.p_values).collect::<Vec<f64>>()).into_iter();
    let groups = tests.into_iter().map(|test| {
        let Test { group, p_values: [shorter, longer], trainings, order } = test;
        let (p_shorter, p_longer) = match trainings {
            Some(_) => (shorter, longer),
            None => (adjusted.next().unwrap_or(shorter), adjusted.next().unwrap_or(longer)),
        };
        let order = order.unwrap_or(match (p_shorter <= SIGNIFICANT, p_longer <= SIGNIFICANT) {
            (true, false) => Order::Shorter,
            (false, true) => Order::Longer,
            _ => Order::Undecided,
        });
        GroupComparison { group: group.to_string(), p_shorter, p_longer, order, trainings }
    });
    Comparison { groups: groups.collect(), first, second }
}

/// Two methods on one group before any correction.
struct Test<'a> {
    group: &'a str,
    p_values: [f64; 2],
    trainings: Option<usize>,
    /// What trainings say.
    order: Option<Order>,
}

/// The differences of the mean costs of trainings with the same seed.
fn by_training(first: &Column, second: &Column) -> Vec<f64> {
    let mean = |costs: &[f64]| costs.iter().sum::<f64>() / costs.len() as f64;
    let of_seed = |(seed, costs): &(u64, Vec<f64>)| {
        let (_, others) = second.by_seed.iter().find(|(other, _)| other == seed)?;
        Some(mean(costs) - mean(others))
    };
    first.by_seed.iter().filter_map(of_seed).collect()
}

/// What all differences say.
fn unanimous(differences: &[f64]) -> Order {
    match differences.iter().all(|difference| *difference < 0.0) {
        true => Order::Shorter,
        false if differences.iter().all(|difference| *difference > 0.0) => Order::Longer,
        false => Order::Undecided,
    }
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
    { id = "a", label = "a", algorithm = "policy", model = "a" },
    { id = "b", label = "b", algorithm = "policy", model = "b" },
    { id = "c", label = "c", algorithm = "neh" },
]
"#;

    fn rows(method: &str, cost: impl Fn(usize) -> f64) -> MethodRuns {
        MethodRuns { method: method.into(), outcome: Outcome::Rows(rows_of(method, 1, cost)) }
    }

    fn rows_of(method: &str, seed: u64, cost: impl Fn(usize) -> f64) -> Vec<Measurement> {
        let row = |instance: usize| Measurement {
            group: String::new(),
            instance: instance.to_string(),
            method: method.into(),
            config: String::new(),
            limit: String::new(),
            seed,
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
        (0..12).map(row).collect()
    }

    /// Twelve instances say with certainty what is chance among three trainings.
    #[test]
    fn trained_methods_are_compared_by_their_trainings() {
        let plan = Plan::parse("t", PLAN, "").unwrap();
        let trained = |method: &str, costs: [f64; 3]| {
            let rows = costs.iter().zip(1..).flat_map(|(&cost, seed)| rows_of(method, seed, move |_| cost));
            MethodRuns { method: method.into(), outcome: Outcome::Rows(rows.collect()) }
        };
        let orders = [[98.0, 99.0, 99.5], [98.0, 99.0, 101.0], [101.0, 102.0, 103.0]].map(|costs| {
            let runs = GroupRuns {
                group: plan.groups[0].clone(),
                instances: (0..12).map(|at: usize| at.to_string()).collect(),
                skipped: None,
                methods: vec![trained("a", costs), trained("b", [100.0; 3])],
            };
            let found = comparisons(&plan, &[runs]).remove(0).groups.remove(0);
            (found.order, found.trainings)
        });
        assert_eq!(
            orders,
            [(Order::Shorter, Some(3)), (Order::Undecided, Some(3)), (Order::Longer, Some(3))]
        );
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
