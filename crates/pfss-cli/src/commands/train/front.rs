//! `pfss train front`: the bidirectional policy.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::ValueEnum;
use pfss_core::{CancelFlag, Seed};

use pfss_neural::training::{
    Epoch, FrontLessons, FrontSource, FrontTraining, FrontTrainingConfig, Rollouts, TrainingError,
};
use pfss_neural::{FrontWeights, LabelledSet};
use serde_json::{Value, json};

use super::labels::LabelPlan;
use super::learning::{Begun, Epochs, Learning, read_model, record};
use super::network::device;
use super::run_folder::RunFolder;
use super::sample::Sample;
use crate::args::{DistributionArgs, DistributionName, FrontArgs, ProblemName, RolloutsName};
use crate::commands::threads::thread_pool;
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt;

impl Learning for FrontTraining {
    fn history(&self) -> &[Epoch] {
        self.history()
    }

    fn is_finished(&self) -> bool {
        self.is_finished()
    }

    fn progress(&self) -> (usize, usize) {
        (self.batch(), self.config().batches)
    }

    fn step(&mut self) -> Result<(), TrainingError> {
        self.step()
    }

    fn finish_epoch(&mut self, validation: &[LabelledSet]) -> Result<Epoch, TrainingError> {
        Ok(self.finish_epoch(validation)?.clone())
    }

    fn checkpoint(&self) -> Result<Vec<u8>, TrainingError> {
        self.checkpoint()
    }

    fn model(&self) -> Result<Vec<u8>, TrainingError> {
        Ok(self.weights()?.to_bytes()?)
    }
}

/// Trains, from the beginning or from where it was interrupted.
pub(super) fn run(args: &FrontArgs, console: Console) -> anyhow::Result<Exit> {
    let mix = args.mix.iter().map(|text| mixed(text)).collect::<anyhow::Result<Vec<_>>>()?;
    let Begun { folder, seed, checkpoint } = Begun::open(&args.run, console)?;
    let cancel = interrupt::install()?;
    let pool = thread_pool(args.run.threads)?;
    let course = FrontCourse { args, mix, seed, folder, cancel, console };
    pool.install(|| course.train(checkpoint.as_deref()))
}

/// A part of the mixture, such as `gamma:20x5:2`.
fn mixed(text: &str) -> anyhow::Result<(Sample, f64)> {
    let parts: Vec<&str> = text.split(':').collect();
    let (name, size, weight) = match parts[..] {
        [name, size] => (name, size, Some(1.0)),
        [name, size, weight] => (name, size, weight.parse().ok()),
        _ => ("", "", None),
    };
    let name = DistributionName::from_str(name, true).ok();
    let size = size.split_once('x').and_then(|(n, m)| Some((n.parse().ok()?, m.parse().ok()?)));
    match (name, size, weight) {
        (Some(name), Some((jobs, machines)), Some(weight)) if weight > 0.0 && jobs >= 2 => {
            let none = DistributionArgs::default();
            Ok((Sample::new(ProblemName::FlowShop, jobs, Some(machines), Some(name), &none)?, weight))
        }
        _ => bail!("--mix {text}: expected DISTRIBUTION:JOBSxMACHINES or DISTRIBUTION:JOBSxMACHINES:WEIGHT"),
    }
}

/// A training and all that it needs.
struct FrontCourse<'a> {
    args: &'a FrontArgs,
    mix: Vec<(Sample, f64)>,
    seed: u64,
    folder: RunFolder,
    cancel: CancelFlag,
    console: Console,
}

