//! `pfss train bc`: imitate an expert.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use pfss_core::CancelFlag;
use pfss_experiments::Provenance;
use pfss_neural::training::{BehaviourCloning, Device, Epoch, TrainingConfig};
use pfss_neural::{Aggregation, InputScale, LabelledSet, NetworkConfig, Normalization};
use serde_json::{Value, json};

use super::labels::{self, LabelPlan};
use super::run_folder::RunFolder;
use crate::args::{AggregationName, CloneArgs, DeviceName, NetworkArgs, NormalizationName, ScaleName};
use crate::commands::{seed_or_drawn, thread_pool};
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt;

/// Within an epoch, a checkpoint is written this often.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(30);

/// Trains, from the beginning or from where it was interrupted.
pub(super) fn run(args: &CloneArgs, console: Console) -> anyhow::Result<Exit> {
    let device = device(args.device)?;
    let folder = RunFolder::open(&args.output)?;
    let checkpoint = folder.read_checkpoint()?;
    if checkpoint.is_some() && args.seed.is_none() {
        bail!(
            "{}: holds a training already; give its seed (-s, see training.json) to go on, or another folder",
            args.output.display()
        );
    }
    let seed = seed_or_drawn(args.seed, console);
    let cancel = interrupt::install()?;
    let pool = thread_pool(args.threads)?;
    pool.install(|| train(args, seed, device, &folder, checkpoint.as_deref(), &cancel, console))
}

