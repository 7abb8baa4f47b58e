//! Whether two summaries tell the same.

use serde_json::Value;

use super::Summary;

/// Logarithms differ in the last bit between processors, and so do what is fitted and tested with them.
const TOLERANCE: f64 = 1e-9;

impl Summary {
    /// Where `other` tells something else than this summary: a word, or a number that differs by more than the rounding of
    /// another processor.
    pub fn difference(&self, other: &Self) -> Option<String> {
        match (serde_json::to_value(self), serde_json::to_value(other)) {
            (Ok(one), Ok(other)) => difference("", &one, &other),
            (Err(error), _) | (_, Err(error)) => Some(error.to_string()),
        }
    }
}

fn difference(path: &str, one: &Value, other: &Value) -> Option<String> {
    let told = || Some(format!("{path}: {one} and {other}"));
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) if (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()) => None,
            _ => told(),
        },
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a
            .iter()
            .zip(b)
            .enumerate()
            .find_map(|(index, (a, b))| difference(&format!("{path}/{index}"), a, b)),
        (Value::Object(a), Value::Object(b)) if a.len() == b.len() => a
            .iter()
            .find_map(|(key, a)| difference(&format!("{path}/{key}"), a, b.get(key).unwrap_or(&Value::Null))),
        _ if one == other => None,
        _ => told(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_rounding_is_forgiven() {
        let one = json!({"cells": [{"cost": 1.0, "method": "il"}], "none": null});
        let rounded = json!({"cells": [{"cost": 1.000_000_000_000_1, "method": "il"}], "none": null});
        assert_eq!(difference("", &one, &rounded), None);
        for other in [
            json!({"cells": [{"cost": 1.000_001, "method": "il"}], "none": null}),
            json!({"cells": [{"cost": 1.0, "method": "rl"}], "none": null}),
            json!({"cells": [], "none": null}),
            json!({"cells": [{"cost": 1.0, "method": "il"}], "none": 0.0}),
            json!({"cells": [{"cost": 1.0, "method": "il"}]}),
        ] {
            assert!(difference("", &one, &other).is_some(), "{other}");
        }
    }
}
