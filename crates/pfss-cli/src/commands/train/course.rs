//! A training from the command line: `pfss train bc` imitates an expert, `pfss train ac` learns by trial.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use pfss_core::{CancelFlag, Seed};
use pfss_neural::training::{CostScale, Fresh, Lessons, Method, Training, TrainingConfig, TrainingError};
use pfss_neural::{LabelledSet, Weights};
use serde_json::{Value, json};

use super::labels::{self, LabelPlan};
use super::learning::{Begun, Epochs, read_model, record};
use super::network::{device, network};
use super::run_folder::RunFolder;
use super::sample::Sample;
use crate::args::{CourseArgs, ProblemName};
use crate::commands::threads::thread_pool;
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt;

/// What a policy is to learn from.
#[derive(Clone, Copy)]
pub(super) enum Lesson<'a> {
    /// An expert's orders: of these labelled instances, or of some that are drawn.
    Expert { labels: Option<&'a Path> },
    /// What its own orders cost.
    Trial { cost: CostScale },
}

/// Trains, from the beginning or from where it was interrupted.
pub(super) fn run(args: &CourseArgs, lesson: Lesson<'_>, console: Console) -> anyhow::Result<Exit> {
    let Begun { folder, seed, checkpoint } = Begun::open(&args.run, console)?;
    let cancel = interrupt::install()?;
    let pool = thread_pool(args.run.threads)?;
    let course = Course { args, lesson, seed, folder, cancel, console };
    pool.install(|| course.train(checkpoint.as_deref()))
}

/// A training and all that it needs.
struct Course<'a> {
    args: &'a CourseArgs,
    lesson: Lesson<'a>,
    seed: u64,
    folder: RunFolder,
    cancel: CancelFlag,
    console: Console,
}

