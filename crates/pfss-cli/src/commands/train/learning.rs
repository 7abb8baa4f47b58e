//! The epochs of a training, whatever it trains: saved again and again, so that nothing is lost.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use pfss_core::CancelFlag;
use pfss_experiments::Provenance;
use pfss_neural::LabelledSet;
use pfss_neural::training::{Epoch, Training, TrainingError};
use serde_json::{Value, json};

use super::labels;
use super::network::device;
use super::run_folder::{RunFolder, read_record};
use crate::args::RunArgs;
use crate::commands::seed::seed_or_drawn;
use crate::console::Console;
use crate::exit::Exit;

/// Within an epoch, a checkpoint is written this often.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(30);

/// A training of any kind of policy.
pub(super) trait Learning {
    fn history(&self) -> &[Epoch];
    fn is_finished(&self) -> bool;
    /// Batches of this epoch that are done, and all of them.
    fn progress(&self) -> (usize, usize);
    fn step(&mut self) -> Result<(), TrainingError>;
    fn finish_epoch(&mut self, validation: &[LabelledSet]) -> Result<Epoch, TrainingError>;
    fn checkpoint(&self) -> Result<Vec<u8>, TrainingError>;
    /// The policy as it is now, as a file's content.
    fn model(&self) -> Result<Vec<u8>, TrainingError>;
}

impl Learning for Training {
    fn history(&self) -> &[Epoch] {
        self.history()
    }

    fn is_finished(&self) -> bool {
        self.is_finished()
    }

    fn progress(&self) -> (usize, usize) {
        (self.batch(), self.batches())
    }

    fn step(&mut self) -> Result<(), TrainingError> {
        self.step()
    }

    fn finish_epoch(&mut self, validation: &[LabelledSet]) -> Result<Epoch, TrainingError> {
        match validation {
            [set] => Ok(self.finish_epoch(set)?.clone()),
            _ => Err(pfss_neural::DatasetError::Empty.into()),
        }
    }

    fn checkpoint(&self) -> Result<Vec<u8>, TrainingError> {
        self.checkpoint()
    }

    fn model(&self) -> Result<Vec<u8>, TrainingError> {
        Ok(self.weights()?.to_bytes()?)
    }
}

/// A training's folder, seed and checkpoint.
pub(super) struct Begun {
    pub(super) folder: RunFolder,
    pub(super) seed: u64,
    /// Where it was interrupted, if it was.
    pub(super) checkpoint: Option<Vec<u8>>,
}

impl Begun {
    /// Opens the folder. A training that is there already is only gone on with when its seed is given.
    pub(super) fn open(args: &RunArgs, console: Console) -> anyhow::Result<Self> {
        device(args.device)?;
        let folder = RunFolder::open(&args.output)?;
        let checkpoint = folder.read_checkpoint()?;
        if checkpoint.is_some() && args.seed.is_none() {
            bail!(
                "{}: holds a training already; give its seed (-s, see training.json) to go on, or another folder",
                args.output.display()
            );
        }
        Ok(Self { folder, seed: seed_or_drawn(args.seed, console), checkpoint })
    }
}

/// What would give a model again, and how it went: `own` is what only this kind of training has.
pub(super) fn record(args: &RunArgs, seed: u64, history: &[Epoch], own: Value) -> Value {
    let provenance = Provenance::here(env!("PFSS_COMMIT"));
    let command: Vec<String> = std::env::args().skip(1).collect();
    let mut record = json!({
        "command": format!("pfss {}", command.join(" ")),
        "version": provenance.version,
        "commit": provenance.commit,
        "cpu": provenance.cpu,
        "device": format!("{:?}", args.device).to_lowercase(),
        "seed": seed,
        "best": best(history),
        "epochs": history,
    });
    if let (Value::Object(record), Value::Object(own)) = (&mut record, own) {
        record.extend(own);
    }
    record
}

/// The records of the trainings that led to a model, the first one first, where they lie beside it.
fn earlier(start: &Path) -> Vec<Value> {
    let folder = if start.is_dir() { Some(start) } else { start.parent() };
    let Some(mut last) = folder.and_then(read_record) else { return Vec::new() };
    let mut records = take_earlier(&mut last);
    records.push(last);
    records
}

/// Takes what a record tells of the trainings before it.
fn take_earlier(record: &mut Value) -> Vec<Value> {
    match record.as_object_mut().and_then(|record| record.remove("earlier")) {
        Some(Value::Array(records)) => records,
        _ => Vec::new(),
    }
}

