//! `pfss train bc` imitates an expert, `pfss train ac` learns by trial.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use pfss_core::Seed;
use pfss_neural::LabelledSet;
use pfss_training::{
    CostScale, Fresh, Method, PolicyLessons, PolicyTraining, PolicyTrainingConfig, TrainingError,
};
use serde_json::{Value, json};

use super::begun::Begun;
use super::course::{Course, Sets};
use super::labels::{self, LabelPlan};
use super::network::network;
use super::sample::Sample;
use crate::args::{CourseArgs, ProblemName, RunArgs};

/// What a policy is to learn from.
#[derive(Clone, Copy)]
pub(super) enum Lesson<'a> {
    /// An expert's orders: of these labelled instances, or of some that are drawn.
    Expert { labels: Option<&'a Path> },
    /// What its own orders cost.
    Trial { cost: CostScale },
}

/// The training of the paper's policy or of one of its rivals.
pub(super) struct PolicyCourse<'a> {
    pub(super) args: &'a CourseArgs,
    pub(super) lesson: Lesson<'a>,
}

impl PolicyCourse<'_> {
    /// Instances with the expert's orders, from the file where it exists; `None` when interrupted.
    fn labelled(
        &self,
        begun: &Begun,
        stream: &str,
        sample: Sample,
        count: usize,
        file: &Path,
    ) -> anyhow::Result<Option<LabelledSet>> {
        let plan = LabelPlan { sample, expert: &self.args.expert, count, seed: begun.seed };
        plan.read_or_label(stream, file, &begun.cancel, begun.console)
    }

    /// Instances that are drawn when they are needed.
    fn fresh(&self, number: u64, sample: Sample) -> Fresh {
        let seed = Seed::new(number).child("fresh");
        let draw = move |index: u64| {
            sample.draw(seed, index).map_err(|error| TrainingError::Draw { reason: format!("{error:#}") })
        };
        let description = json!({ "sample": sample.record(), "seed": number }).to_string();
        Fresh { draw: Arc::new(draw), instances: self.args.instances, description }
    }
}

impl Course for PolicyCourse<'_> {
    type Config = PolicyTrainingConfig;

    fn run_args(&self) -> &RunArgs {
        &self.args.run
    }

    fn prepare(&self, begun: &Begun) -> anyhow::Result<Option<Sets<PolicyTrainingConfig>>> {
        let mut sample = Sample::of(&self.args.sample)?;
        let lessons = match self.lesson {
            Lesson::Trial { .. } => PolicyLessons::Fresh(self.fresh(begun.seed, sample)),
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
                PolicyLessons::Labelled(set)
            }
            Lesson::Expert { labels: None } => {
                let file = begun.folder.labels();
                match self.labelled(begun, "training", sample, self.args.instances, &file)? {
                    Some(set) => PolicyLessons::Labelled(set),
                    None => return Ok(None),
                }
            }
        };
        let file = begun.folder.validation();
        let validation = self.labelled(begun, "validation", sample, self.args.validation, &file)?;
        Ok(validation.map(|set| Sets { lessons, validation: vec![set] }))
    }

    fn config(
        &self,
        seed: u64,
        start: Option<String>,
        sets: &Sets<PolicyTrainingConfig>,
    ) -> PolicyTrainingConfig {
        let args = self.args;
        let set = &sets.validation[0];
        let (method, cost) = match self.lesson {
            Lesson::Expert { .. } => (Method::BehaviourCloning, CostScale::default()),
            Lesson::Trial { cost } => (Method::ActorCritic, cost),
        };
        PolicyTrainingConfig {
            start,
            method,
            cost,
            epochs: args.epochs,
            batch_size: args.batch,
            learning_rate: args.learning_rate,
            decay: args.decay,
            gradient_clip: args.gradient_clip,
            ..PolicyTrainingConfig::new(
                network(&args.network, ProblemName::of(set).kind(), set.num_machines()),
                seed,
            )
        }
    }

    fn describe(&self, training: &PolicyTraining, sets: &Sets<PolicyTrainingConfig>) -> String {
        let set = &sets.validation[0];
        let size = match ProblemName::of(set) {
            ProblemName::FlowShop => format!("{} jobs and {} machines", set.num_jobs(), set.num_machines()),
            #[cfg(feature = "tsp")]
            ProblemName::Tsp => format!("{} cities", set.num_jobs()),
        };
        format!(
            "{} parameters, {} instances of {size}, {} epochs of {} batches",
            training.config().network.num_parameters(),
            sets.lessons.num_instances(),
            training.config().epochs,
            training.batches(),
        )
    }

    fn record(&self, training: &PolicyTraining, sets: &Sets<PolicyTrainingConfig>) -> Value {
        let lessons = match &sets.lessons {
            PolicyLessons::Labelled(set) => {
                let mut record = set.record().clone();
                record.insert("cost".to_string(), json!(set.mean_cost()));
                Value::Object(record)
            }
            PolicyLessons::Fresh(fresh) => json!({ "fresh": fresh.description, "count": fresh.instances }),
        };
        let mut own = json!({
            "parameters": training.config().network.num_parameters(),
            "training": lessons,
            "validation": sets.validation[0].record(),
            "validation_cost": sets.validation[0].mean_cost(),
        });
        if let Some(count) = training.config().num_critic_parameters() {
            own["critic_parameters"] = json!(count);
        }
        own
    }
}