impl Course<'_> {
    fn train(&self, checkpoint: Option<&[u8]>) -> anyhow::Result<Exit> {
        let Some(sets) = self.prepare()? else {
            self.console.warn("interrupted while labelling; nothing was trained");
            return Ok(Exit::Success);
        };
        let mut training = self.begin(&sets, checkpoint)?;
        let epochs = Epochs {
            folder: &self.folder,
            start: self.args.run.start.as_deref(),
            cancel: &self.cancel,
            console: self.console,
            expert: &sets.expert(),
            validation: std::slice::from_ref(&sets.validation),
        };
        epochs.run(&mut training, |training| self.record(training, &sets))
    }

    fn begin(&self, sets: &Sets, checkpoint: Option<&[u8]>) -> anyhow::Result<Training> {
        let args = self.args;
        let (problem, width) = (ProblemName::of(&sets.validation), sets.validation.num_machines());
        let start = args.run.start.as_deref().map(read_start).transpose()?;
        let (method, cost) = match self.lesson {
            Lesson::Expert { .. } => (Method::BehaviourCloning, CostScale::default()),
            Lesson::Trial { cost } => (Method::ActorCritic, cost),
        };
        let config = TrainingConfig {
            start: start.as_ref().map(|(fingerprint, _)| fingerprint.clone()),
            method,
            cost,
            epochs: args.epochs,
            batch_size: args.batch,
            learning_rate: args.learning_rate,
            decay: args.decay,
            gradient_clip: args.gradient_clip,
            ..TrainingConfig::new(network(&args.network, problem.kind(), width), self.seed)
        };
        let device = device(args.run.device)?;
        let lessons = sets.lessons();
        let training = match checkpoint {
            Some(bytes) => Training::resume(config, &lessons, device, bytes)
                .with_context(|| format!("{}: cannot go on", args.run.output.display()))?,
            None => {
                let training = Training::new(config, &lessons, device)?;
                match &start {
                    Some((_, weights)) => training.with_start(weights)?,
                    None => training,
                }
            }
        };
        self.console.say(&format!(
            "{} parameters, {} instances of {}, {} epochs of {} batches{}",
            training.config().network.num_parameters(),
            sets.len(),
            match problem {
                ProblemName::FlowShop => format!("{} jobs and {width} machines", sets.validation.num_jobs()),
                #[cfg(feature = "tsp")]
                ProblemName::Tsp => format!("{} cities", sets.validation.num_jobs()),
            },
            training.config().epochs,
            training.batches(),
            if checkpoint.is_some() {
                format!(", from epoch {} batch {}", training.history().len() + 1, training.batch())
            } else {
                String::new()
            }
        ));
        Ok(training)
    }

    /// What is learnt from and measured on: that of the folder or of the command line; where it is missing, new
    /// instances. `None` when interrupted.
    fn prepare(&self) -> anyhow::Result<Option<Sets>> {
        let mut sample = Sample::of(&self.args.sample)?;
        let lessons = match self.lesson {
            Lesson::Trial { .. } => Source::Fresh(self.fresh(sample)),
            Lesson::Expert { labels: Some(path) } => {
                let set = labels::read(path)?;
                let asked = &self.args.sample;
                for (option, given, has) in
                    [("-n", asked.jobs, set.num_jobs()), ("-m", asked.machines, set.num_machines())]
                {
                    if given.is_some_and(|given| given != has) {
                        bail!("{option} is not used with --labels: {} has {has}", path.display());
                    }
                }
                // Validation instances of the same size.
                sample = sample.resized(set.num_jobs(), set.num_machines());
                Source::Labelled(set)
            }
            Lesson::Expert { labels: None } => {
                match self.labelled("training", sample, self.args.instances, &self.folder.labels())? {
                    Some(set) => Source::Labelled(set),
                    None => return Ok(None),
                }
            }
        };
        let file = self.folder.validation();
        let validation = self.labelled("validation", sample, self.args.validation, &file)?;
        Ok(validation.map(|validation| Sets { lessons, validation }))
    }

    /// Instances with the expert's orders, from the file where it exists; `None` when interrupted.
    fn labelled(
        &self,
        stream: &str,
        sample: Sample,
        count: usize,
        file: &Path,
    ) -> anyhow::Result<Option<LabelledSet>> {
        let plan = LabelPlan { sample, expert: &self.args.expert, count, seed: self.seed };
        plan.read_or_label(stream, file, &self.cancel, self.console)
    }

    /// Instances that are drawn when they are needed.
    fn fresh(&self, sample: Sample) -> Fresh {
        let seed = Seed::new(self.seed).child("fresh");
        let draw = move |index: u64| {
            sample.draw(seed, index).map_err(|error| TrainingError::Draw { reason: format!("{error:#}") })
        };
        let description = json!({ "sample": sample.record(), "seed": self.seed }).to_string();
        Fresh { draw: Arc::new(draw), instances: self.args.instances, description }
    }

    /// What would give the model again, and how it went.
    fn record(&self, training: &Training, sets: &Sets) -> Value {
        let config = training.config();
        let mut own = json!({
            "config": config,
            "parameters": config.network.num_parameters(),
            "training": sets.record(),
            "validation": sets.validation.record(),
            "validation_cost": sets.validation.mean_cost(),
        });
        if config.method == Method::ActorCritic {
            own["critic_parameters"] = json!(config.network.num_critic_parameters());
        }
        record(&self.args.run, self.seed, training.history(), own)
    }
}

/// A model to start from, and what tells it from others.
fn read_start(path: &Path) -> anyhow::Result<(String, Weights)> {
    let (file, bytes) = read_model(path)?;
    let weights = Weights::from_bytes(&bytes).with_context(|| file.display().to_string())?;
    Ok((weights.fingerprint(), weights))
}

/// What a policy learns from.
enum Source {
    Labelled(LabelledSet),
    Fresh(Fresh),
}

/// What a policy learns from and what it is measured on.
struct Sets {
    lessons: Source,
    validation: LabelledSet,
}

impl Sets {
    fn lessons(&self) -> Lessons<'_> {
        match &self.lessons {
            Source::Labelled(set) => Lessons::Labelled(set),
            Source::Fresh(fresh) => Lessons::Fresh(fresh),
        }
    }

    /// How many instances an epoch has.
    fn len(&self) -> usize {
        match &self.lessons {
            Source::Labelled(set) => set.items().len(),
            Source::Fresh(fresh) => fresh.instances,
        }
    }

    fn record(&self) -> Value {
        match &self.lessons {
            Source::Labelled(set) => {
                let mut record = set.record().clone();
                record.insert("cost".to_string(), json!(set.mean_cost()));
                Value::Object(record)
            }
            Source::Fresh(fresh) => json!({ "fresh": fresh.description, "count": fresh.instances }),
        }
    }

    /// The name of the expert that validation compares with.
    fn expert(&self) -> String {
        self.validation.record().get("expert").and_then(Value::as_str).unwrap_or("the expert").to_string()
    }
}
