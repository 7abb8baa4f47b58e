//! `pfss train bc` imitates an expert; `ac`, `pomo` and `self-labelling` learn by trial.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use pfss_core::Seed;
use pfss_training::{
    CostScale, Fresh, Method, PolicyLessons, PolicyTraining, PolicyTrainingConfig, TrainingError,
};
use serde_json::{Value, json};

use super::begun::Begun;
use super::course::{Course, Sets};
use super::curriculum::{Chapter, Curriculum, Labelled};
use super::lot::{Given, Held, Lot};
use super::network::network;
use super::sample::Sample;
use super::watch::Guessing;
use crate::args::{CourseArgs, ProblemName, RunArgs};
use crate::console::Console;

/// How many instances each epoch is measured on, where nobody says it.
const MEASURED: usize = 1_000;

/// What a policy is to learn from.
#[derive(Clone, Copy)]
pub(super) enum Lesson<'a> {
    /// An expert's orders: of these labelled instances, or of some that are drawn or given.
    Expert { labels: Option<&'a Path> },
    /// What its own orders cost, so many of each instance.
    Trial { method: Method, cost: CostScale, samples: usize },
}

/// The training of the paper's policy or of one of its rivals.
pub(super) struct PolicyCourse<'a> {
    args: &'a CourseArgs,
    lesson: Lesson<'a>,
    chapter: Chapter,
    /// Each is measured on.
    validation: Vec<Labelled>,
}

impl<'a> PolicyCourse<'a> {
    /// The training that the arguments ask for; what they name is read.
    pub(super) fn new(args: &'a CourseArgs, lesson: Lesson<'a>, console: Console) -> anyhow::Result<Self> {
        let curriculum = Curriculum {
            expert: &args.expert,
            count: args.instances,
            held: Held::of(&args.validation)?,
            measured: MEASURED,
            console,
        };
        let chapter = match (lesson, &args.given[..]) {
            (Lesson::Expert { labels: Some(path) }, _) => curriculum.labels(path, Some(&args.sample))?,
            (_, []) => curriculum.drawn(Sample::of(&args.sample)?),
            (_, given) => match &Given::read(given, console)?[..] {
                [all] => curriculum.given(all.clone())?,
                _ => bail!(
                    "--instances: a network of this kind learns from one size at a time, and at least one instance is needed; `train front` takes several sizes"
                ),
            },
        };
        let (problem, _, machines) = chapter.lessons.shape();
        let files = curriculum.files()?;
        for other in files.iter().flatten().map(Labelled::shape) {
            if (other.0, other.2) != (problem, machines) {
                bail!(
                    "--validation: holds instances of {} machines, but the policy is for {machines}",
                    other.2
                );
            }
        }
        Ok(Self { args, lesson, chapter, validation: files.unwrap_or_default() })
    }

    /// What is measured on.
    fn validation(&self) -> &[Labelled] {
        match &self.validation[..] {
            [] => std::slice::from_ref(&self.chapter.validation),
            files => files,
        }
    }

    /// Instances that are drawn when they are needed, or given ones again and again.
    fn fresh(&self, begun: &Begun) -> Fresh {
        let (number, lot, cancel) = (begun.seed, self.chapter.lot.clone(), begun.cancel.clone());
        let (sample, instances) = match &lot {
            Lot::Drawn(sample) => (sample.words(), self.args.instances),
            Lot::Given(given) => (lot.record().unwrap_or_default(), given.len()),
        };
        let seed = Seed::new(number).child("fresh");
        let draw = move |index: u64| match cancel.is_cancelled() {
            true => Err(TrainingError::Interrupted),
            false => lot
                .instance(seed, index)
                .map_err(|error| TrainingError::Draw { reason: format!("{error:#}") }),
        };
        let description = json!({ "sample": sample, "seed": number }).to_string();
        Fresh { draw: Arc::new(draw), instances, description }
    }
}

