//! What labelled instances say of where they come from.

use pfss_neural::LabelledSet;
use serde_json::{Map, Value};

use super::sample::parameters;
use crate::args::{ExpertArgs, ProblemName};
use crate::commands::unused::searches;

/// Whether two records tell of the same labels. Programs before the end of 2026 wrote parameters of distributions as Rust
/// prints them, and a number of evaluations for experts that count none.
pub(super) fn tell_the_same(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    differences(one, other).is_empty()
}

/// What differs between two records, with both values.
pub(super) fn differences(one: &Map<String, Value>, other: &Map<String, Value>) -> Vec<String> {
    let (one, other) = (as_today(one), as_today(other));
    let mut names: Vec<&String> = one.keys().chain(other.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let shown = |record: &Map<String, Value>, name: &str| {
        record.get(name).map_or_else(|| "nothing".to_string(), Value::to_string)
    };
    let differing = names.into_iter().filter(|name| one.get(*name) != other.get(*name));
    differing
        .map(|name| format!("{name} is {} there and {} here", shown(&one, name), shown(&other, name)))
        .collect()
}

fn as_today(record: &Map<String, Value>) -> Map<String, Value> {
    let mut record = record.clone();
    if let Some(parameters) = record.get("parameters").and_then(parameters) {
        record.insert("parameters".to_string(), parameters.into());
    }
    if !limits(&record).unwrap_or(true) {
        record.insert("expert_evaluations".to_string(), Value::Null);
    }
    record
}

/// Whether the recorded expert searches until its evaluations are spent.
fn limits(record: &Map<String, Value>) -> Option<bool> {
    let problem = match record.get("problem") {
        #[cfg(feature = "tsp")]
        Some(problem) if problem == "tsp" => ProblemName::Tsp,
        _ => ProblemName::FlowShop,
    };
    searches(problem, record.get("expert")?.as_str()?).ok()
}

/// The expert of a record, where it is one of this program's.
#[cfg_attr(not(feature = "train"), allow(dead_code))]
pub(super) fn expert(set: &LabelledSet) -> Option<ExpertArgs> {
    let record = set.record();
    let name = record.get("expert")?.as_str()?;
    searches(ProblemName::of(set), name).ok()?;
    let config = record.get("expert_config").and_then(Value::as_object).cloned().unwrap_or_default();
    let assignment = |(key, value): (String, Value)| match value {
        Value::Null => None,
        Value::String(text) => Some(format!("{key}={text}")),
        other => Some(format!("{key}={other}")),
    };
    Some(ExpertArgs {
        expert: Some(name.to_string()),
        expert_settings: config.into_iter().filter_map(assignment).collect(),
        expert_evaluations: limits(record)
            .unwrap_or(false)
            .then(|| record.get("expert_evaluations").and_then(Value::as_u64))
            .flatten(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    /// Labels of a folder that was begun with an earlier program would have been refused.
    #[test]
    fn records_of_earlier_programs_tell_the_same() {
        let before = |expert: &str| {
            object(json!({"expert": expert, "expert_evaluations": 200_000,
                "distribution": "gamma", "parameters": "Gamma { shape: 0.5, scale: 2.0 }"}))
        };
        let today = |expert: &str, evaluations: Option<u64>| {
            object(json!({"expert": expert, "expert_evaluations": evaluations,
                "distribution": "gamma", "parameters": {"shape": 0.5, "scale": 2.0}}))
        };
        assert!(tell_the_same(&before("paper-neh"), &today("paper-neh", None)));
        assert!(tell_the_same(&before("iterated-greedy"), &today("iterated-greedy", Some(200_000))));
        assert!(!tell_the_same(&before("iterated-greedy"), &today("iterated-greedy", Some(100))));
        let mut other = today("paper-neh", None);
        other["parameters"]["shape"] = json!(0.25);
        assert!(!tell_the_same(&before("paper-neh"), &other));
    }
}
