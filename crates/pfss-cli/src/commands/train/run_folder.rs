//! The folder of a training: what is in it and how it is written.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use pfss_render::{ConvergenceOptions, ReferenceLine, Series, convergence_svg};
use pfss_training::Epoch;
use serde_json::Value;

/// The file with the record of a training.
const RECORD: &str = "training.json";
/// The course of a training as a table.
const METRICS: &str = "metrics.csv";
/// The course of a training as a picture.
const CURVE: &str = "convergence.svg";

/// The record of the training in a folder, if there is one.
pub(super) fn read_record(folder: &Path) -> Option<Value> {
    let text = fs::read_to_string(folder.join(RECORD)).ok()?;
    serde_json::from_str(&text).ok()
}

/// The folder of a training.
pub(super) struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// The folder, made where it is missing.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(path).with_context(|| format!("{}: cannot make the folder", path.display()))?;
        Ok(Self { path: path.to_path_buf() })
    }

    pub(super) fn labels(&self) -> PathBuf {
        self.path.join("labels.safetensors")
    }

    pub(super) fn validation(&self) -> PathBuf {
        self.path.join("validation.safetensors")
    }

    pub(super) fn model(&self) -> PathBuf {
        self.path.join("model.safetensors")
    }

    /// The files that a training writes and writes again.
    pub(super) fn outputs(&self) -> [PathBuf; 5] {
        let own = |name: &str| self.path.join(name);
        [self.model(), self.checkpoint(), own(METRICS), own(RECORD), own(CURVE)]
    }

    fn checkpoint(&self) -> PathBuf {
        self.path.join("checkpoint.safetensors")
    }

    /// The last checkpoint, if there is one.
    pub(super) fn read_checkpoint(&self) -> anyhow::Result<Option<Vec<u8>>> {
        let path = self.checkpoint();
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("{}: cannot read", path.display())),
        }
    }

    pub(super) fn write_checkpoint(&self, bytes: &[u8]) -> anyhow::Result<()> {
        Ok(pfss_io::atomic::write(&self.checkpoint(), bytes)?)
    }

    /// What was recorded of the training so far.
    pub(super) fn record(&self) -> Option<Value> {
        read_record(&self.path)
    }

    /// The curve as a table and as a picture, and the record of the training.
    pub(super) fn write_curve(&self, history: &[Epoch], expert: &str, record: &Value) -> anyhow::Result<()> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        for epoch in history {
            csv.serialize(epoch)?;
        }
        pfss_io::atomic::write(&self.path.join(METRICS), &csv.into_inner()?)?;
        let record = serde_json::to_string_pretty(record)? + "\n";
        pfss_io::atomic::write(&self.path.join(RECORD), record.as_bytes())?;
        if history.is_empty() {
            return Ok(());
        }
        let points = history.iter().map(|epoch| (epoch.epoch as f64, epoch.gap)).collect();
        let options = ConvergenceOptions {
            title: format!("Validation: gap to {expert}"),
            time_label: "epoch".to_string(),
            cost_label: format!("gap to {expert}, %"),
            end_time: history.last().map(|epoch| epoch.epoch as f64),
            references: vec![ReferenceLine { label: expert.to_string(), value: 0.0 }],
            ..ConvergenceOptions::default()
        };
        let series = Series { name: "greedy policy".to_string(), points };
        let picture = convergence_svg(&[series.into()], &options)?;
        Ok(pfss_io::atomic::write(&self.path.join(CURVE), picture.as_bytes())?)
    }
}

/// The file of a model to start from, which may be given by its name.
pub(super) fn model_in(start: &Path) -> PathBuf {
    pfss::model_file(&start.to_string_lossy())
}
