//! Names for algorithms that take part with several configurations.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::Row;

/// The label of each row's algorithm: its name, followed by the parameters in which the configurations of
/// that name differ.
pub(super) fn labels(rows: &[Row]) -> Vec<String> {
    let mut configs: HashMap<&str, Vec<&str>> = HashMap::new();
    for row in rows {
        let known = configs.entry(&row.algorithm).or_default();
        if !known.contains(&row.config.as_str()) {
            known.push(&row.config);
        }
    }
    let mut labels: HashMap<(&str, &str), String> = HashMap::new();
    for (&name, configs) in &configs {
        let parsed: Vec<Map<String, Value>> =
            configs.iter().map(|config| serde_json::from_str(config).unwrap_or_default()).collect();
        for (config, values) in configs.iter().zip(&parsed) {
            labels.insert((name, config), label(name, values, &parsed));
        }
    }
    let key = |row: &Row| labels.get(&(row.algorithm.as_str(), row.config.as_str())).cloned();
    rows.iter().map(|row| key(row).unwrap_or_else(|| row.algorithm.clone())).collect()
}

fn label(name: &str, values: &Map<String, Value>, all: &[Map<String, Value>]) -> String {
    let mut label = name.to_string();
    for (key, value) in values {
        if all.iter().any(|other| other.get(key) != Some(value)) {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            label.push_str(&format!(":{key}={value}"));
        }
    }
    label
}
