//! The blocks of docs/results/policy.md about `auto` with and without a policy, which have the same time.

use super::text::{Block, list, number, table};
use super::{MeasuredRow, PageError, Rows, Sources};
use crate::stats::{Alternative, paired_differences, wilcoxon};

const WITH: &str = "with";
const WITHOUT: &str = "without";

/// Milliseconds per job and half a machine.
const FACTORS: [&str; 3] = ["1", "3", "30"];

/// A group is worse where the policy costs more than this, in percent.
const WORSE: f64 = 0.05;

/// The block of this name.
pub(super) fn block(name: &str, sources: &Sources) -> Block {
    let (kind, is_claim) = match name.strip_suffix("-claim") {
        Some(kind) => (kind, true),
        None => (name, false),
    };
    if !["vrf", "narrow", "structured"].contains(&kind) {
        return None;
    }
    // Those that were measured: the longest take hours.
    let tables: Vec<(&str, Rows<'_>)> = FACTORS
        .into_iter()
        .filter_map(|factor| Some((factor, sources.table("learning", &format!("{kind} {factor}")).ok()?)))
        .collect();
    Some(match &tables[..] {
        [] => sources.table("learning", kind).map(|_| String::new()),
        tables if is_claim => Ok(claim(tables)),
        tables => differences(tables),
    })
}

/// The costs with and without on each instance of some rows.
fn pairs(rows: &Rows<'_>) -> (Vec<f64>, Vec<f64>) {
    let cost = |row: &MeasuredRow, contender: &str| {
        let same = |other: &&MeasuredRow| {
            other.set == row.set && other.instance == row.instance && other.contender == contender
        };
        rows.iter().find(same)?.cost
    };
    let pair = |row: &MeasuredRow| Some((cost(row, WITH)?, cost(row, WITHOUT)?));
    rows.iter().filter(|row| row.contender == WITH).filter_map(pair).unzip()
}

/// What the policy changes on the instances of some rows.
struct Change {
    /// With less without, by instance: below zero where it is shorter with the policy.
    differences: Vec<f64>,
    /// Their mean, in percent.
    mean: f64,
}

impl Change {
    fn of(rows: &Rows<'_>) -> Option<Self> {
        let (with, without) = pairs(rows);
        let differences = paired_differences(&with, &without);
        let share = differences.iter().zip(&without).map(|(difference, cost)| 100.0 * difference / cost);
        let mean = share.sum::<f64>() / differences.len() as f64;
        (!differences.is_empty()).then_some(Self { differences, mean })
    }

    fn better(&self) -> usize {
        self.differences.iter().filter(|difference| **difference < 0.0).count()
    }

    fn worse(&self) -> usize {
        self.differences.iter().filter(|difference| **difference > 0.0).count()
    }
}

fn differences(tables: &[(&str, Rows<'_>)]) -> Result<String, PageError> {
    let mut lines = Vec::new();
    for set in tables[0].1.sets() {
        let mut line = vec![set.to_string()];
        for (_, rows) in tables {
            let change = Change::of(&rows.filter(|row| row.set == set));
            line.push(number(change.as_ref().map(|change| change.mean), 3));
            line.push(change.map_or_else(String::new, |c| format!("{} : {}", c.better(), c.worse())));
        }
        lines.push(line);
    }
    let mut head = vec!["instances".to_string()];
    for (factor, _) in tables {
        head.extend([format!("factor {factor}"), "better : worse".to_string()]);
    }
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    table(&head, 1, lines)
}

/// One sentence or two for each time.
fn claim(tables: &[(&str, Rows<'_>)]) -> String {
    let mut text = String::new();
    for (factor, rows) in tables {
        let mut means = Vec::new();
        for set in rows.sets() {
            means.extend(Change::of(&rows.filter(|row| row.set == set)).map(|change| (set, change.mean)));
        }
        let better = means.iter().filter(|(_, mean)| *mean < 0.0).count();
        let worse: Vec<&str> = means.iter().filter(|(_, mean)| *mean > WORSE).map(|(set, _)| *set).collect();
        let Some(all) = Change::of(rows) else { continue };
        let test = wilcoxon(&all.differences, Alternative::TwoSided);
        let p_value = test.map_or(1.0, |test| test.p_value);
        let p_value = if p_value < 1e-4 { "p < 0.0001".into() } else { format!("p = {p_value:.4}") };
        text.push_str(&format!(
            "* Factor {factor}: {} % on average over {} instances, {} better and {} worse (Wilcoxon's signed-rank test, two-sided: {p_value}); better on average in {better} of {} groups, \
             worse by more than {WORSE} % in {}.\n",
            number(Some(all.mean), 3),
            all.differences.len(),
            all.better(),
            all.worse(),
            means.len(),
            list(&worse),
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<MeasuredRow> {
        let row = MeasuredRow::run;
        vec![
            row("100x40", WITHOUT, "a", 100.0),
            row("100x40", WITH, "a", 99.0),
            row("100x40", WITH, "b", 200.0),
            row("100x40", WITHOUT, "b", 200.0),
            row("200x40", WITH, "c", 101.0),
            row("200x40", WITHOUT, "c", 100.0),
            // A run without a partner says nothing.
            row("200x40", WITH, "d", 500.0),
        ]
    }

    #[test]
    fn runs_on_the_same_instance_are_compared() {
        let rows = rows();
        let tables = [("3", Rows::new(rows.iter()))];
        let text = differences(&tables).unwrap();
        let cells: Vec<Vec<&str>> =
            text.lines().skip(2).map(|line| line.split('|').map(str::trim).collect()).collect();
        assert_eq!(cells[0][1..4], ["100x40", "-0.500", "1 : 0"]);
        assert_eq!(cells[1][1..4], ["200x40", "1.000", "0 : 1"]);
    }

    #[test]
    fn groups_that_lose_are_named() {
        let rows = rows();
        let text = claim(&[("3", Rows::new(rows.iter()))]);
        let expected = "* Factor 3: 0.000 % on average over 3 instances, 1 better and 1 worse (Wilcoxon's signed-rank test, two-sided: p = 1.0000); \
                        better on average in 1 of 2 groups, worse by more than 0.05 % in 200x40.\n";
        assert_eq!(text, expected);
    }
}
