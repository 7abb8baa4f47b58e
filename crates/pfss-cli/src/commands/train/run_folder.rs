//! The folder of a training: what is in it and how it is written.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use pfss_render::{ConvergenceOptions, ReferenceLine, Series, convergence_svg};
use pfss_training::Epoch;
use serde_json::Value;

use crate::interrupt;

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
    /// Locked as long as this training is at work; the system unlocks it however the program ends.
    _lock: Option<File>,
}

impl RunFolder {
    /// The folder, made where it is missing; it has one training at a time.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(path).with_context(|| format!("{}: cannot make the folder", path.display()))?;
        // Some systems open no folders, and some file systems lock nothing: there, nobody is kept out.
        let lock = File::open(path).ok();
        if let Some(Err(TryLockError::WouldBlock)) = lock.as_ref().map(File::try_lock) {
            bail!("{}: another training is at work in this folder", path.display());
        }
        Ok(Self { path: path.to_path_buf(), _lock: lock })
    }

    pub(super) fn steps(&self) -> PathBuf {
        self.path.join("steps.csv")
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn model(&self) -> PathBuf {
        self.path.join("model.safetensors")
    }

    /// The files that a training writes and writes again.
    pub(super) fn outputs(&self) -> [PathBuf; 6] {
        let own = |name: &str| self.path.join(name);
        [self.model(), self.checkpoint(), own(METRICS), own(RECORD), own(CURVE), self.steps()]
    }

    /// The checkpoint of the training in a folder.
    pub(super) fn checkpoint_in(folder: &Path) -> PathBuf {
        folder.join("checkpoint.safetensors")
    }

    fn checkpoint(&self) -> PathBuf {
        Self::checkpoint_in(&self.path)
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
        write(&self.checkpoint(), bytes)
    }

    pub(super) fn write_model(&self, bytes: &[u8]) -> anyhow::Result<()> {
        write(&self.model(), bytes)
    }

    /// What was recorded of the training so far.
    pub(super) fn record(&self) -> Option<Value> {
        read_record(&self.path)
    }

    pub(super) fn write_record(&self, record: &Value) -> anyhow::Result<()> {
        let record = serde_json::to_string_pretty(record)? + "\n";
        write(&self.path.join(RECORD), record.as_bytes())
    }

    /// The curve as a table and as a picture; `sets` names the validation sets.
    pub(super) fn write_curve(&self, history: &[Epoch], expert: &str, sets: &[String]) -> anyhow::Result<()> {
        write(&self.path.join(METRICS), &metrics(history, sets)?)?;
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
        write(&self.path.join(CURVE), picture.as_bytes())
    }
}

/// The course of a training as a table: a row for each epoch, with the gap to each of several validation sets.
fn metrics(history: &[Epoch], sets: &[String]) -> anyhow::Result<Vec<u8>> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let sets = if sets.len() > 1 { sets } else { &[] };
    let own = ["epoch", "loss", "critic_loss", "cost", "gap", "mean_gap", "learning_rate", "seconds"]
        .map(String::from);
    let (own, seconds) = own.split_at(own.len() - 1);
    csv.write_record(
        own.iter().cloned().chain(sets.iter().map(|set| format!("gap {set}"))).chain(seconds.to_vec()),
    )?;
    for epoch in history {
        let critic = epoch.critic_loss.map_or_else(String::new, |loss| loss.to_string());
        let numbers = [epoch.cost, epoch.gap, epoch.mean_gap, epoch.learning_rate];
        let mut row = vec![epoch.epoch.to_string(), epoch.loss.to_string(), critic];
        row.extend(numbers.map(|number| number.to_string()));
        row.extend(
            (0..sets.len()).map(|set| epoch.gaps.get(set).map_or_else(String::new, ToString::to_string)),
        );
        row.push(epoch.seconds.to_string());
        csv.write_record(row)?;
    }
    Ok(csv.into_inner()?)
}

/// Writes a file; a stop waits until that is done.
fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    interrupt::unbroken(|| Ok(pfss_io::atomic::write(path, content)?))
}

/// The file of a model to start from, which may be given by its name.
pub(super) fn model_in(start: &Path) -> PathBuf {
    pfss::model_file(&start.to_string_lossy())
}
