//! A plan at a glance: methods by groups, the printed number in brackets behind the measured one.

use pfss_render::{Alignment, Cell, RenderError, Table};

use super::distance::{Distance, cost_distance, gap_distance};
use super::tables::{Titled, measured};
use super::text::{self, ABSENT};
use crate::reproduction::{Group, GroupSummary, Method, Plan, PrintedCell, SeedMean, Summary};

/// What the cells show.
#[derive(Clone, Copy, PartialEq)]
enum Shown {
    Gap,
    Cost,
    Time,
}

impl Shown {
    /// What the paper prints, or what the plan is about where it prints nothing.
    fn of(plan: &Plan) -> Self {
        let prints =
            |text: fn(&PrintedCell) -> &str| plan.printed.cells().iter().any(|cell| !text(cell).is_empty());
        if prints(|cell| &cell.gap) {
            Self::Gap
        } else if prints(|cell| &cell.cost) {
            Self::Cost
        } else if plan.growth || prints(|cell| &cell.time) || plan.baseline.is_empty() {
            Self::Time
        } else {
            Self::Gap
        }
    }
}

/// The matrix; `None` where no group was measured.
pub(super) fn matrix(plan: &Plan, summary: &Summary) -> Result<Option<Titled>, RenderError> {
    let groups: Vec<(&Group, &GroupSummary)> = measured(plan, summary).collect();
    let Some((last, _)) = groups.last() else { return Ok(None) };
    let shown = Shown::of(plan);
    let unit = common_unit(&groups);
    let mut header = vec![("method".to_string(), Alignment::Left)];
    header.extend(groups.iter().map(|(group, _)| (short(&group.label, unit).to_string(), Alignment::Right)));
    if shown != Shown::Time {
        header.push((format!("time, {}", last.label), Alignment::Right));
    }
    let mut table = Table::new(header);
    for paper in [true, false] {
        let of_kind = |method: &&Method| {
            method.paper == paper && groups.iter().any(|(group, _)| plan.takes_part(method, group))
        };
        let methods: Vec<&Method> = plan.methods.iter().filter(of_kind).collect();
        if !paper && !methods.is_empty() && !table.rows().is_empty() {
            table.push_rule();
            let mut row = vec![Cell::strong("not in the paper")];
            row.resize(table.header().len(), Cell::default());
            table.push_row(row)?;
        }
        for method in methods {
            let mut row = vec![method.label.clone()];
            row.extend(groups.iter().map(|(group, _)| cell(plan, summary, method, group, shown)));
            if shown != Shown::Time {
                row.push(time(plan, summary, method, last));
            }
            table.push_row(row)?;
        }
    }
    let what = match shown {
        Shown::Gap => {
            let base = plan.method(&plan.baseline).map_or("", |base| &base.label);
            format!("gap to {base} in percent")
        }
        Shown::Cost => plan.cost_name().to_string(),
        Shown::Time => "time".to_string(),
    };
    let by = unit.map(|unit| format!(" by {unit}")).unwrap_or_default();
    let print = if plan.printed.cells().is_empty() { "" } else { ", in print in brackets" };
    Ok(Some(Titled { title: format!("{what}{by}{print}"), table }))
}

/// The word that all labels end with.
fn common_unit<'a>(groups: &[(&'a Group, &GroupSummary)]) -> Option<&'a str> {
    let ends: Option<Vec<&str>> =
        groups.iter().map(|(group, _)| Some(group.label.rsplit_once(' ')?.1)).collect();
    let ends = ends?;
    let first = *ends.first()?;
    (first.chars().all(char::is_alphabetic) && ends.iter().all(|end| *end == first)).then_some(first)
}

fn short<'a>(label: &'a str, unit: Option<&str>) -> &'a str {
    unit.and_then(|unit| label.strip_suffix(unit)).map_or(label, str::trim_end)
}

