//! The blocks of docs/results/new-best-known.md.

use serde::Deserialize;

use super::text::{Block, number, table};
use super::{PageError, Sources};

/// Where the orders are kept; `scripts/below-best-known` writes it from rows of `pfss bench`.
const FILE: &str = "docs/results/new-best-known.csv.xz";

/// An order below the best-known value.
#[derive(Debug, Deserialize)]
struct Found {
    /// The name, and behind a colon the rules that differ from those of the plain flow shop.
    instance: String,
    algorithm: String,
    limit: String,
    makespan: f64,
    best_known: f64,
    bound: f64,
}

/// The block of this name.
pub(super) fn block(name: &str, sources: &Sources) -> Block {
    let rules = match name {
        "makespan" | "count" => "",
        "total-completion" => "total-completion",
        "blocking" => "buffer=0",
        _ => return None,
    };
    Some(read(sources).and_then(|found| {
        if name == "count" {
            return Ok(count(&found));
        }
        list(found.iter().filter(|found| split(&found.instance).1 == rules))
    }))
}

/// An instance's name and its rules.
fn split(instance: &str) -> (&str, &str) {
    instance.split_once(':').unwrap_or((instance, ""))
}

fn read(sources: &Sources) -> Result<Vec<Found>, PageError> {
    let text = sources.compressed(FILE)?;
    let rows: Result<Vec<Found>, csv::Error> =
        csv::Reader::from_reader(text.as_bytes()).deserialize().collect();
    rows.map_err(|error| PageError::Malformed { path: FILE.into(), reason: error.to_string() })
}

fn count(found: &[Found]) -> String {
    let of = |rules: &str| found.iter().filter(|found| split(&found.instance).1 == rules).count();
    format!(
        "{} makespans, {} total completion times and {} makespans without buffers.\n",
        of(""),
        of("total-completion"),
        of("buffer=0")
    )
}

fn list<'a>(found: impl Iterator<Item = &'a Found>) -> Result<String, PageError> {
    let line = |found: &Found| {
        vec![
            split(&found.instance).0.to_string(),
            number(Some(found.best_known), 0),
            number(Some(found.makespan), 0),
            number(Some(100.0 * (found.makespan / found.best_known - 1.0)), 3),
            number(Some(found.bound), 0),
            format!("{}, {}", found.algorithm, found.limit),
        ]
    };
    let head = ["instance", "best known", "found", "difference %", "proven bound", "by"];
    table(&head, 1, found.map(line))
}
