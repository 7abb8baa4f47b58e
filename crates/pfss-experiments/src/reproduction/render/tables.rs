//! The tables of a plan.

use pfss_render::{Alignment, RenderError, Table};

use super::group_table::group_table;
use super::text::{self, ABSENT};
use crate::reproduction::{Group, GroupSummary, Plan, Summary};

/// A table and its heading.
pub(super) struct Titled {
    pub(super) title: String,
    pub(super) table: Table,
}

/// All tables: one per group, then those of the whole plan.
pub(super) fn tables(plan: &Plan, summary: &Summary) -> Result<Vec<Titled>, RenderError> {
    let mut tables = Vec::new();
    for (group, found) in measured(plan, summary) {
        let title = format!("{}: {}", group.label, found.description);
        tables.push(Titled { title, table: group_table(plan, summary, &group.id, found.instances)? });
    }
    tables.extend(plan_tables(plan, summary)?);
    Ok(tables)
}

/// Growth, costs and trainings where the plan has them.
pub(super) fn plan_tables(plan: &Plan, summary: &Summary) -> Result<Vec<Titled>, RenderError> {
    let tables = [growth_table(plan, summary)?, total_table(plan, summary)?, training_table(plan, summary)?];
    Ok(tables.into_iter().flatten().collect())
}

/// The tables of all groups as one.
pub(super) fn all_groups(plan: &Plan, summary: &Summary) -> Result<Option<Table>, RenderError> {
    let mut all: Option<Table> = None;
    for (group, found) in measured(plan, summary) {
        let table = group_table(plan, summary, &group.id, found.instances)?;
        let all = all.get_or_insert_with(|| {
            let header = std::iter::once("group".to_string()).chain(table.header().iter().cloned());
            Table::new(header.map(|name| (name, Alignment::Left)))
        });
        // The row that parts the paper's methods from the others is for eyes.
        for row in table.rows().iter().filter(|row| row.iter().skip(1).any(|cell| !cell.text.is_empty())) {
            all.push_row(std::iter::once(group.label.clone().into()).chain(row.iter().cloned()))?;
        }
    }
    Ok(all)
}

/// The groups that are shown and were measured.
pub(super) fn measured<'a>(
    plan: &'a Plan,
    summary: &'a Summary,
) -> impl Iterator<Item = (&'a Group, &'a GroupSummary)> {
    plan.shown_groups()
        .filter_map(|group| Some((group, summary.group(&group.id).filter(|found| found.skipped.is_none())?)))
}

fn growth_table(plan: &Plan, summary: &Summary) -> Result<Option<Titled>, RenderError> {
    if summary.fits.is_empty() {
        return Ok(None);
    }
    let mut table = Table::new([
        ("method", Alignment::Left),
        ("total, paper", Alignment::Left),
        ("exponent, here", Alignment::Right),
        ("standard error", Alignment::Right),
        ("R squared", Alignment::Right),
        ("exponent of the last two sizes", Alignment::Right),
    ]);
    for fit in &summary.fits {
        table.push_row([
            plan.method(&fit.method).map_or(fit.method.clone(), |method| method.label.clone()),
            plan.printed.cell(&fit.method, "").map(|cell| cell.other.clone()).unwrap_or_default(),
            format!("{:.2}", fit.law.exponent),
            format!("{:.2}", fit.law.exponent_error),
            format!("{:.3}", fit.law.r_squared),
            fit.last_exponent.map_or_else(|| ABSENT.to_string(), |exponent| format!("{exponent:.2}")),
        ])?;
    }
    let title = "Growth: time of one instance = factor x jobs ^ exponent".to_string();
    Ok(Some(Titled { title, table }))
}

fn total_table(plan: &Plan, summary: &Summary) -> Result<Option<Titled>, RenderError> {
    if !plan.methods.iter().any(|method| method.expert.is_some()) {
        return Ok(None);
    }
    let groups: Vec<&str> = plan
        .shown_groups()
        .filter(|group| summary.group(&group.id).is_some_and(|found| found.skipped.is_none()))
        .map(|group| group.id.as_str())
        .collect();
    let prints_totals = plan.printed.cells().iter().any(|cell| !cell.total.is_empty());
    let mut header = vec![("method".to_string(), Alignment::Left)];
    if prints_totals {
        header.push(("before, paper".to_string(), Alignment::Left));
    }
    header.extend([
        ("labels, here".to_string(), Alignment::Right),
        ("training, here".to_string(), Alignment::Right),
    ]);
    for group in &groups {
        let label = plan.group(group).map_or(*group, |group| &group.label);
        if prints_totals {
            header.push((format!("{label}: total, paper"), Alignment::Right));
        }
        header.push((format!("{label}: total, here"), Alignment::Right));
    }
    let mut table = Table::new(header);
    for method in &plan.methods {
        let before = groups.iter().find_map(|group| {
            summary.total(&method.id, group)?;
            summary.numbers(&method.id, group)?.before
        });
        let Some(before) = before else { continue };
        let mut row = vec![method.label.clone()];
        if prints_totals {
            row.push(plan.printed.cell(&method.id, "").map(|cell| cell.other.clone()).unwrap_or_default());
        }
        row.extend([text::time(before.expert), text::time(before.training)]);
        for group in &groups {
            if prints_totals {
                row.push(
                    plan.printed
                        .cell(&method.id, group)
                        .map(|cell| text::printed(&cell.total))
                        .unwrap_or_default(),
                );
            }
            let total = summary.total(&method.id, group);
            row.push(total.map_or_else(|| ABSENT.to_string(), text::time));
        }
        table.push_row(row)?;
    }
    Ok(Some(Titled { title: "Total time: labels, training and testing".to_string(), table }))
}

fn training_table(plan: &Plan, summary: &Summary) -> Result<Option<Titled>, RenderError> {
    if plan.trainings.is_empty() {
        return Ok(None);
    }
    let mut table = Table::new([
        ("model", Alignment::Left),
        ("paper", Alignment::Left),
        ("parameters, here", Alignment::Right),
        ("time per epoch, here", Alignment::Right),
        ("device", Alignment::Left),
        ("epochs", Alignment::Right),
        ("best epoch", Alignment::Right),
        ("its validation gap", Alignment::Right),
    ]);
    for training in &plan.trainings {
        let printed = plan.printed.cell(&training.id, "").map(|cell| cell.other.clone()).unwrap_or_default();
        let record = summary
            .trainings
            .iter()
            .find(|found| found.id == training.id)
            .and_then(|found| found.record.as_ref());
        let mut row = vec![training.label.clone(), printed];
        match record {
            None => {
                row.push(format!("no record: {}", training.model));
                row.resize(8, ABSENT.to_string());
            }
            Some(record) => {
                let critic = record.critic_parameters.map(|count| format!(" + {count}")).unwrap_or_default();
                let best = record.best();
                row.extend([
                    format!("{}{critic}", record.parameters),
                    text::time(record.seconds_per_epoch),
                    record.device.clone(),
                    record.curve.len().to_string(),
                    best.map_or_else(|| ABSENT.to_string(), |(epoch, _)| epoch.to_string()),
                    best.map_or_else(|| ABSENT.to_string(), |(_, gap)| text::percent(gap)),
                ]);
            }
        }
        table.push_row(row)?;
    }
    Ok(Some(Titled { title: "Training".to_string(), table }))
}
