//! `pfss reproduce list`.

use pfss_experiments::reproduction::plans;
use pfss_render::{Alignment, Table};

use crate::exit::Exit;
use crate::output;

/// Prints the plans.
pub(super) fn run() -> anyhow::Result<Exit> {
    let columns = ["name", "in the paper", "what it is", "groups", "methods"];
    let right = |at: usize| if at < 3 { Alignment::Left } else { Alignment::Right };
    let mut table = Table::new(columns.iter().enumerate().map(|(at, name)| (*name, right(at))));
    for plan in plans()? {
        let (groups, methods) = (plan.shown_groups().count().to_string(), plan.methods.len().to_string());
        table.push_row([plan.name, plan.paper, plan.title, groups, methods])?;
    }
    output::print(&table.to_text())?;
    Ok(Exit::Success)
}
