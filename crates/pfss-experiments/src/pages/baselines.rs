//! The blocks of docs/results/baselines.md.

use std::collections::HashMap;
use std::path::PathBuf;

use super::text::{Block, number, table};
use super::{PageError, Rows, Sources};

/// The paper's printed means.
const PRINTED: &str = "experiments/comparative-gamma-m5.csv";

/// The block of this name.
pub(super) fn block(name: &str, sources: &Sources) -> Block {
    let rows = sources.table("baselines", name);
    Some(match name {
        "paper" => rows.and_then(|rows| paper(&rows, &printed(&sources.text(PRINTED)?)?)),
        "neh" => rows.and_then(|rows| variants(&rows)),
        _ => return None,
    })
}

/// The printed cost by method and number of jobs.
fn printed(text: &str) -> Result<HashMap<(String, String), f64>, PageError> {
    let malformed = |reason: String| PageError::Malformed { path: PathBuf::from(PRINTED), reason };
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let mut costs = HashMap::new();
    for record in reader.records() {
        let record = record.map_err(|error| malformed(error.to_string()))?;
        if let (Some(method), Some(group), Some(Ok(cost))) =
            (record.get(0), record.get(1), record.get(2).map(str::parse))
        {
            costs.insert((method.to_string(), group.to_string()), cost);
        }
    }
    Ok(costs)
}

/// The paper's name of a method in its table.
fn printed_name(contender: &str) -> &str {
    match contender {
        "paper-iterated-greedy" => "iterated-greedy",
        "paper-neh" => "neh",
        "neh" => "",
        other => other,
    }
}

fn paper(rows: &Rows<'_>, printed: &HashMap<(String, String), f64>) -> Result<String, PageError> {
    let mut lines = Vec::new();
    for set in rows.sets() {
        let jobs = set.trim_start_matches("gamma ").split('x').next().unwrap_or_default();
        for contender in rows.contenders() {
            let own = rows.of(set, contender);
            let paper = printed.get(&(printed_name(contender).to_string(), jobs.to_string())).copied();
            let difference = own.cost().zip(paper).map(|(own, paper)| 100.0 * (own / paper - 1.0));
            lines.push(vec![
                set.into(),
                contender.into(),
                own.count().to_string(),
                number(paper, 1),
                number(own.cost(), 2),
                number(difference, 2),
            ]);
        }
    }
    table(&["instances", "algorithm", "count", "paper", "here", "difference %"], 2, lines)
}

fn variants(rows: &Rows<'_>) -> Result<String, PageError> {
    let line = |contender: &str| {
        let own = rows.filter(|row| row.contender == contender);
        vec![contender.to_string(), own.count().to_string(), number(own.deviation(), 3)]
    };
    table(&["settings of neh", "instances", "ARPD %"], 1, rows.contenders().into_iter().map(line))
}
