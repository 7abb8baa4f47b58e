//! Parameters from `--config` and `--set`.

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use pfss::{AssignmentError, Settings};
use pfss_core::Parameter;
use serde_json::{Map, Value};

/// An algorithm for any problem: its name and its parameters.
pub(in crate::commands) struct Described {
    name: &'static str,
    parameters: Vec<Parameter>,
}

impl<B> From<&pfss::AlgorithmFor<B>> for Described {
    fn from(algorithm: &pfss::AlgorithmFor<B>) -> Self {
        Self { name: algorithm.name, parameters: algorithm.parameters() }
    }
}

/// The settings of an algorithm: those of the file, replaced by those of the command line, where they stand after
/// `flag`.
pub(in crate::commands) fn read(
    algorithm: impl Into<Described>,
    file: Option<&Path>,
    flag: &str,
    assignments: &[String],
) -> anyhow::Result<Settings> {
    let algorithm = &algorithm.into();
    let mut settings = match file {
        Some(path) => from_file(algorithm, path)?,
        None => Settings::new(),
    };
    for assignment in assignments {
        let (key, value) = assigned(algorithm, flag, assignment)?;
        settings.set(key, value);
    }
    Ok(settings)
}

/// The parameters in a file: those at its top, and those in the table named after the algorithm. Tables of
/// other algorithms are passed over, so that one file serves all.
fn from_file(algorithm: &Described, path: &Path) -> anyhow::Result<Settings> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("{shown}: cannot read"))?;
    let is_json =
        path.extension().is_some_and(|ending| ending == "json") || text.trim_start().starts_with('{');
    let content: Map<String, Value> = if is_json {
        serde_json::from_str(&text).with_context(|| format!("{shown}: this is no JSON object"))?
    } else {
        toml::from_str(&text).with_context(|| format!("{shown}: this is no TOML table"))?
    };
    let mut settings = Map::new();
    let mut own = Map::new();
    for (key, value) in content {
        match value {
            Value::Object(table) if key == algorithm.name => own = table,
            Value::Object(_) if pfss::algorithm(&key).is_ok() => {}
            value => {
                settings.insert(key, value);
            }
        }
    }
    settings.append(&mut own);
    let checked = |(key, value): (String, Value)| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
        pfss::setting(algorithm.name, &algorithm.parameters, &key, &text)
            .map_err(|error| anyhow!("{shown}: {error}"))
    };
    settings.into_iter().map(checked).collect()
}

/// A `key=value` of the command line, its value read as the parameter's type.
fn assigned(algorithm: &Described, flag: &str, assignment: &str) -> anyhow::Result<(String, Value)> {
    match pfss::assignment(algorithm.name, &algorithm.parameters, assignment) {
        Err(AssignmentError::NoAssignment) => {
            bail!("{flag} {assignment}: expected KEY=VALUE, such as `{flag} tie=first`")
        }
        Err(error) => bail!("{flag} {assignment}: {error}"),
        Ok(setting) => Ok(setting),
    }
}