impl FrontCourse<'_> {
    fn train(&self, checkpoint: Option<&[u8]>) -> anyhow::Result<Exit> {
        let args = self.args;
        let Some((lessons, validation)) = self.prepare()? else {
            self.console.warn("interrupted while labelling; nothing was trained");
            return Ok(Exit::Success);
        };
        let start = args.run.start.as_deref().map(read_start).transpose()?;
        let config = FrontTrainingConfig {
            start: start.as_ref().map(|(fingerprint, _)| fingerprint.clone()),
            imitation_epochs: args.imitation_epochs,
            gradient_epochs: args.gradient_epochs,
            batches: args.batches,
            parts: args.parts,
            rows: args.rows.unwrap_or(200_000),
            instances: args.instances.unwrap_or(48),
            samples: args.samples.unwrap_or(16),
            rollouts: match args.rollouts {
                None | Some(RolloutsName::Host) => Rollouts::Host,
                Some(RolloutsName::Device) => Rollouts::Device,
            },
            finish: args.finish.map_or(pfss_neural::Finish::default().jobs, usize::from),
            imitation_rate: args.imitation_rate.unwrap_or(1e-3),
            gradient_rate: args.gradient_rate.unwrap_or(3e-4),
            ..FrontTrainingConfig::new(self.seed)
        };
        let device = device(args.run.device)?;
        let mut training = match checkpoint {
            Some(bytes) => FrontTraining::resume(config, lessons, device, bytes)
                .with_context(|| format!("{}: cannot go on", args.run.output.display()))?,
            None => FrontTraining::new(config, lessons, device, start.as_ref().map(|(_, weights)| weights))?,
        };
        self.console.say(&format!(
            "{} parameters, {} kinds of instances, {} epochs of imitation and {} of policy gradient, {} batches each",
            training.config().network.num_parameters(),
            self.mix.len(),
            args.imitation_epochs,
            args.gradient_epochs,
            args.batches
        ));
        let expert = validation
            .first()
            .and_then(|set| set.record().get("expert").and_then(Value::as_str))
            .unwrap_or("the expert");
        let epochs = Epochs {
            folder: &self.folder,
            start: self.args.run.start.as_deref(),
            cancel: &self.cancel,
            console: self.console,
            expert,
            validation: &validation,
        };
        epochs.run(&mut training, |training| self.record(training))
    }

    /// What is learnt from and measured on; `None` when interrupted.
    fn prepare(&self) -> anyhow::Result<Option<(FrontLessons, Vec<LabelledSet>)>> {
        let (mut sources, mut validation) = (Vec::new(), Vec::new());
        for (index, &(sample, weight)) in self.mix.iter().enumerate() {
            let mut labelled = None;
            if self.args.imitation_epochs > 0 {
                let count = self.args.labelled.unwrap_or(4_000);
                let Some(set) = self.labelled("training", index, sample, count)? else {
                    return Ok(None);
                };
                labelled = Some(Arc::new(set));
            }
            let Some(set) = self.labelled("validation", index, sample, self.args.validation)? else {
                return Ok(None);
            };
            validation.push(set);
            let seed = Seed::new(self.seed).child("fresh").nth(index as u64);
            let draw = move |number: u64| {
                let failed = |reason: String| TrainingError::Draw { reason };
                let drawn = sample.draw(seed, number).map_err(|error| failed(format!("{error:#}")))?;
                drawn
                    .get::<pfss_core::Instance<f64>>()
                    .cloned()
                    .ok_or_else(|| failed("these are no flow shops".to_string()))
            };
            sources.push(FrontSource { labelled, draw: Arc::new(draw), weight, description: sample.name() });
        }
        Ok(Some((FrontLessons { sources }, validation)))
    }

    /// Instances with the expert's orders, from the folder where they are there; `None` when interrupted.
    fn labelled(
        &self,
        stream: &str,
        index: usize,
        sample: Sample,
        count: usize,
    ) -> anyhow::Result<Option<LabelledSet>> {
        let plan = LabelPlan {
            sample,
            expert: &self.args.expert,
            count,
            seed: Seed::new(self.seed).nth(index as u64).number(),
        };
        let file = self.args.run.output.join(format!("{stream}-{index}.safetensors"));
        plan.read_or_label(stream, &file, &self.cancel, self.console)
    }

    /// What would give the model again, and how it went.
    fn record(&self, training: &FrontTraining) -> Value {
        let own = json!({
            "config": training.config(),
            "parameters": training.config().network.num_parameters(),
            "mix": self.args.mix,
        });
        record(&self.args.run, self.seed, training.history(), own)
    }
}

/// A model to start from, and what tells it from others.
fn read_start(path: &Path) -> anyhow::Result<(String, FrontWeights)> {
    let (file, bytes) = read_model(path)?;
    let weights = FrontWeights::from_bytes(&bytes).with_context(|| file.display().to_string())?;
    Ok((weights.fingerprint(), weights))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixtures_are_read() {
        let (sample, weight) = mixed("gamma:20x5:2.5").unwrap();
        assert_eq!((sample.name(), weight), ("gamma 20x5".to_string(), 2.5));
        assert_eq!(mixed("uniform:40x20").unwrap().1, 1.0);
        for wrong in ["", "gamma", "gamma:20", "gamma:20x5:0", "beta:20x5", "gamma:1x5", "gamma:20x5:1:2"] {
            assert!(mixed(wrong).is_err(), "{wrong}");
        }
    }
}
