//! The table of the models that lie in `models`, from the records of their trainings.

use std::path::PathBuf;

use serde_json::Value;

use super::text::{number, table};
use super::{PageError, Sources};

/// The models of the project; the first two are part of the program.
const SHIPPED: [&str; 4] = ["front", "front-wide", "gamma-m5", "tsp-50"];

/// The table.
pub(super) fn table_of(sources: &Sources) -> Result<String, PageError> {
    let mut lines = Vec::new();
    for name in SHIPPED {
        let path = format!("models/{name}/training.json");
        let malformed = |error: serde_json::Error| PageError::Malformed {
            path: PathBuf::from(&path),
            reason: error.to_string(),
        };
        let record: Value = serde_json::from_str(&sources.text(&path)?).map_err(malformed)?;
        let command = record["command"].as_str().unwrap_or_default();
        let last = command.split_whitespace().nth(2).unwrap_or_default();
        lines.push(vec![
            name.to_string(),
            record["parameters"].as_u64().map_or_else(String::new, |count| count.to_string()),
            (1 + record["earlier"].as_array().map_or(0, Vec::len)).to_string(),
            format!("train {last}"),
            record["validation"]["expert"].as_str().unwrap_or("its expert").to_string(),
            record["best"]["epoch"].as_u64().map_or_else(String::new, |epoch| epoch.to_string()),
            number(record["best"]["gap"].as_f64(), 2),
        ]);
    }
    let head =
        ["model", "parameters", "stages", "last stage", "compared with", "best epoch", "gap at validation %"];
    table(&head, 1, lines)
}
