//! The epochs of a training, whatever it trains: saved again and again, so that nothing is lost.

use std::path::Path;
use std::time::{Duration, Instant};

use pfss_neural::LabelledSet;
use pfss_training::{Epoch, Training, TrainingConfig};
use serde_json::Value;

use super::begun::Begun;
use super::labels;
use super::record::{best, earlier, take_earlier};
use super::run_folder::model_in;
use crate::exit::Exit;

/// Within an epoch, a checkpoint is written this often.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(30);

/// How the epochs of a training are run and told.
pub(super) struct Epochs<'a> {
    pub(super) begun: &'a Begun,
    /// The model that it started from.
    pub(super) start: Option<&'a Path>,
    /// The expert that validation compares with.
    pub(super) expert: &'a str,
    pub(super) validation: &'a [LabelledSet],
}

impl Epochs<'_> {
    /// Runs all epochs that are left. `record` tells what would give the model again, with the curve so far.
    pub(super) fn run<C: TrainingConfig>(
        &self,
        training: &mut Training<C>,
        record: impl Fn(&Training<C>) -> Value,
    ) -> anyhow::Result<Exit> {
        let (folder, console, expert) = (&self.begun.folder, self.begun.console, self.expert);
        // Read once, and kept when it goes on: a model that it started from may be trained on meanwhile.
        let earlier = match folder.record() {
            Some(mut own) => take_earlier(&mut own),
            None => self.start.map_or_else(Vec::new, |start| earlier(&model_in(start))),
        };
        let record = |training: &Training<C>| {
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
            let done = training.finish_epoch(self.validation)?.clone();
            // The model comes first: after a kill between the two, the epoch is repeated and gives the same one.
            if best(training.history()).map(|epoch| epoch.epoch) == Some(training.history().len()) {
                pfss_io::atomic::write(&folder.model(), &training.weights()?.to_bytes()?)?;
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
    fn epoch<C: TrainingConfig>(
        &self,
        training: &mut Training<C>,
        saved: &mut Instant,
    ) -> anyhow::Result<bool> {
        let label = format!("epoch {}", training.history().len() + 1);
        let bar = labels::bar(training.batches(), &label, self.begun.console);
        while training.batch() < training.batches() {
            if self.begun.cancel.is_cancelled() {
                return Ok(false);
            }
            training.step()?;
            if let Some(bar) = &bar {
                bar.set_position(training.batch() as u64);
            }
            if saved.elapsed() > CHECKPOINT_EVERY {
                self.begun.folder.write_checkpoint(&training.checkpoint()?)?;
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
