//! The blocks of docs/results/exact.md.

use super::text::{Block, number, table, time};
use super::{PageError, Rows, Sources};

/// The block of this name.
pub(super) fn block(name: &str, sources: &Sources) -> Block {
    let rows = sources.table("exact", name);
    Some(match name {
        "taillard" => rows.and_then(|rows| proofs(&rows)),
        "shares" => rows.and_then(|rows| shares(&rows)),
        "vrf-small" => rows.and_then(|rows| sizes(&rows)),
        _ => return None,
    })
}

fn proofs(rows: &Rows<'_>) -> Result<String, PageError> {
    let line = |set: &str| {
        let own = rows.filter(|row| row.set == set);
        let times = own.times();
        let known = own.iter().filter(|row| row.cost == row.best_known).count();
        vec![
            set.to_string(),
            own.count().to_string(),
            own.proven().to_string(),
            known.to_string(),
            time(times.first().copied()),
            time(own.median()),
            time(times.last().copied()),
        ]
    };
    let head = ["instances", "runs", "proven", "at the best known", "fastest", "median", "slowest"];
    table(&head, 1, rows.sets().into_iter().map(line))
}

fn shares(rows: &Rows<'_>) -> Result<String, PageError> {
    let mut lines = Vec::new();
    for set in rows.sets() {
        for contender in rows.contenders() {
            let own = rows.of(set, contender);
            lines.push(vec![
                set.into(),
                contender.into(),
                own.count().to_string(),
                own.proven().to_string(),
                number(Some(100.0 * own.proven() as f64 / own.count() as f64), 1),
                time(own.seconds()),
                time(own.median()),
                number(own.gap(), 3),
                number(own.cost(), 3),
            ]);
        }
    }
    let head = [
        "set",
        "algorithm",
        "instances",
        "proven",
        "%",
        "mean time",
        "median",
        "mean gap %",
        "mean makespan",
    ];
    table(&head, 2, lines)
}

fn sizes(rows: &Rows<'_>) -> Result<String, PageError> {
    let line = |(name, own): (&str, Rows<'_>)| {
        vec![
            name.to_string(),
            own.count().to_string(),
            own.proven().to_string(),
            time(own.seconds()),
            number(own.gap(), 3),
        ]
    };
    let own = rows.sets().into_iter().map(|set| (set, rows.filter(|row| row.set == set)));
    let all = own.chain([("all", rows.clone())]);
    table(&["size", "instances", "proven", "mean time", "mean gap %"], 1, all.map(line))
}