fn train(
    args: &CloneArgs,
    seed: u64,
    device: Device,
    folder: &RunFolder,
    checkpoint: Option<&[u8]>,
    cancel: &CancelFlag,
    console: Console,
) -> anyhow::Result<Exit> {
    let Some(sets) = Sets::prepare(args, seed, folder, cancel, console)? else {
        console.warn("interrupted while labelling; nothing was trained");
        return Ok(Exit::Success);
    };
    let config = TrainingConfig {
        epochs: args.epochs,
        batch_size: args.batch,
        learning_rate: args.learning_rate,
        decay: args.decay,
        gradient_clip: args.gradient_clip,
        ..TrainingConfig::new(network(&args.network, sets.training.num_machines()), seed)
    };
    let mut training = match checkpoint {
        Some(bytes) => BehaviourCloning::resume(config, &sets.training, device, bytes)
            .with_context(|| format!("{}: cannot go on", args.output.display()))?,
        None => BehaviourCloning::new(config, &sets.training, device)?,
    };
    console.say(&format!(
        "{} parameters, {} instances of {} jobs and {} machines, {} epochs of {} batches{}",
        training.config().network.num_parameters(),
        sets.training.items().len(),
        sets.training.num_jobs(),
        sets.training.num_machines(),
        training.config().epochs,
        training.batches(),
        if checkpoint.is_some() {
            format!(", from epoch {} batch {}", training.history().len() + 1, training.batch())
        } else {
            String::new()
        }
    ));
    let expert = sets.expert();
    let mut saved = Instant::now();
    while !training.is_finished() {
        if !epoch(&mut training, folder, cancel, &mut saved, console)? {
            folder.write_checkpoint(&training.checkpoint()?)?;
            console.warn("interrupted: saved; the same command goes on from here");
            return Ok(Exit::Success);
        }
        let done = training.finish_epoch(&sets.validation)?.clone();
        // The model comes first: after a kill between the two, the epoch is repeated and gives the same one.
        if is_best(training.history()) {
            pfss_io::atomic::write(&folder.model(), &training.weights()?.to_bytes()?)?;
        }
        folder.write_checkpoint(&training.checkpoint()?)?;
        saved = Instant::now();
        folder.write_curve(training.history(), &expert, &record(args, seed, &training, &sets))?;
        console.say(&format!(
            "epoch {:>3}  loss {:.4}  makespan {:.4}  gap to {expert} {:+.3} %  {:.2} s",
            done.epoch, done.loss, done.makespan, done.gap, done.seconds
        ));
    }
    folder.write_curve(training.history(), &expert, &record(args, seed, &training, &sets))?;
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
fn epoch(
    training: &mut BehaviourCloning,
    folder: &RunFolder,
    cancel: &CancelFlag,
    saved: &mut Instant,
    console: Console,
) -> anyhow::Result<bool> {
    let bar = labels::bar(training.batches(), &format!("epoch {}", training.history().len() + 1), console);
    while training.batch() < training.batches() {
        if cancel.is_cancelled() {
            return Ok(false);
        }
        training.step();
        if let Some(bar) = &bar {
            bar.set_position(training.batch() as u64);
        }
        if saved.elapsed() > CHECKPOINT_EVERY {
            folder.write_checkpoint(&training.checkpoint()?)?;
            *saved = Instant::now();
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok(true)
}

/// The first epoch with the least gap.
fn best(history: &[Epoch]) -> Option<&Epoch> {
    history.iter().min_by(|a, b| a.gap.total_cmp(&b.gap).then(a.epoch.cmp(&b.epoch)))
}

fn is_best(history: &[Epoch]) -> bool {
    best(history).map(|epoch| epoch.epoch) == Some(history.len())
}

/// What a policy learns from and what it is measured on.
struct Sets {
    training: LabelledSet,
    validation: LabelledSet,
}

impl Sets {
    /// Those of the folder or of the command line; where they are missing, new ones. `None` when interrupted.
    fn prepare(
        args: &CloneArgs,
        seed: u64,
        folder: &RunFolder,
        cancel: &CancelFlag,
        console: Console,
    ) -> anyhow::Result<Option<Self>> {
        let make =
            |stream: &str, count: usize, file: std::path::PathBuf, sample: &crate::args::SampleArgs| {
                let plan = LabelPlan { sample, expert: &args.expert, count, seed };
                if file.exists() {
                    let set = labels::read(&file)?;
                    if *set.record() != plan.record(stream)? {
                        bail!(
                            "{}: these instances were made with other settings; train in another folder",
                            file.display()
                        );
                    }
                    return Ok(Some(set));
                }
                let Some(set) = plan.label(stream, cancel, console)? else { return Ok(None) };
                pfss_io::atomic::write(&file, &set.to_bytes()?)?;
                Ok(Some(set))
            };
        let mut sample = args.sample.clone();
        let training = match &args.labels {
            Some(path) => {
                let set = labels::read(path)?;
                // Validation instances of the same size.
                (sample.jobs, sample.machines) = (set.num_jobs(), set.num_machines());
                Some(set)
            }
            None => make("training", args.instances, folder.labels(), &sample)?,
        };
        let Some(training) = training else { return Ok(None) };
        let validation = make("validation", args.validation, folder.validation(), &sample)?;
        Ok(validation.map(|validation| Self { training, validation }))
    }

    /// The name of the expert that validation compares with.
    fn expert(&self) -> String {
        self.validation.record().get("expert").and_then(Value::as_str).unwrap_or("the expert").to_string()
    }
}

/// What would give the model again, and how it went.
fn record(args: &CloneArgs, seed: u64, training: &BehaviourCloning, sets: &Sets) -> Value {
    let provenance = Provenance::here(env!("PFSS_COMMIT"));
    let command: Vec<String> = std::env::args().skip(1).collect();
    json!({
        "command": format!("pfss {}", command.join(" ")),
        "version": provenance.version,
        "commit": provenance.commit,
        "cpu": provenance.cpu,
        "device": format!("{:?}", args.device).to_lowercase(),
        "seed": seed,
        "config": training.config(),
        "parameters": training.config().network.num_parameters(),
        "training": sets.training.record(),
        "training_makespan": sets.training.mean_makespan(),
        "validation": sets.validation.record(),
        "validation_makespan": sets.validation.mean_makespan(),
        "best": best(training.history()),
        "epochs": training.history(),
    })
}

fn network(args: &NetworkArgs, num_machines: usize) -> NetworkConfig {
    NetworkConfig {
        width: args.width,
        layers: args.layers,
        heads: args.heads,
        aggregation: match args.aggregation {
            AggregationName::Mean => Aggregation::Mean,
            AggregationName::Sum => Aggregation::Sum,
            AggregationName::Max => Aggregation::Max,
        },
        normalization: match args.normalization {
            NormalizationName::Batch => Normalization::Batch,
            NormalizationName::Layer => Normalization::Layer,
            NormalizationName::None => Normalization::None,
        },
        scale: match args.input_scale {
            ScaleName::Raw => InputScale::Raw,
            ScaleName::Mean => InputScale::Mean,
        },
        ..NetworkConfig::new(num_machines)
    }
}

fn device(name: DeviceName) -> anyhow::Result<Device> {
    match name {
        DeviceName::Cpu => Ok(Device::Cpu),
        #[cfg(feature = "cuda")]
        DeviceName::Cuda => Ok(Device::Cuda),
        #[cfg(not(feature = "cuda"))]
        DeviceName::Cuda => {
            bail!("this build trains on the processor only; build with `--features cuda` for an NVIDIA GPU")
        }
    }
}