fn cell(plan: &Plan, summary: &Summary, method: &Method, group: &Group, shown: Shown) -> String {
    if !plan.takes_part(method, group) {
        return String::new();
    }
    let printed = plan.printed.cell(&method.id, &group.id).cloned().unwrap_or_default();
    let Some(numbers) = summary.numbers(&method.id, &group.id) else {
        return ABSENT.to_string();
    };
    let is_trained = !method.model.is_empty();
    let spread = |value: fn(&SeedMean) -> Option<f64>| {
        let values: Option<Vec<f64>> = numbers.by_seed.iter().map(value).collect();
        let spread = deviation(&values?).filter(|_| is_trained)?;
        Some(format!("±{spread:.2}"))
    };
    let far = |distance: Option<Distance>| {
        let is_far = !summary.origin.quick && distance.is_some_and(|distance| !distance.is_chance());
        if is_far { "*" } else { "" }
    };
    let in_print = |text: &str, far: &str| {
        if text.is_empty() { String::new() } else { format!(" ({}){far}", text.trim_end_matches('%')) }
    };
    match shown {
        Shown::Gap => {
            let gap = numbers.gap.map_or_else(|| ABSENT.to_string(), |gap| bare(gap.mean_of_ratios));
            let far = far(gap_distance(plan, summary, &printed));
            let spread = spread(|one| one.gap).unwrap_or_default();
            format!("{gap}{spread}{}", in_print(&printed.gap, far))
        }
        Shown::Cost => {
            let far = far(cost_distance(plan, summary, &printed));
            let spread = spread(|one| Some(one.cost)).unwrap_or_default();
            format!("{}{spread}{}", text::cost(numbers.cost), in_print(&printed.cost, far))
        }
        Shown::Time => time(plan, summary, method, group),
    }
}

fn time(plan: &Plan, summary: &Summary, method: &Method, group: &Group) -> String {
    let printed = plan.printed.cell(&method.id, &group.id).map(|cell| text::printed(&cell.time));
    let printed = printed.filter(|text| !text.is_empty()).map(|text| format!(" ({text})"));
    let seconds = summary.seconds(&method.id, &group.id);
    seconds.map_or_else(|| ABSENT.to_string(), text::time) + &printed.unwrap_or_default()
}

fn bare(gap: f64) -> String {
    text::percent(gap).trim_end_matches(" %").to_string()
}

/// The standard deviation of several values.
fn deviation(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduction::{Cell, Gap, Numbers, Origin};

    const PLAN: &str = r#"
title = "t"
paper = "p"
caption = "c"
baseline = "base"
groups = [
    { id = "a", label = "20 jobs", distribution = "gamma", jobs = 20, machines = 2, count = 8 },
    { id = "b", label = "50 jobs", distribution = "gamma", jobs = 50, machines = 2, count = 8 },
]
methods = [
    { id = "base", label = "NEH", paper = true, algorithm = "neh" },
    { id = "net", label = "net", paper = true, algorithm = "policy", model = "net" },
    { id = "other", label = "other", algorithm = "cds", groups = ["a"] },
]
"#;
    const PRINTED: &str =
        "method,group,cost,gap,time,total,mark,other\nnet,a,,3.0%,4.0s,,,\nnet,b,,9.5%,43.1h,,,\n";

    #[test]
    fn print_spread_and_differences_stand_beside_each_gap() {
        let plan = Plan::parse("t", PLAN, PRINTED).unwrap();
        let cell = |method: &str, group: &str, gaps: &[f64]| Cell {
            method: method.into(),
            group: group.into(),
            numbers: Some(Numbers {
                seeds: gaps.len(),
                cost: 30.0,
                cost_error: 0.1,
                gap: Some(Gap {
                    mean_of_ratios: gaps[0],
                    low: gaps[0],
                    high: gaps[0],
                    ratio_of_means: gaps[0],
                }),
                seconds: 7.0,
                before: None,
                proven: 0,
                mark: None,
                by_seed: gaps.iter().map(|&gap| SeedMean { seed: 1, cost: 30.0, gap: Some(gap) }).collect(),
                machine: Some(0),
            }),
            absent: None,
        };
        let group = |group: &str| GroupSummary {
            group: group.into(),
            description: String::new(),
            x: 1.0,
            instances: 8,
            skipped: None,
        };
        let summary = Summary {
            groups: vec![group("a"), group("b")],
            cells: vec![
                cell("base", "a", &[0.0]),
                cell("net", "a", &[3.0, 2.0, 4.0]),
                cell("net", "b", &[3.0, 3.0, 3.0]),
                cell("other", "a", &[-1.25]),
            ],
            origin: Origin::default(),
            ..Summary::default()
        };
        let titled = matrix(&plan, &summary).unwrap().unwrap();
        assert_eq!(titled.title, "gap to NEH in percent by jobs, in print in brackets");
        assert_eq!(titled.table.header(), ["method", "20", "50", "time, 50 jobs"]);
        let rows: Vec<Vec<String>> = titled
            .table
            .rows()
            .iter()
            .map(|row| row.iter().take(3).map(|cell| cell.text.clone()).collect())
            .collect();
        assert_eq!(
            rows,
            [
                vec!["NEH", "0.00", ABSENT],
                vec!["net", "3.00±1.00 (3.0)", "3.00±0.00 (9.5)*"],
                vec!["not in the paper", "", ""],
                vec!["other", "-1.25", ""],
            ]
        );
        assert!(titled.table.rows()[1][3].text.ends_with("(43.1 h)"));
    }
}
