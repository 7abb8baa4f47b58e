//! Models that a plan names: where they are, what tells them apart, how they were trained.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use pfss::LoadedPolicy;
use pfss_neural::ProblemKind;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Models in a folder and those that come with the program.
#[derive(Clone, Debug)]
pub struct Models {
    folder: PathBuf,
}

/// A model that was found.
pub struct FoundModel {
    /// The policy.
    pub policy: LoadedPolicy,
    /// What tells it from others of its name: rows of an older model are not reused.
    pub fingerprint: String,
}

/// How a model was trained, from the files that `pfss train` left beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingRecord {
    /// The weights of the policy.
    pub parameters: u64,
    /// The weights of the critic, where one was trained along.
    pub critic_parameters: Option<u64>,
    /// What it was trained on: `cpu` or `cuda`.
    pub device: String,
    /// The command.
    pub command: String,
    /// The commands of the trainings that it started from, the first one first.
    #[serde(default)]
    pub earlier: Vec<String>,
    /// Seconds of all epochs, with those of the trainings that it started from.
    pub seconds: f64,
    /// The median time of an epoch in seconds.
    pub seconds_per_epoch: f64,
    /// The gap to the expert on the validation instances after each epoch, in percent.
    pub curve: Vec<f64>,
}

impl Models {
    /// The models in a folder, `NAME/model.safetensors` each, then those that come with the program.
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf() }
    }

    /// Whether the folder has a model of this name.
    pub fn has(&self, name: &str) -> bool {
        self.folder.join(name).join("model.safetensors").is_file()
    }

    /// The model of this name; `None` where there is none.
    ///
    /// # Errors
    /// A sentence that says why what is there is no model.
    pub fn find(&self, name: &str, problem: ProblemKind) -> Result<Option<FoundModel>, String> {
        let file = self.folder.join(name).join("model.safetensors");
        match std::fs::read(&file) {
            Ok(bytes) => {
                let policy = LoadedPolicy::from_bytes(&bytes)
                    .map_err(|error| format!("{}: {error}", file.display()))?;
                Ok(Some(FoundModel { policy, fingerprint: fingerprint(&bytes) }))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                if !pfss::shipped_models().iter().any(|model| model.name == name) {
                    return Ok(None);
                }
                let policy = pfss::load_model(name, problem).map_err(|error| error.to_string())?;
                let fingerprint = format!("built into {}", env!("CARGO_PKG_VERSION"));
                Ok(Some(FoundModel { policy, fingerprint }))
            }
            Err(error) => Err(format!("{}: cannot read: {error}", file.display())),
        }
    }

    /// How the model of this name was trained; `None` where its record is missing.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the record.
    pub fn training(&self, name: &str) -> Result<Option<TrainingRecord>, String> {
        let file = self.folder.join(name).join("training.json");
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{}: cannot read: {error}", file.display())),
        };
        let record: Value =
            serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        read_record(&record)
            .map(Some)
            .ok_or_else(|| format!("{}: not the record of a training", file.display()))
    }
}

fn read_record(record: &Value) -> Option<TrainingRecord> {
    let epochs = record["epochs"].as_array()?;
    let field =
        |name: &str| -> Option<Vec<f64>> { epochs.iter().map(|epoch| epoch[name].as_f64()).collect() };
    let (curve, seconds) = (field("gap")?, field("seconds")?);
    let earlier = match record["earlier"].as_array() {
        Some(records) => records.iter().map(read_record).collect::<Option<Vec<_>>>()?,
        None => Vec::new(),
    };
    Some(TrainingRecord {
        parameters: record["parameters"].as_u64()?,
        critic_parameters: record["critic_parameters"].as_u64(),
        device: record["device"].as_str()?.to_string(),
        command: record["command"].as_str()?.to_string(),
        earlier: earlier.iter().map(|record| record.command.clone()).collect(),
        seconds: earlier.iter().map(|record| record.seconds).chain(seconds.iter().copied()).sum(),
        seconds_per_epoch: median(seconds)?,
        curve,
    })
}

impl TrainingRecord {
    /// The epoch (from 1) with the least validation gap, and that gap.
    pub fn best(&self) -> Option<(usize, f64)> {
        let epochs = self.curve.iter().copied().enumerate();
        epochs.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, gap)| (at + 1, gap))
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

fn fingerprint(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in &Sha256::digest(bytes)[..8] {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_come_from_the_folder_then_from_the_program() {
        let folder = tempfile::tempdir().unwrap();
        let models = Models::in_folder(folder.path());
        let find = |name: &str| models.find(name, ProblemKind::FlowShop);
        assert!(find("gamma-m5").unwrap().unwrap().fingerprint.starts_with("built into"));
        assert!(find("no-such-model").unwrap().is_none());
        std::fs::create_dir(folder.path().join("broken")).unwrap();
        std::fs::write(folder.path().join("broken/model.safetensors"), "x").unwrap();
        assert!(find("broken").err().unwrap().contains("broken"));
        assert_eq!(models.training("gamma-m5"), Ok(None));
        std::fs::write(folder.path().join("broken/training.json"), "{}").unwrap();
        assert!(models.training("broken").unwrap_err().contains("not the record"));
    }

    #[test]
    fn records_are_read() {
        let epoch = |gap: f64, seconds: f64| serde_json::json!({"gap": gap, "seconds": seconds});
        let record = serde_json::json!({
            "parameters": 7, "device": "cpu", "command": "pfss train bc",
            "epochs": [epoch(3.0, 50.0), epoch(1.0, 2.0), epoch(2.0, 4.0)],
        });
        let record = read_record(&record).unwrap();
        assert_eq!((record.seconds, record.seconds_per_epoch), (56.0, 4.0));
        assert_eq!(record.best(), Some((2, 1.0)));
        assert_eq!(record.critic_parameters, None);
        let first = serde_json::json!({
            "parameters": 7, "device": "cpu", "command": "pfss train bc", "epochs": [epoch(3.0, 50.0)],
        });
        let second = serde_json::json!({
            "parameters": 7, "device": "cpu", "command": "pfss train ac --start", "epochs": [epoch(1.0, 2.0)],
            "earlier": [first],
        });
        let record = read_record(&second).unwrap();
        assert_eq!((record.seconds, record.curve), (52.0, vec![1.0]));
        assert_eq!(record.earlier, ["pfss train bc"]);
    }
}