/// The content of a model to start from: a file, or the folder of a training.
pub(super) fn read_model(path: &Path) -> anyhow::Result<(PathBuf, Vec<u8>)> {
    let file = if path.is_dir() { path.join("model.safetensors") } else { path.to_path_buf() };
    let bytes = std::fs::read(&file).with_context(|| format!("{}: cannot read", file.display()))?;
    Ok((file, bytes))
}

/// How the epochs of a training are run and told.
pub(super) struct Epochs<'a> {
    pub(super) folder: &'a RunFolder,
    /// The model that it started from.
    pub(super) start: Option<&'a Path>,
    pub(super) cancel: &'a CancelFlag,
    pub(super) console: Console,
    /// The expert that validation compares with.
    pub(super) expert: &'a str,
    pub(super) validation: &'a [LabelledSet],
}

impl Epochs<'_> {
    /// Runs all epochs that are left. `record` tells what would give the model again, with the curve so far.
    pub(super) fn run<L: Learning>(
        &self,
        training: &mut L,
        record: impl Fn(&L) -> Value,
    ) -> anyhow::Result<Exit> {
        let (folder, console, expert) = (self.folder, self.console, self.expert);
        // Read once, and kept when it goes on: a model that it started from may be trained on meanwhile.
        let earlier = match folder.record() {
            Some(mut own) => take_earlier(&mut own),
            None => self.start.map_or_else(Vec::new, earlier),
        };
        let record = |training: &L| {
            let mut record = record(training);
            if let (Value::Object(record), false) = (&mut record, earlier.is_empty()) {
                record.insert("earlier".to_string(), earlier.clone().into());
            }
            record
        };
        let mut saved = Instant::now();
        while !training.is_finished() {
            if !self.epoch(training, &mut saved)? {
                folder.write_checkpoint(&training.checkpoint()?)?;
                console.warn("interrupted: saved; the same command goes on from here");
                return Ok(Exit::Success);
            }
            let done = training.finish_epoch(self.validation)?;
            // The model comes first: after a kill between the two, the epoch is repeated and gives the same one.
            if best(training.history()).map(|epoch| epoch.epoch) == Some(training.history().len()) {
                pfss_io::atomic::write(&folder.model(), &training.model()?)?;
            }
            folder.write_checkpoint(&training.checkpoint()?)?;
            saved = Instant::now();
            folder.write_curve(training.history(), expert, &record(training))?;
            console.say(&describe(&done, expert));
        }
        folder.write_curve(training.history(), expert, &record(training))?;
        if let Some(best) = best(training.history()) {
            console.say(&format!(
                "best: epoch {}, gap to {expert} {:+.3} %, in {}",
                best.epoch,
                best.gap,
                folder.model().display()
            ));
        }
        Ok(Exit::Success)
    }

    /// The batches of an epoch; false when it was interrupted.
    fn epoch(&self, training: &mut impl Learning, saved: &mut Instant) -> anyhow::Result<bool> {
        let label = format!("epoch {}", training.history().len() + 1);
        let bar = labels::bar(training.progress().1, &label, self.console);
        while training.progress().0 < training.progress().1 {
            if self.cancel.is_cancelled() {
                return Ok(false);
            }
            training.step()?;
            if let Some(bar) = &bar {
                bar.set_position(training.progress().0 as u64);
            }
            if saved.elapsed() > CHECKPOINT_EVERY {
                self.folder.write_checkpoint(&training.checkpoint()?)?;
                *saved = Instant::now();
            }
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        Ok(true)
    }
}

/// An epoch in a line.
fn describe(epoch: &Epoch, expert: &str) -> String {
    let critic = epoch.critic_loss.map_or_else(String::new, |loss| format!("  critic {loss:.5}"));
    format!(
        "epoch {:>3}  loss {:.4}{critic}  cost {:.4}  gap to {expert} {:+.3} %  {:.2} s",
        epoch.epoch, epoch.loss, epoch.cost, epoch.gap, epoch.seconds
    )
}

/// The first epoch with the least gap.
fn best(history: &[Epoch]) -> Option<&Epoch> {
    history.iter().min_by(|a, b| a.gap.total_cmp(&b.gap).then(a.epoch.cmp(&b.epoch)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_tell_all_trainings_before() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(earlier(folder.path()), Vec::<Value>::new());
        let file = folder.path().join("training.json");
        std::fs::write(&file, r#"{"seed": 3, "earlier": [{"seed": 1}, {"seed": 2}]}"#).unwrap();
        let all = vec![json!({"seed": 1}), json!({"seed": 2}), json!({"seed": 3})];
        assert_eq!(earlier(folder.path()), all);
        assert_eq!(earlier(&folder.path().join("model.safetensors")), all);
        std::fs::write(&file, "no record").unwrap();
        assert_eq!(earlier(folder.path()), Vec::<Value>::new());
    }
}
