//! `pfss train front`: the bidirectional policy.

use std::sync::Arc;

use anyhow::{Context, bail};
use pfss_core::{Instance, Seed};
use pfss_neural::{Finish, FrontConfig, LabelledSet};
use pfss_training::{FrontLessons, FrontSource, FrontTraining, FrontTrainingConfig, Rollouts, TrainingError};
use serde_json::{Value, json};

use super::begun::Begun;
use super::course::{Course, Sets};
use super::curriculum::{Chapter, Curriculum, Labelled};
use super::lot::{Given, Held, Lot};
use super::sample::Sample;
use crate::args::{FrontArgs, ProblemName, RolloutsName, RunArgs};
use crate::console::Console;

/// A part of the mixture.
#[derive(Clone, Copy)]
struct Mixed {
    sample: Sample,
    /// How often it is taken; with 0 it is only measured on.
    weight: f64,
    /// How many of its instances a step takes, where that is its own.
    instances: Option<usize>,
}

/// Reads a part of the mixture, such as `gamma:20x5:2` or `gamma:20x5:2:256`.
fn mixed(text: &str) -> anyhow::Result<Mixed> {
    let parts: Vec<&str> = text.split(':').collect();
    let number = |text: &str| text.parse::<f64>().ok().filter(|weight| weight.is_finite() && *weight >= 0.0);
    let (name, size, weight, instances) = match parts[..] {
        [name, size] => (name, size, Some(1.0), None),
        [name, size, weight] => (name, size, number(weight), None),
        [name, size, weight, batch] => (name, size, number(weight), Some(batch.parse().unwrap_or(0))),
        _ => ("", "", None, None),
    };
    let size = size.split_once('x').and_then(|(n, m)| Some((n.parse().ok()?, m.parse().ok()?)));
    match (size, weight) {
        (Some((jobs, machines)), Some(weight)) if jobs >= 2 && instances != Some(0) => {
            let recipe = name.to_lowercase().parse().with_context(|| format!("--mix {text}"))?;
            Ok(Mixed { sample: Sample::FlowShop { recipe, jobs, machines }, weight, instances })
        }
        _ => bail!("--mix {text}: expected DISTRIBUTION:JOBSxMACHINES, also with :WEIGHT or :WEIGHT:BATCH"),
    }
}

/// How many instances of each size the expert orders, where nobody says it.
const LABELLED: usize = 4_000;
/// How many others of each size are measured on, where nobody says it.
const MEASURED: usize = 100;

/// Lessons of one size.
struct Part {
    chapter: Chapter,
    weight: f64,
    instances: Option<usize>,
}

/// The training of the bidirectional policy.
pub(super) struct FrontCourse<'a> {
    args: &'a FrontArgs,
    parts: Vec<Part>,
    /// What is measured on, where that is not a part of each size.
    validation: Option<Vec<Labelled>>,
}

impl<'a> FrontCourse<'a> {
    /// The training that the arguments ask for; what they name is read.
    pub(super) fn new(args: &'a FrontArgs, console: Console) -> anyhow::Result<Self> {
        let curriculum = Curriculum {
            expert: &args.expert,
            count: args.labelled.unwrap_or(LABELLED),
            held: Held::of(&args.validation)?,
            measured: MEASURED,
            console,
        };
        let whole = |chapter| Part { chapter, weight: 1.0, instances: None };
        let mut parts: Vec<Part> = Vec::new();
        for path in &args.labels {
            parts.push(whole(curriculum.labels(path, None)?));
        }
        for given in Given::read(&args.given, console)? {
            parts.push(whole(curriculum.given(given)?));
        }
        if args.labels.is_empty() && args.given.is_empty() {
            for Mixed { sample, weight, instances } in
                args.mix.iter().map(|text| mixed(text)).collect::<anyhow::Result<Vec<_>>>()?
            {
                parts.push(Part { chapter: curriculum.drawn(sample), weight, instances });
            }
        }
        if !parts.iter().any(|part| part.weight > 0.0) {
            bail!("--mix: all weights are 0, but something must be learnt from");
        }
        let validation = curriculum.files()?;
        let shapes = parts.iter().map(|part| part.chapter.lessons.shape());
        let others = validation.iter().flatten().map(Labelled::shape);
        for (problem, jobs, _) in shapes.chain(others) {
            if problem != ProblemName::FlowShop || jobs < 2 {
                bail!("the bidirectional policy orders flow shops of at least 2 jobs");
            }
        }
        Ok(Self { args, parts, validation })
    }

    /// The seed of the part of this number.
    fn seed_of(seed: u64, index: usize) -> u64 {
        Seed::new(seed).nth(index as u64).number()
    }

    /// Whether the expert's orders of a part are learnt from.
    fn imitates(&self, part: &Part) -> bool {
        self.args.imitation_epochs > 0 && part.weight > 0.0
    }

    /// What is measured on.
    fn validation(&self) -> Vec<&Labelled> {
        match &self.validation {
            Some(files) => files.iter().collect(),
            None => self.parts.iter().map(|part| &part.chapter.validation).collect(),
        }
    }
}

