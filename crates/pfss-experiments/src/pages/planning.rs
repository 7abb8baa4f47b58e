//! The blocks of docs/results/planning.md.

use super::benchmarks::groups;
use super::text::{Block, list};
use super::{Rows, Sources};

/// The block of this name.
pub(super) fn block(name: &str, sources: &Sources) -> Block {
    let rows = |table: &str| sources.table("planning", table);
    Some(match name {
        "total-completion" | "blocking" => rows(name).and_then(|rows| groups(&rows, "auto")),
        "total-completion-claim" => rows("total-completion").map(|rows| below(&rows)),
        "blocking-claim" => rows("blocking").map(|rows| below(&rows)),
        _ => return None,
    })
}

/// How many values are below the best-known ones, and in which groups they are above on average.
fn below(rows: &Rows<'_>) -> String {
    let is_below = |row: &&super::MeasuredRow| row.cost.zip(row.best_known).is_some_and(|(a, b)| a < b);
    let above = rows.sets().into_iter().filter(|&set| {
        rows.filter(|row| row.set == set).deviation().is_some_and(|deviation| deviation > 0.0)
    });
    format!(
        "{} of {} values are below the best-known ones ([orders](new-best-known.md)). Above them on average: {}.\n",
        rows.iter().filter(is_below).count(),
        rows.count(),
        list(&above.collect::<Vec<_>>())
    )
}