impl Course for PolicyCourse<'_> {
    type Config = PolicyTrainingConfig;

    fn run_args(&self) -> &RunArgs {
        &self.args.run
    }

    fn inputs(&self) -> Vec<&str> {
        self.args.given.iter().chain(&self.args.validation).map(String::as_str).collect()
    }

    fn check(&self, seed: u64) -> anyhow::Result<()> {
        let (_, jobs, _) = self.chapter.lessons.shape();
        if jobs < 2 {
            bail!("instances of {jobs} jobs teach nothing; at least 2 are needed");
        }
        // Without an expert, only validation is labelled; but instances are drawn all the same.
        self.chapter.lessons.check(seed)?;
        self.validation().iter().try_for_each(|set| set.check(seed))
    }

    fn prepare(&self, begun: &Begun) -> anyhow::Result<Option<Sets<PolicyTrainingConfig>>> {
        let seed = begun.seed;
        let lessons = match self.lesson {
            Lesson::Trial { .. } => PolicyLessons::Fresh(self.fresh(begun)),
            Lesson::Expert { .. } => {
                match self.chapter.lessons.prepared("training", "labels.safetensors", seed, begun)? {
                    Some(set) => PolicyLessons::Labelled(set),
                    None => return Ok(None),
                }
            }
        };
        let mut validation = Vec::new();
        for (index, set) in self.validation().iter().enumerate() {
            let number = if index == 0 { String::new() } else { format!("-{index}") };
            let file = format!("validation{number}.safetensors");
            match set.prepared("validation", &file, seed, begun)? {
                Some(set) => validation.push(set),
                None => return Ok(None),
            }
        }
        Ok(Some(Sets { lessons, validation }))
    }

    fn config(&self, seed: u64, start: Option<String>) -> PolicyTrainingConfig {
        let args = self.args;
        let (problem, _, machines) = self.chapter.lessons.shape();
        let (method, cost, samples) = match self.lesson {
            Lesson::Expert { .. } => (Method::BehaviourCloning, CostScale::default(), 0),
            Lesson::Trial { method, cost, samples } => (method, cost, samples),
        };
        PolicyTrainingConfig {
            start,
            method,
            cost,
            samples,
            epochs: args.epochs,
            batch_size: args.batch,
            learning_rate: args.learning_rate,
            decay: args.decay,
            gradient_clip: args.gradient_clip,
            ..PolicyTrainingConfig::new(network(&args.network, problem.kind(), machines), seed)
        }
    }

    fn describe(&self, training: &PolicyTraining, sets: &Sets<PolicyTrainingConfig>) -> String {
        let (problem, jobs, machines) = self.chapter.lessons.shape();
        let size = match problem {
            ProblemName::FlowShop => format!("{jobs} jobs and {machines} machines"),
            #[cfg(feature = "tsp")]
            ProblemName::Tsp => format!("{jobs} cities"),
        };
        format!(
            "{} parameters, {} instances of {size}, {} epochs of {} batches",
            training.config().network.num_parameters(),
            sets.lessons.num_instances(),
            training.config().epochs,
            training.batches(),
        )
    }

    fn record(&self, config: &PolicyTrainingConfig, sets: Option<&Sets<PolicyTrainingConfig>>) -> Value {
        let mut own = json!({ "parameters": config.network.num_parameters() });
        if let Some(count) = config.num_critic_parameters() {
            own["critic_parameters"] = json!(count);
        }
        let Some(sets) = sets else { return own };
        own["training"] = match &sets.lessons {
            PolicyLessons::Labelled(set) => {
                let mut record = set.record().clone();
                record.insert("cost".to_string(), json!(set.mean_cost()));
                Value::Object(record)
            }
            PolicyLessons::Fresh(fresh) => json!({ "fresh": fresh.description, "count": fresh.instances }),
        };
        if let Some((first, others)) = sets.validation.split_first() {
            own["validation"] = json!(first.record());
            own["validation_cost"] = json!(first.mean_cost());
            if !others.is_empty() {
                own["more_validation"] = others.iter().map(|set| json!(set.record())).collect();
            }
        }
        own
    }

    fn guessing(&self) -> Option<Guessing> {
        let (_, jobs, _) = self.chapter.lessons.shape();
        Some(Guessing::new(jobs, matches!(self.lesson, Lesson::Trial { .. })))
    }
}
