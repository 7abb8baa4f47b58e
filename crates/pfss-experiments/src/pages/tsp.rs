//! The blocks of docs/results/tsp.md.

use super::text::{Block, number, table, time};
use super::{PageError, Rows, Sources};

/// The block of this name.
pub(super) fn block(name: &str, sources: &Sources) -> Block {
    (name == "proofs").then(|| proofs(&sources.table("tsp", "proofs")?))
}

fn proofs(rows: &Rows<'_>) -> Result<String, PageError> {
    let line = |set: &str| {
        let own = rows.filter(|row| row.set == set);
        let times = own.times();
        let at =
            |share: f64| time(times.get((times.len().saturating_sub(1) as f64 * share) as usize).copied());
        vec![
            set.to_string(),
            own.count().to_string(),
            own.proven().to_string(),
            number(own.cost(), 4),
            number(own.gap(), 4),
            time(own.seconds()),
            time(own.median()),
            at(0.9),
            at(1.0),
        ]
    };
    let head =
        ["cities", "instances", "proven", "mean length", "mean gap %", "mean time", "median", "90 %", "most"];
    table(&head, 0, rows.sets().into_iter().map(line))
}
