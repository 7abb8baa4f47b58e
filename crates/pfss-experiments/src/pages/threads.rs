//! The blocks of docs/results/threads.md: what several threads are worth.

use super::text::{Block, list, number, table, time};
use super::{MeasuredRow, PageError, Rows, Sources};

/// The contender with one thread, in the same time.
const ONE: &str = "one thread";

/// The block of this name, from the rows of `file`.
pub(super) fn block(file: &str, name: &str, sources: &Sources) -> Block {
    let rows = |table: &str| sources.table(file, table);
    Some(match name {
        "orders" => rows("orders").and_then(|rows| orders(&rows)),
        "orders-claim" => rows("orders").map(|rows| claim(&rows)),
        "proofs" => rows("proofs").and_then(|rows| proofs(&rows)),
        "nodes" => rows("nodes").and_then(|rows| nodes(&rows)),
        "gaps" => rows("gaps").and_then(|rows| gaps(&rows)),
        _ => return None,
    })
}

/// Names of the contenders: all threads together, and one thread that has longer.
struct Names<'a> {
    together: &'a str,
    longer: &'a str,
}

impl<'a> Names<'a> {
    fn of(rows: &Rows<'a>) -> Self {
        let with = |end: &str, begin: &str| {
            rows.contenders().into_iter().find(|name| name.ends_with(end) && name.starts_with(begin))
        };
        Self {
            together: with("threads", "").unwrap_or_default(),
            longer: with("as long", ONE).unwrap_or_default(),
        }
    }
}

/// The best of each instance's rows.
fn best_of_each<'a>(rows: &Rows<'a>) -> Rows<'a> {
    let mut best: Vec<&MeasuredRow> = Vec::new();
    for row in rows.iter() {
        match best.iter_mut().find(|other| other.instance == row.instance) {
            Some(other) if row.cost < other.cost => *other = row,
            Some(_) => {}
            None => best.push(row),
        }
    }
    Rows::new(best.into_iter())
}

fn orders(rows: &Rows<'_>) -> Result<String, PageError> {
    let Names { together, longer } = Names::of(rows);
    let runs = together.split(' ').next().unwrap_or_default();
    let mut lines = Vec::new();
    for set in rows.sets() {
        let of = |name: &str| rows.of(set, name);
        let (one, all, longer) = (of(ONE), of(together), of(longer));
        let values = [one.deviation(), best_of_each(&one).deviation(), longer.deviation(), all.deviation()];
        let mut line = vec![set.to_string(), all.count().to_string()];
        line.extend(values.map(|value| number(value, 3)));
        lines.push(line);
    }
    let best = format!("best of {runs} such runs");
    table(&["size", "instances", ONE, &best, longer, together], 1, lines)
}

/// Where the threads together are better than apart.
fn claim(rows: &Rows<'_>) -> String {
    let Names { together, longer } = Names::of(rows);
    let (mut apart, mut long) = (Vec::new(), Vec::new());
    for set in rows.sets() {
        let all = rows.of(set, together);
        // On the instances that both have.
        let ahead = |others: Rows<'_>| {
            let common = all.filter(|row| others.iter().any(|other| other.instance == row.instance));
            common.deviation() <= others.deviation()
        };
        if ahead(best_of_each(&rows.of(set, ONE))) {
            apart.push(set);
        }
        if ahead(rows.of(set, longer)) {
            long.push(set);
        }
    }
    format!(
        "{together} together are at least as good as the best of as many runs apart on {}, and as {longer} on {}.\n",
        list(&apart),
        list(&long)
    )
}

fn proofs(rows: &Rows<'_>) -> Result<String, PageError> {
    let mut lines = Vec::new();
    for row in rows.iter() {
        let proven = if row.status == "optimal" { "yes" } else { "no" };
        let best_known = number(row.best_known, 0);
        lines.push(vec![
            row.instance.clone(),
            number(row.cost, 0),
            best_known,
            proven.into(),
            time(row.runtime_s),
        ]);
    }
    lines.sort();
    table(&["instance", "makespan", "best known", "proven", "time"], 1, lines)
}

fn nodes(rows: &Rows<'_>) -> Result<String, PageError> {
    let rate = |row: &MeasuredRow| Some(row.evaluations? as f64 / row.runtime_s? / 1e6);
    let mut instances: Vec<&str> = rows.iter().map(|row| row.instance.as_str()).collect();
    instances.dedup();
    let contenders = rows.contenders();
    let mut lines = Vec::new();
    for name in instances {
        let of = |contender: &str| {
            rows.filter(|row| row.instance == name && row.contender == contender).mean(rate)
        };
        let rates: Vec<Option<f64>> = contenders.iter().map(|contender| of(contender)).collect();
        let ratio = rates.last().copied().flatten().zip(rates.first().copied().flatten());
        let mut line = vec![name.to_string()];
        line.extend(rates.into_iter().map(|rate| number(rate, 1)));
        line.push(number(ratio.map(|(all, one)| all / one), 1));
        lines.push(line);
    }
    let mut head = vec!["million evaluations a second"];
    head.extend(contenders);
    head.push("ratio");
    table(&head, 1, lines)
}

/// The contender that gaps are compared with.
const EARLIER: &str = "first edition";

/// Gaps by size, and together by the number of machines.
fn gaps(rows: &Rows<'_>) -> Result<String, PageError> {
    let line = |name: String, part: Rows<'_>| {
        let earlier = part.filter(|row| row.contender == EARLIER);
        let own = part.filter(|row| row.contender != EARLIER);
        let gaps = [number(own.gap(), 2), number(earlier.gap(), 2)];
        [vec![name, own.count().to_string(), number(own.deviation(), 2)], gaps.to_vec()].concat()
    };
    let mut lines: Vec<Vec<String>> = Vec::new();
    for set in rows.sets() {
        lines.push(line(set.to_string(), rows.filter(|row| row.set == set)));
    }
    for machines in ["40", "60"] {
        let ends = format!("x{machines}");
        lines.push(line(format!("{machines} machines"), rows.filter(|row| row.set.ends_with(&ends))));
    }
    let head = [
        "size",
        "instances",
        "above the best known %",
        "gap to the proven bound %",
        "of the first edition %",
    ];
    table(&head, 1, lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(set: &str, contender: &str, instance: &str, cost: f64) -> MeasuredRow {
        MeasuredRow { best_known: Some(100.0), ..MeasuredRow::run(set, contender, instance, cost) }
    }

    #[test]
    fn threads_are_compared_with_the_best_run_and_with_more_time() {
        let rows = [
            row("50x20", "4 threads", "a", 101.0),
            row("50x20", "4 threads", "b", 103.0),
            row("50x20", ONE, "a", 104.0),
            row("50x20", ONE, "a", 102.0),
            row("50x20", ONE, "b", 102.0),
            // Of one of the instances only: compared with that one.
            row("50x20", "one thread 4 times as long", "a", 100.5),
        ];
        let rows = Rows::new(rows.iter());
        let text = orders(&rows).unwrap();
        let line = text.lines().last().unwrap();
        let cells: Vec<&str> = line.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
        assert_eq!(cells, ["50x20", "2", "2.667", "2.000", "0.500", "2.000"]);
        assert!(text.contains("best of 4 such runs"), "{text}");
        let expected = "4 threads together are at least as good as the best of as many runs apart on 50x20, \
                        and as one thread 4 times as long on none.\n";
        assert_eq!(claim(&rows), expected);
    }
}
