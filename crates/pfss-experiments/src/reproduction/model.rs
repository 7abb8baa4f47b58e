//! Models that a plan names: where they are, what tells them apart, how they were trained.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use pfss::{LoadedPolicy, PortableModel};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::training_record::{TrainingRecord, differences};

/// What a cell without its model says, before the name.
pub(super) const NO_MODEL: &str = "no model: ";

/// Models in a folder, and the built-in one.
#[derive(Clone, Debug)]
pub struct Models {
    folder: PathBuf,
}

/// A model that was found.
pub struct FoundModel {
    /// The policy.
    pub policy: LoadedPolicy,
    /// The same for other processes.
    pub portable: PortableModel,
    /// What tells it from others of its name: rows of an older model are not reused.
    pub fingerprint: String,
}

impl Models {
    /// The models in a folder, `NAME/model.safetensors` each, then the built-in one.
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
    pub fn find(&self, name: &str) -> Result<Option<FoundModel>, String> {
        let file = self.folder.join(name).join("model.safetensors");
        match std::fs::read(&file) {
            Ok(bytes) => {
                let policy = LoadedPolicy::from_bytes(&bytes)
                    .map_err(|error| format!("{}: {error}", file.display()))?;
                let fingerprint = fingerprint(&bytes);
                let portable = PortableModel::of_content(&format!("{name} {fingerprint}"), bytes);
                Ok(Some(FoundModel { policy, portable, fingerprint }))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                if !pfss::BUILT_IN_MODELS.contains(&name) {
                    return Ok(None);
                }
                let policy = pfss::load_model(name).map_err(|error| error.to_string())?;
                let fingerprint = format!("built into {}", env!("CARGO_PKG_VERSION"));
                Ok(Some(FoundModel { policy, portable: PortableModel::built_in(name), fingerprint }))
            }
            Err(error) => Err(format!("{}: cannot read: {error}", file.display())),
        }
    }

    /// How the model of this name was trained; `None` where its record is missing.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the record.
    pub fn training(&self, name: &str) -> Result<Option<TrainingRecord>, String> {
        let Some(record) = self.record(name)? else { return Ok(None) };
        let read = TrainingRecord::read(&record);
        read.map(Some).ok_or_else(|| format!("{}: not the record of a training", self.path(name).display()))
    }

    /// In what the trainings of two models differ beside the seed; nothing where a record is missing.
    ///
    /// # Errors
    /// A sentence that says what is wrong with a record.
    pub fn differences(&self, first: &str, second: &str) -> Result<Vec<String>, String> {
        Ok(match (self.record(first)?, self.record(second)?) {
            (Some(first), Some(second)) => differences(&first, &second),
            _ => Vec::new(),
        })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name).join("training.json")
    }

    fn record(&self, name: &str) -> Result<Option<Value>, String> {
        let file = self.path(name);
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{}: cannot read: {error}", file.display())),
        };
        serde_json::from_str(&text).map(Some).map_err(|error| format!("{}: {error}", file.display()))
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
        let find = |name: &str| models.find(name);
        assert!(find("front").unwrap().unwrap().fingerprint.starts_with("built into"));
        assert!(find("no-such-model").unwrap().is_none());
        std::fs::create_dir(folder.path().join("broken")).unwrap();
        std::fs::write(folder.path().join("broken/model.safetensors"), "x").unwrap();
        assert!(find("broken").err().unwrap().contains("broken"));
        assert_eq!(models.training("front"), Ok(None));
        std::fs::write(folder.path().join("broken/training.json"), "{}").unwrap();
        assert!(models.training("broken").unwrap_err().contains("not the record"));
    }
}
