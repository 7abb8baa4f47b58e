//! How a model was trained: the record that `pfss train` leaves beside it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How a model was trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingRecord {
    /// The weights of the policy.
    pub parameters: u64,
    /// The weights of the critic, where one was trained along.
    pub critic_parameters: Option<u64>,
    /// What it was trained on: `cpu` or `cuda`.
    pub device: String,
    /// The trainings that led to it, the first one first.
    #[serde(default)]
    pub stages: Vec<TrainingStage>,
    /// Seconds of all epochs of all stages.
    pub seconds: f64,
    /// The median time of an epoch of the last stage in seconds.
    pub seconds_per_epoch: f64,
    /// The gap to the expert on the validation instances after each epoch of the last stage, in percent.
    pub curve: Vec<f64>,
}

/// One call of `pfss train`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrainingStage {
    /// The command.
    pub command: String,
    /// How many epochs it asked for.
    pub planned: Option<usize>,
    /// How many were made: fewer where it was interrupted.
    pub epochs: usize,
    /// The epoch (from 1) whose weights were kept: the one with the least validation gap.
    pub kept: usize,
}

impl TrainingRecord {
    /// Reads a record; `None` when it is none.
    pub(super) fn read(record: &Value) -> Option<Self> {
        let epochs = record["epochs"].as_array()?;
        let field =
            |name: &str| -> Option<Vec<f64>> { epochs.iter().map(|epoch| epoch[name].as_f64()).collect() };
        let (curve, seconds) = (field("gap")?, field("seconds")?);
        let mut stages = Vec::new();
        let mut before = 0.0;
        for earlier in record["earlier"].as_array().into_iter().flatten() {
            let earlier = Self::read(earlier)?;
            before += earlier.seconds;
            stages.extend(earlier.stages);
        }
        stages.push(TrainingStage {
            command: record["command"].as_str()?.to_string(),
            planned: planned_epochs(&record["config"]),
            epochs: curve.len(),
            kept: best(&curve).map_or(0, |(epoch, _)| epoch),
        });
        Some(Self {
            parameters: record["parameters"].as_u64()?,
            critic_parameters: record["critic_parameters"].as_u64(),
            device: record["device"].as_str()?.to_string(),
            stages,
            seconds: before + seconds.iter().sum::<f64>(),
            seconds_per_epoch: median(seconds)?,
            curve,
        })
    }

    /// The epoch (from 1) with the least validation gap, and that gap.
    pub fn best(&self) -> Option<(usize, f64)> {
        best(&self.curve)
    }
}

fn best(curve: &[f64]) -> Option<(usize, f64)> {
    let epochs = curve.iter().copied().enumerate();
    epochs.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, gap)| (at + 1, gap))
}

/// The epochs of both phases where a training has two.
fn planned_epochs(config: &Value) -> Option<usize> {
    let epochs = |name: &str| config[name].as_u64().map(|epochs| epochs as usize);
    match (epochs("epochs"), epochs("imitation_epochs"), epochs("gradient_epochs")) {
        (Some(all), ..) => Some(all),
        (None, Some(imitation), Some(gradient)) => Some(imitation + gradient),
        _ => None,
    }
}

/// The first epoch compiles kernels on a GPU: the median is not disturbed by it.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

/// In what two trainings differ beside the seed, setting by setting. A setting that one of the two records does not
/// have was added to the program later, with what the other one did as its default.
pub(super) fn differences(first: &Value, second: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for part in ["config", "training", "validation"] {
        compare(part, part, &first[part], &second[part], &mut found);
    }
    found
}

fn compare(part: &str, name: &str, first: &Value, second: &Value, found: &mut Vec<String>) {
    // Some records hold JSON as text.
    let parsed = |value: &Value| match value.as_str().map(serde_json::from_str::<Value>) {
        Some(Ok(parsed @ Value::Object(_))) => parsed,
        _ => value.clone(),
    };
    match (parsed(first), parsed(second)) {
        (Value::Object(first), Value::Object(second)) => {
            for (key, value) in &first {
                // The mean cost of the expert's labels follows from the seed.
                let follows = key == "seed" || (key == "cost" && part != "config");
                if let (Some(other), false) = (second.get(key), follows) {
                    compare(part, &format!("{name}.{key}"), value, other, found);
                }
            }
        }
        (first, second) if first != second => found.push(format!("{name} is {second}, not {first}")),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn records_are_read_with_all_stages() {
        let epoch = |gap: f64, seconds: f64| json!({"gap": gap, "seconds": seconds});
        let record = json!({
            "parameters": 7, "device": "cpu", "command": "pfss train bc", "config": {"epochs": 5},
            "epochs": [epoch(3.0, 50.0), epoch(1.0, 2.0), epoch(2.0, 4.0)],
        });
        let read = TrainingRecord::read(&record).unwrap();
        assert_eq!((read.seconds, read.seconds_per_epoch), (56.0, 4.0));
        assert_eq!((read.best(), read.critic_parameters), (Some((2, 1.0)), None));
        let second = json!({
            "parameters": 7, "device": "cpu", "command": "pfss train front --start",
            "config": {"imitation_epochs": 1, "gradient_epochs": 2},
            "epochs": [epoch(1.0, 2.0)], "earlier": [record],
        });
        let read = TrainingRecord::read(&second).unwrap();
        assert_eq!((read.seconds, read.curve), (58.0, vec![1.0]));
        let told: Vec<_> =
            read.stages.iter().map(|stage| (stage.planned, stage.epochs, stage.kept)).collect();
        assert_eq!(told, [(Some(5), 3, 2), (Some(3), 1, 1)]);
        assert_eq!(TrainingRecord::read(&json!({})), None);
    }

    #[test]
    fn trainings_that_differ_by_the_seed_alone_are_equal() {
        let record = |seed: u64, epochs: u64| {
            json!({
                "config": {"seed": seed, "epochs": epochs},
                "training": {"cost": seed, "fresh": format!("{{\"seed\":{seed},\"num_jobs\":20}}")},
                "validation": {"count": 1000},
            })
        };
        assert_eq!(differences(&record(1, 50), &record(2, 50)), Vec::<String>::new());
        assert_eq!(differences(&record(1, 50), &record(2, 25)), ["config.epochs is 25, not 50"]);
        let mut other = record(2, 50);
        other["config"]["cost"] = "raw".into();
        assert_eq!(differences(&record(1, 50), &other), Vec::<String>::new());
        let mut first = record(1, 50);
        first["config"]["cost"] = "scaled".into();
        assert_eq!(differences(&first, &other), ["config.cost is \"raw\", not \"scaled\""]);
    }
}
