//! A training that begins, or goes on: its folder, its seed, and where it was interrupted.

use std::path::Path;

use anyhow::{Context, bail};
use pfss_core::CancelFlag;
use pfss_training::{Training, TrainingConfig, checkpoint_config, differences};
use serde_json::Value;

use super::label_plan::Surroundings;
use super::record::{earlier, take_earlier};
use super::run_folder::{RunFolder, model_in, read_record};
use crate::args::RunArgs;
use crate::commands::seed::seed_or_drawn;
use crate::console::Console;
use crate::gate::FileGate;
use crate::{date, interrupt};

/// A training's folder, seed and checkpoint, and how it is told to stop.
pub(super) struct Begun {
    pub(super) folder: RunFolder,
    pub(super) seed: u64,
    /// The day that it was begun on.
    pub(super) day: String,
    /// The records of the trainings that led to the model that it started from.
    pub(super) earlier: Vec<Value>,
    /// Where it was interrupted, if it was.
    pub(super) checkpoint: Option<Vec<u8>>,
    pub(super) cancel: CancelFlag,
    pub(super) console: Console,
}

/// The seed that was given, that of the training which is in the folder already, or a drawn one.
pub(super) fn seed(args: &RunArgs, console: Console) -> u64 {
    let kept = || {
        let checkpoint = std::fs::read(RunFolder::checkpoint_in(&args.output)).ok();
        let config = checkpoint.and_then(|bytes| checkpoint_config(&bytes));
        let record = || read_record(&args.output)?.get("seed")?.as_u64();
        config.and_then(|config| config.get("seed")?.as_u64()).or_else(record)
    };
    seed_or_drawn(args.seed.or_else(kept), console)
}

impl Begun {
    /// Opens the folder for the training with these settings.
    pub(super) fn open<C: TrainingConfig>(
        args: &RunArgs,
        inputs: &[&str],
        config: &C,
        seed: u64,
        console: Console,
    ) -> anyhow::Result<Self> {
        let folder = RunFolder::open(&args.output)?;
        let mut gate = FileGate::default();
        args.start.as_deref().map_or(Ok(()), |start| gate.reads(&model_in(start)))?;
        inputs.iter().try_for_each(|input| gate.reads(Path::new(input)))?;
        folder.outputs().iter().try_for_each(|file| gate.writes(file))?;
        let checkpoint = folder.read_checkpoint()?;
        let own = folder.record().filter(|record| is_of(record, config));
        if let Some(bytes) = &checkpoint {
            Training::check_checkpoint(config, bytes)
                .with_context(|| format!("{}: cannot go on", args.output.display()))?;
        } else {
            refuse_foreign(&folder, own.as_ref(), config, &args.output)?;
        }
        // What led to a model is kept when the training goes on: the one that it started from may be trained on meanwhile.
        let earlier = match (&args.start, own.clone()) {
            (None, _) => Vec::new(),
            (Some(_), Some(mut own)) => take_earlier(&mut own),
            (Some(start), None) => earlier(start),
        };
        let day = own.as_ref().and_then(|own| own.get("begun")?.as_str().map(String::from));
        let cancel = interrupt::install()?;
        interrupt::end_within(
            "interrupted in the middle of a step; the same command goes on from what was saved before it",
            console,
        );
        Ok(Self { folder, seed, day: day.unwrap_or_else(date::today), earlier, checkpoint, cancel, console })
    }

    /// How its labelling is told of and stopped.
    pub(super) fn around(&self) -> Surroundings<'_> {
        Surroundings { cancel: &self.cancel, console: self.console, hands: None }
    }
}

/// The settings of a record, where they are of this kind of training.
fn recorded<C: TrainingConfig>(record: &Value) -> Option<C> {
    serde_json::from_value(record.get("config")?.clone()).ok()
}

/// Whether a record is one of the training with these settings.
fn is_of<C: TrainingConfig>(record: &Value, config: &C) -> bool {
    recorded::<C>(record).is_some_and(|recorded| config.goes_on_from(&recorded))
}

/// A model without a checkpoint is replaced only where this training was ended between writing the two.
fn refuse_foreign<C: TrainingConfig>(
    folder: &RunFolder,
    own: Option<&Value>,
    config: &C,
    shown: &Path,
) -> anyhow::Result<()> {
    let has_epochs =
        |own: &Value| own.get("epochs").and_then(Value::as_array).is_some_and(|epochs| !epochs.is_empty());
    if !folder.model().exists() || own.is_some_and(|own| !has_epochs(own)) {
        return Ok(());
    }
    let shown = shown.display();
    if own.is_some() {
        bail!(
            "{shown}: holds the model of this training, but its checkpoint is gone, so that it would begin again; name another folder (--start {shown} goes on from its weights)"
        );
    }
    let why = match folder.record().as_ref().and_then(recorded::<C>) {
        Some(recorded) => format!(" ({})", differences(&recorded, config).join(", ")),
        None => String::new(),
    };
    bail!(
        "{shown}: holds the model of another training{why}, which this one would replace; name another folder"
    )
}
