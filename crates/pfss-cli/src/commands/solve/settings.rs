//! Parameters from `--config` and `--set`.

use std::path::Path;

use anyhow::{Context, bail};
use pfss::Settings;
use pfss_core::{Parameter, ParameterKind};
use serde_json::{Map, Value};

use crate::commands::algorithms::accepted;

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
        setting(algorithm, &shown.to_string(), &key, &text)
    };
    settings.into_iter().map(checked).collect()
}

/// A `key=value` of the command line, its value read as the parameter's type.
fn assigned(algorithm: &Described, flag: &str, assignment: &str) -> anyhow::Result<(String, Value)> {
    let Some((key, text)) = assignment.split_once('=') else {
        bail!("{flag} {assignment}: expected KEY=VALUE, such as `{flag} tie=first`");
    };
    setting(algorithm, &format!("{flag} {assignment}"), key.trim(), text.trim())
}

/// A parameter's key and its value, read as the parameter's type. `origin` says where it was given.
fn setting(algorithm: &Described, origin: &str, key: &str, text: &str) -> anyhow::Result<(String, Value)> {
    let key = key.replace('_', "-");
    let parameters = &algorithm.parameters;
    let Some(parameter) = parameters.iter().find(|parameter| parameter.name == key) else {
        let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let known = if names.is_empty() {
            "it has none".to_string()
        } else {
            format!("known are {}", names.join(", "))
        };
        bail!("{origin}: {} has no parameter `{key}`; {known}", algorithm.name);
    };
    match parsed(&parameter.kind, text) {
        Some(value) => Ok((key, value)),
        None => bail!("{origin}: `{key}` is `{text}`, accepted is {}", accepted(&parameter.kind)),
    }
}

/// The text as a value of this kind, or `None` where it is not one.
fn parsed(kind: &ParameterKind, text: &str) -> Option<Value> {
    match kind {
        ParameterKind::Integer { min, max } => {
            let plain = text.replace('_', "");
            let value = match (plain.parse::<u64>(), plain.parse::<f64>()) {
                (Ok(value), _) => value,
                (Err(_), Ok(value)) if value >= 0.0 && value.fract() == 0.0 && value <= 9e15 => value as u64,
                _ => return None,
            };
            (*min..=*max).contains(&value).then(|| Value::from(value))
        }
        ParameterKind::Real { min, max } => {
            let value = text.parse::<f64>().ok()?;
            (*min..=*max).contains(&value).then(|| Value::from(value))
        }
        ParameterKind::Flag => match text {
            "true" | "yes" | "on" => Some(Value::from(true)),
            "false" | "no" | "off" => Some(Value::from(false)),
            _ => None,
        },
        ParameterKind::Choice { values } => values.contains(&text).then(|| Value::from(text)),
        _ => Some(Value::from(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_by_kind() {
        let integer = ParameterKind::Integer { min: 1, max: 2_000_000 };
        assert_eq!(parsed(&integer, "1e6"), Some(Value::from(1_000_000)));
        assert_eq!(parsed(&integer, "1_000"), Some(Value::from(1000)));
        for wrong in ["0", "2.5", "3000000", "x", "-1"] {
            assert_eq!(parsed(&integer, wrong), None, "{wrong}");
        }
        let real = ParameterKind::Real { min: 0.0, max: 1.0 };
        assert_eq!(parsed(&real, "0.5"), Some(Value::from(0.5)));
        assert_eq!(parsed(&real, "NaN"), None);
        assert_eq!(parsed(&ParameterKind::Flag, "yes"), Some(Value::from(true)));
        assert_eq!(parsed(&ParameterKind::Text, "12"), Some(Value::from("12")));
    }
}
