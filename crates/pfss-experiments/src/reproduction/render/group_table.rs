//! The table of a group: methods against what the paper prints.

use pfss_render::{Alignment, RenderError, Table};

use super::checks::verdict;
use super::text::{self, ABSENT};
use crate::reproduction::{Cell, Method, Plan, PrintedCell, Summary};

/// Which columns a group's table has: those that the paper prints anywhere in the plan, and ours.
struct Columns {
    printed_cost: bool,
    printed_gap: bool,
    printed_time: bool,
    printed_mark: bool,
    gap: bool,
    mark: bool,
}

impl Columns {
    fn of(plan: &Plan) -> Self {
        let cells = plan.printed.cells();
        let any = |text: fn(&PrintedCell) -> &str| cells.iter().any(|cell| !text(cell).is_empty());
        Self {
            printed_cost: any(|cell| &cell.cost),
            printed_gap: any(|cell| &cell.gap),
            printed_time: any(|cell| &cell.time),
            printed_mark: any(|cell| &cell.mark),
            gap: !plan.baseline.is_empty(),
            mark: !plan.ours.is_empty(),
        }
    }

    fn header(&self, plan: &Plan) -> Vec<(String, Alignment)> {
        let mut header = vec![("method".to_string(), Alignment::Left)];
        let mut push = |shown: bool, name: String, alignment: Alignment| {
            if shown {
                header.push((name, alignment));
            }
        };
        let cost = plan.cost_name();
        push(self.printed_cost, format!("{cost}, paper"), Alignment::Right);
        push(true, format!("{cost}, here"), Alignment::Right);
        push(self.printed_gap, "gap, paper".to_string(), Alignment::Right);
        push(self.gap, "gap, here".to_string(), Alignment::Right);
        push(self.gap, "95 % interval".to_string(), Alignment::Right);
        push(self.gap, "ratio of means".to_string(), Alignment::Right);
        push(self.printed_time, "time, paper".to_string(), Alignment::Right);
        push(true, "time, here".to_string(), Alignment::Right);
        push(self.printed_mark, "mark, paper".to_string(), Alignment::Centre);
        push(self.mark, "mark, here".to_string(), Alignment::Centre);
        push(true, "remark".to_string(), Alignment::Left);
        header
    }

    fn row(
        &self,
        plan: &Plan,
        summary: &Summary,
        method: &Method,
        group: &str,
        instances: usize,
    ) -> Vec<String> {
        let printed = plan.printed.cell(&method.id, group).cloned().unwrap_or_default();
        let cell = summary.cell(&method.id, group);
        let numbers = cell.and_then(|cell| cell.numbers.as_ref());
        let gap = numbers.and_then(|numbers| numbers.gap.as_ref());
        let shown = |text: Option<String>| text.unwrap_or_else(|| ABSENT.to_string());
        let mut row = vec![method.label.clone()];
        let mut push = |is_shown: bool, text: String| {
            if is_shown {
                row.push(text);
            }
        };
        push(self.printed_cost, text::printed(&printed.cost));
        push(true, shown(numbers.map(|numbers| text::cost(numbers.cost))));
        push(self.printed_gap, text::printed(&printed.gap));
        push(self.gap, shown(gap.map(|gap| text::percent(gap.mean_of_ratios))));
        push(self.gap, shown(gap.map(text::interval)));
        push(self.gap, shown(gap.map(|gap| text::percent(gap.ratio_of_means))));
        push(self.printed_time, text::printed(&printed.time));
        push(true, shown(summary.seconds(&method.id, group).map(text::time)));
        push(self.printed_mark, if printed.mark.is_empty() { String::new() } else { "•".to_string() });
        let mark = numbers.and_then(|numbers| numbers.mark.as_ref()).is_some_and(|mark| mark.significant);
        push(self.mark, if mark { "•".to_string() } else { String::new() });
        push(true, remark(plan, summary, &printed, method, cell, instances));
        row
    }
}

fn remark(
    plan: &Plan,
    summary: &Summary,
    printed: &PrintedCell,
    method: &Method,
    cell: Option<&Cell>,
    instances: usize,
) -> String {
    let Some(cell) = cell else { return String::new() };
    let Some(numbers) = &cell.numbers else { return cell.absent.clone().unwrap_or_default() };
    let mut remarks = Vec::new();
    if matches!(method.algorithm.as_str(), "branch-and-bound" | "brute-force" | "mip") {
        remarks.push(format!("{} of {instances} proven", numbers.proven));
    }
    if !summary.origin.quick {
        remarks.extend(verdict(plan, summary, printed));
    }
    remarks.join("; ")
}

/// The methods of the paper, then the others.
pub(super) fn group_table(
    plan: &Plan,
    summary: &Summary,
    group: &str,
    instances: usize,
) -> Result<Table, RenderError> {
    let columns = Columns::of(plan);
    let header = columns.header(plan);
    let width = header.len();
    let mut table = Table::new(header);
    for paper in [true, false] {
        let of_kind = |method: &&Method| method.paper == paper && summary.cell(&method.id, group).is_some();
        let methods: Vec<&Method> = plan.methods.iter().filter(of_kind).collect();
        if !paper && !methods.is_empty() && !table.rows().is_empty() {
            table.push_rule();
            let mut row = vec![pfss_render::Cell::strong("not in the paper")];
            row.resize(width, pfss_render::Cell::default());
            table.push_row(row)?;
        }
        for method in methods {
            table.push_row(columns.row(plan, summary, method, group, instances))?;
        }
    }
    Ok(table)
}
