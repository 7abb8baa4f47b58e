//! Settings as people write them: `key=value`, read as the parameter's type.

use pfss_core::{Parameter, ParameterKind};
use pfss_render::format_number;
use serde_json::Value;
use thiserror::Error;

/// Why a text is no setting of an algorithm.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum AssignmentError {
    /// There is no `=`.
    #[error("expected KEY=VALUE, such as `tie=first`")]
    NoAssignment,
    /// The algorithm has no such parameter.
    #[error("{algorithm} has no parameter `{key}`; {known}")]
    UnknownParameter {
        /// The algorithm.
        algorithm: String,
        /// The key that was given.
        key: String,
        /// What there is.
        known: String,
    },
    /// The value does not fit.
    #[error("`{key}` is `{text}`, accepted is {accepted}")]
    Value {
        /// The parameter.
        key: String,
        /// The value as written.
        text: String,
        /// What would be accepted.
        accepted: String,
    },
}

/// A `key=value` for an algorithm with these parameters.
///
/// ```
/// let neh = pfss::algorithm("neh")?;
/// let (key, value) = pfss::assignment("neh", &neh.parameters(), "tie = first").unwrap();
/// assert_eq!((key.as_str(), value.as_str()), ("tie", Some("first")));
/// assert!(pfss::assignment("neh", &neh.parameters(), "tie").is_err());
/// # Ok::<(), pfss::Error>(())
/// ```
///
/// # Errors
/// [`AssignmentError`] tells what is wrong and what would be accepted.
pub fn assignment(
    algorithm: &str,
    parameters: &[Parameter],
    text: &str,
) -> Result<(String, Value), AssignmentError> {
    let (key, text) = text.split_once('=').ok_or(AssignmentError::NoAssignment)?;
    setting(algorithm, parameters, key.trim(), text.trim())
}

/// A parameter's key and its value, read as the parameter's type.
///
/// # Errors
/// [`AssignmentError`] tells what is wrong and what would be accepted.
pub fn setting(
    algorithm: &str,
    parameters: &[Parameter],
    key: &str,
    text: &str,
) -> Result<(String, Value), AssignmentError> {
    let key = key.replace('_', "-");
    let Some(parameter) = parameters.iter().find(|parameter| parameter.name == key) else {
        let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let known = match names.is_empty() {
            true => "it has none".to_string(),
            false => format!("known are {}", names.join(", ")),
        };
        return Err(AssignmentError::UnknownParameter { algorithm: algorithm.to_string(), key, known });
    };
    match parsed(&parameter.kind, text) {
        Some(value) => Ok((key, value)),
        None => {
            let accepted = accepted(&parameter.kind);
            Err(AssignmentError::Value { key, text: text.to_string(), accepted })
        }
    }
}

/// What a parameter accepts, in a few words.
pub fn accepted(kind: &ParameterKind) -> String {
    match kind {
        ParameterKind::Integer { min, max } if *max >= u64::from(u32::MAX) => {
            format!("a whole number, at least {min}")
        }
        ParameterKind::Integer { min, max } => format!("a whole number, {min} to {max}"),
        ParameterKind::Real { min, max } => match (*min > f64::MIN, *max < f64::MAX) {
            (true, true) => format!("a number, {} to {}", format_number(*min), format_number(*max)),
            (true, false) => format!("a number, at least {}", format_number(*min)),
            (false, true) => format!("a number, at most {}", format_number(*max)),
            (false, false) => "a number".to_string(),
        },
        ParameterKind::Choice { values } => values.join(" | "),
        ParameterKind::Flag => "true | false".to_string(),
        _ => "a file".to_string(),
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
        assert_eq!(parsed(&ParameterKind::File, "12"), Some(Value::from("12")));
    }
}
