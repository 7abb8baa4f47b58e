//! A training from the command line, whatever it trains.

use std::path::Path;

use anyhow::Context;
use pfss_neural::{LabelledSet, ModelConfig, ModelWeights};
use pfss_training::{Training, TrainingConfig};
use serde_json::Value;

use super::begun::Begun;
use super::epochs::Epochs;
use super::network::device;
use super::record::record;
use crate::args::RunArgs;
use crate::commands::threads::thread_pool;
use crate::console::Console;
use crate::exit::Exit;

/// What a policy learns from and what it is measured on.
pub(super) struct Sets<C: TrainingConfig> {
    pub(super) lessons: C::Lessons,
    /// Each of one size.
    pub(super) validation: Vec<LabelledSet>,
}

impl<C: TrainingConfig> Sets<C> {
    /// The name of the expert that validation compares with.
    fn expert(&self) -> &str {
        let set = self.validation.first();
        set.and_then(|set| set.record().get("expert").and_then(Value::as_str)).unwrap_or("the expert")
    }
}

/// What one kind of training asks for.
pub(super) trait Course: Sync {
    /// How such a policy is trained.
    type Config: TrainingConfig;

    /// Where the training is kept and runs.
    fn run_args(&self) -> &RunArgs;

    /// What is learnt from and measured on: that of the folder or of the command line; where it is missing, new
    /// instances. `None` when interrupted.
    fn prepare(&self, begun: &Begun) -> anyhow::Result<Option<Sets<Self::Config>>>;

    /// How it is trained; `start` tells the model that it starts from.
    fn config(&self, seed: u64, start: Option<String>, sets: &Sets<Self::Config>) -> Self::Config;

    /// What begins, in a line.
    fn describe(&self, training: &Training<Self::Config>, sets: &Sets<Self::Config>) -> String;

    /// What only the record of this kind of training has.
    fn record(&self, training: &Training<Self::Config>, sets: &Sets<Self::Config>) -> Value;
}

/// Trains, from the beginning or from where it was interrupted.
pub(super) fn run(course: &impl Course, console: Console) -> anyhow::Result<Exit> {
    let begun = Begun::open(course.run_args(), console)?;
    let pool = thread_pool(course.run_args().threads)?;
    pool.install(|| train(course, &begun))
}

fn train<C: Course>(course: &C, begun: &Begun) -> anyhow::Result<Exit> {
    let Some(sets) = course.prepare(begun)? else {
        begun.console.warn("interrupted while labelling; nothing was trained");
        return Ok(Exit::Success);
    };
    let mut training = begin(course, begun, &sets)?;
    let mut told = course.describe(&training, &sets);
    if begun.checkpoint.is_some() {
        told += &format!(", from epoch {} batch {}", training.history().len() + 1, training.batch());
    }
    begun.console.say(&told);
    let epochs = Epochs {
        begun,
        start: course.run_args().start.as_deref(),
        expert: sets.expert(),
        validation: &sets.validation,
    };
    epochs.run(&mut training, |training| {
        record(course.run_args(), begun.seed, training, course.record(training, &sets))
    })
}

/// The training before its next batch.
fn begin<C: Course>(
    course: &C,
    begun: &Begun,
    sets: &Sets<C::Config>,
) -> anyhow::Result<Training<C::Config>> {
    let args = course.run_args();
    let start: Option<ModelWeights<<C::Config as TrainingConfig>::Network>> =
        args.start.as_deref().map(read_model).transpose()?;
    let config = course.config(begun.seed, start.as_ref().map(ModelWeights::fingerprint), sets);
    let device = device(args.device)?;
    if let Some(bytes) = &begun.checkpoint {
        return Training::resume(config, &sets.lessons, device, bytes)
            .with_context(|| format!("{}: cannot go on", args.output.display()));
    }
    let training = Training::new(config, &sets.lessons, device)?;
    Ok(match &start {
        Some(weights) => training.with_start(weights)?,
        None => training,
    })
}

/// A model to start from: its name, a file, or the folder of a training.
fn read_model<C: ModelConfig>(start: &Path) -> anyhow::Result<ModelWeights<C>> {
    let (file, bytes) = pfss::model_content(&start.to_string_lossy())?;
    ModelWeights::from_bytes(&bytes).with_context(|| file.display().to_string())
}