impl Course for FrontCourse<'_> {
    type Config = FrontTrainingConfig;

    fn run_args(&self) -> &RunArgs {
        &self.args.run
    }

    fn inputs(&self) -> Vec<&str> {
        self.args.given.iter().chain(&self.args.validation).map(String::as_str).collect()
    }

    fn check(&self, seed: u64) -> anyhow::Result<()> {
        for part in self.parts.iter().filter(|part| self.imitates(part)) {
            part.chapter.lessons.check(seed)?;
        }
        self.validation().into_iter().try_for_each(|set| set.check(seed))
    }

    fn prepare(&self, begun: &Begun) -> anyhow::Result<Option<Sets<FrontTrainingConfig>>> {
        let (mut sources, mut validation) = (Vec::new(), Vec::new());
        let measured = self.validation();
        for index in 0..self.parts.len().max(measured.len()) {
            let own = Self::seed_of(begun.seed, index);
            if let Some(part) = self.parts.get(index) {
                let mut labelled = None;
                if self.imitates(part) {
                    let file = format!("training-{index}.safetensors");
                    let Some(set) = part.chapter.lessons.prepared("training", &file, own, begun)? else {
                        return Ok(None);
                    };
                    labelled = Some(Arc::new(set));
                }
                sources.push(source(part, index, labelled, begun));
            }
            if let Some(set) = measured.get(index) {
                let file = format!("validation-{index}.safetensors");
                let Some(set) = set.prepared("validation", &file, own, begun)? else { return Ok(None) };
                validation.push(set);
            }
        }
        Ok(Some(Sets { lessons: FrontLessons { sources }, validation }))
    }

    fn config(&self, seed: u64, start: Option<String>) -> FrontTrainingConfig {
        let args = self.args;
        let (hidden, width) = (usize::from(args.hidden), usize::from(args.width));
        FrontTrainingConfig {
            network: FrontConfig { hidden, width, ..FrontConfig::default() },
            start,
            imitation_epochs: args.imitation_epochs,
            gradient_epochs: args.gradient_epochs,
            batches: args.batches,
            parts: args.parts,
            rows: args.rows.unwrap_or(200_000),
            kinds: args.kinds.unwrap_or(1),
            instances: args.instances.unwrap_or(48),
            samples: args.samples.unwrap_or(16),
            rollouts: match args.rollouts {
                None | Some(RolloutsName::Host) => Rollouts::Host,
                Some(RolloutsName::Device) => Rollouts::Device,
            },
            finish: args.finish.map_or(Finish::default().jobs, usize::from),
            imitation_rate: args.imitation_rate.unwrap_or(1e-3),
            gradient_rate: args.gradient_rate.unwrap_or(3e-4),
            average: args.average,
            time_limit: args.time_limit.map(|limit| limit.as_secs_f64()),
            ..FrontTrainingConfig::new(seed)
        }
    }

    fn describe(&self, training: &FrontTraining, _: &Sets<FrontTrainingConfig>) -> String {
        format!(
            "{} parameters, {} kinds of instances, {} epochs of imitation and {} of policy gradient, {} batches each",
            training.config().network.num_parameters(),
            self.parts.len(),
            self.args.imitation_epochs,
            self.args.gradient_epochs,
            self.args.batches
        )
    }

    fn record(&self, config: &FrontTrainingConfig, sets: Option<&Sets<FrontTrainingConfig>>) -> Value {
        let parts = self.parts.iter().map(|part| part.chapter.lot.name());
        let mut own = json!({ "parameters": config.network.num_parameters() });
        own["mix"] = match self.args.labels.is_empty() && self.args.given.is_empty() {
            true => json!(self.args.mix),
            false => parts.collect(),
        };
        if let Some(sets) = sets {
            let of = |set: &LabelledSet| json!(set.record());
            let learnt = sets.lessons.sources.iter().filter_map(|source| source.labelled.as_deref());
            own["training"] = learnt.map(of).collect();
            own["validation"] = sets.validation.iter().map(of).collect();
        }
        own
    }
}

/// What a part of the mixture gives to learn from.
fn source(part: &Part, index: usize, labelled: Option<Arc<LabelledSet>>, begun: &Begun) -> FrontSource {
    let seed = Seed::new(begun.seed).child("fresh").nth(index as u64);
    let (lot, cancel) = (part.chapter.lot.clone(), begun.cancel.clone());
    let description = match &lot {
        Lot::Drawn(sample) => sample.name(),
        Lot::Given(_) => lot.record().unwrap_or_default().to_string(),
    };
    let draw = move |number: u64| {
        if cancel.is_cancelled() {
            return Err(TrainingError::Interrupted);
        }
        let failed = |reason: String| TrainingError::Draw { reason };
        let drawn = lot.instance(seed, number).map_err(|error| failed(format!("{error:#}")))?;
        let shop = drawn.get::<Instance<f64>>().cloned();
        shop.ok_or_else(|| failed("these are no flow shops".to_string()))
    };
    FrontSource {
        labelled,
        draw: Arc::new(draw),
        weight: part.weight,
        instances: part.instances,
        description,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixtures_are_read() {
        let Mixed { sample, weight, instances } = mixed("gamma:20x5:2.5").unwrap();
        assert_eq!((sample.name(), weight, instances), ("gamma 20x5".to_string(), 2.5, None));
        assert_eq!(mixed("uniform:40x20").unwrap().weight, 1.0);
        assert_eq!(mixed("uniform:40x20:0").unwrap().weight, 0.0);
        assert_eq!(mixed("uniform:40x20:2:64").unwrap().instances, Some(64));
        assert_eq!(mixed("uniform+zeros=0.2:9x3").unwrap().sample.name(), "uniform+zeros=0.2 9x3");
        for wrong in [
            "",
            "gamma",
            "gamma:20",
            "gamma:20x5:-1",
            "gamma:20x5:NaN",
            "beta:20x5",
            "gamma:1x5",
            "gamma+low=1:9x3",
        ] {
            assert!(mixed(wrong).is_err(), "{wrong}");
        }
        for wrong in ["gamma:20x5:inf", "gamma:20x5:1:0", "gamma:20x5:1:x", "gamma:20x5:1:2:3"] {
            assert!(mixed(wrong).is_err(), "{wrong}");
        }
    }
}
