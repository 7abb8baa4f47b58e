//! A training from the command line, whatever it trains.

use std::path::Path;

use anyhow::Context;
use pfss_neural::{LabelledSet, ModelConfig, ModelWeights};
use pfss_training::{Training, TrainingConfig};
use serde_json::{Value, json};

use super::begun::{self, Begun};
use super::epochs::Epochs;
use super::network::device;
use super::record::record;
use super::sample::Sample;
use super::watch::Guessing;
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

/// The name of the expert that validation compares with.
fn expert(validation: &[LabelledSet]) -> &str {
    let set = validation.first();
    set.and_then(|set| set.record().get("expert").and_then(Value::as_str)).unwrap_or("the expert")
}

/// What a set of instances is called in tables.
fn name(set: &LabelledSet) -> String {
    let recorded = Sample::recorded(set.record()).map(Sample::name);
    recorded.unwrap_or_else(|| format!("{}x{}", set.num_jobs(), set.num_machines()))
}

/// What one kind of training asks for. Whoever makes one has looked at all settings.
pub(super) trait Course: Sync {
    /// How such a policy is trained.
    type Config: TrainingConfig<Network: Sync> + Send;

    /// Where the training is kept and runs.
    fn run_args(&self) -> &RunArgs;

    /// The files of instances that it reads.
    fn inputs(&self) -> Vec<&str>;

    /// How it is trained; `start` tells the model that it starts from.
    fn config(&self, seed: u64, start: Option<String>) -> Self::Config;

    /// Fails for what could not be labelled.
    fn check(&self, seed: u64) -> anyhow::Result<()>;

    /// What is learnt from and measured on: that of the folder or of the command line; where it is missing, new
    /// instances. `None` when interrupted.
    fn prepare(&self, begun: &Begun) -> anyhow::Result<Option<Sets<Self::Config>>>;

    /// What begins, in a line.
    fn describe(&self, training: &Training<Self::Config>, sets: &Sets<Self::Config>) -> String;

    /// What only the record of this kind of training has; without `sets` as long as these are being made.
    fn record(&self, config: &Self::Config, sets: Option<&Sets<Self::Config>>) -> Value;

    /// What tells that the policy takes all jobs to be alike, where that is known.
    fn guessing(&self) -> Option<Guessing> {
        None
    }
}

/// Trains, from the beginning or from where it was interrupted.
pub(super) fn run<C: Course>(course: &C, console: Console) -> anyhow::Result<Exit> {
    let args = course.run_args();
    let console = console.with_progress(args.progress);
    // All that was asked for is looked at before anything is done or written.
    device(args.device)?;
    let start: Option<Start<C>> = args.start.as_deref().map(read_model).transpose()?;
    let seed = begun::seed(args, console);
    let config = course.config(seed, start.as_ref().map(ModelWeights::fingerprint));
    Training::check(&config)?;
    if let Some(weights) = &start {
        Training::start(&config, weights)?;
    }
    course.check(seed)?;
    let begun = Begun::open(args, &course.inputs(), &config, seed, console)?;
    let pool = thread_pool(args.threads)?;
    pool.install(|| train(course, config, start.as_ref(), &begun))
}

/// The model that a training starts from.
type Start<C> = ModelWeights<<<C as Course>::Config as TrainingConfig>::Network>;

fn train<C: Course>(
    course: &C,
    config: C::Config,
    start: Option<&Start<C>>,
    begun: &Begun,
) -> anyhow::Result<Exit> {
    let args = course.run_args();
    let told = |config: &C::Config, history: &[_], sets: Option<&Sets<C::Config>>| {
        let mut own = course.record(config, sets);
        if !begun.earlier.is_empty() {
            own["earlier"] = json!(begun.earlier);
        }
        record(args, begun.seed, &begun.day, config, history, own)
    };
    if begun.checkpoint.is_none() {
        // Whatever happens from now on, the same command goes on.
        begun.folder.write_record(&told(&config, &[], None))?;
    }
    let Some(sets) = course.prepare(begun)? else { return Ok(Exit::Interrupted) };
    let mut training = begin::<C>(args, config, start, begun, &sets)?;
    begun.folder.write_record(&told(training.config(), training.history(), Some(&sets)))?;
    let mut line = course.describe(&training, &sets);
    if begun.checkpoint.is_some() {
        line += &format!(", from epoch {} batch {}", training.history().len() + 1, training.batch());
    }
    begun.console.say(&line);
    let epochs = Epochs {
        begun,
        expert: expert(&sets.validation),
        names: sets.validation.iter().map(name).collect(),
        validation: &sets.validation,
        patience: args.patience.map(|epochs| epochs as usize),
        guessing: course.guessing(),
    };
    epochs.run(&mut training, |training| told(training.config(), training.history(), Some(&sets)))
}

/// The training before its next batch.
fn begin<C: Course>(
    args: &RunArgs,
    config: C::Config,
    start: Option<&Start<C>>,
    begun: &Begun,
    sets: &Sets<C::Config>,
) -> anyhow::Result<Training<C::Config>> {
    let device = device(args.device)?;
    if let Some(bytes) = &begun.checkpoint {
        return Training::resume(config, &sets.lessons, device, bytes)
            .with_context(|| format!("{}: cannot go on", args.output.display()));
    }
    let training = Training::new(config, &sets.lessons, device)?;
    Ok(match start {
        Some(weights) => training.with_start(weights)?,
        None => training,
    })
}

/// A model to start from: its name, a file, or the folder of a training.
fn read_model<C: ModelConfig>(start: &Path) -> anyhow::Result<ModelWeights<C>> {
    let (file, bytes) = pfss::model_content(&start.to_string_lossy())?;
    ModelWeights::from_bytes(&bytes).with_context(|| file.display().to_string())
}
