//! The blocks about short limits: `auto` against each of its parts alone.

use super::text::{Block, number, table};
use super::{PageError, Rows, Sources};

const LIMITS: [&str; 4] = ["10 ms", "30 ms", "100 ms", "300 ms"];

/// The block of this name.
pub(super) fn block(name: &str, sources: &Sources) -> Block {
    Some(match name {
        "limits" => limits(sources),
        "limits-claim" => claim(sources),
        _ => return None,
    })
}

/// By how much the mean makespan of `auto` is above that of the best other contender, in percent.
fn behind(rows: &Rows<'_>, set: &str) -> Option<f64> {
    let own = rows.of(set, "auto").cost()?;
    let others = rows.contenders().into_iter().filter(|&name| name != "auto");
    let best = others.filter_map(|name| rows.of(set, name).cost()).min_by(f64::total_cmp)?;
    Some(100.0 * (own / best - 1.0))
}

fn limits(sources: &Sources) -> Result<String, PageError> {
    let tables: Vec<Rows<'_>> =
        LIMITS.iter().map(|limit| sources.table("short", limit)).collect::<Result<_, _>>()?;
    let mut lines = Vec::new();
    for set in tables[0].sets() {
        let mut line = vec![set.to_string()];
        line.extend(tables.iter().map(|rows| number(behind(rows, set), 2)));
        lines.push(line);
    }
    let head = ["instances", LIMITS[0], LIMITS[1], LIMITS[2], LIMITS[3]];
    table(&head, 1, lines)
}

fn claim(sources: &Sources) -> Result<String, PageError> {
    let mut cells = Vec::new();
    for limit in LIMITS {
        let rows = sources.table("short", limit)?;
        for set in rows.sets() {
            cells.extend(behind(&rows, set).map(|value| (value, format!("{set} in {limit}"))));
        }
    }
    let mean = cells.iter().map(|(value, _)| value).sum::<f64>() / cells.len().max(1) as f64;
    cells.sort_by(|one, other| other.0.total_cmp(&one.0));
    let worst: Vec<String> = cells
        .iter()
        .take(3)
        .map(|(value, name)| format!("{} % on {name}", number(Some(*value), 2)))
        .collect();
    Ok(format!(
        "On average over these {} cells `auto` is {} % above the best of its parts; at most {}.\n",
        cells.len(),
        number(Some(mean), 3),
        worst.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::MeasuredRow;

    #[test]
    fn auto_is_compared_with_the_best_of_the_others() {
        let row = |contender: &str, cost: f64| MeasuredRow::run("gamma 20x5", contender, "", cost);
        let rows = [row("auto", 101.0), row("beam", 100.0), row("iterated-greedy", 102.0)];
        assert!((behind(&Rows::new(rows.iter()), "gamma 20x5").unwrap() - 1.0).abs() < 1e-9);
        assert_eq!(behind(&Rows::new(rows[..1].iter()), "gamma 20x5"), None);
    }
}
