//! `pfss train front`: the bidirectional policy.

use std::sync::Arc;

use anyhow::{Context, bail};
use pfss_core::{Instance, Seed};
use pfss_neural::{Finish, FrontConfig, LabelledSet};
use pfss_training::{FrontLessons, FrontSource, FrontTraining, FrontTrainingConfig, Rollouts, TrainingError};
use serde_json::{Value, json};

use super::begun::Begun;
use super::course::{Course, Sets};
use super::labels::LabelPlan;
use super::sample::Sample;
use crate::args::{FrontArgs, RolloutsName, RunArgs};

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

/// The training of the bidirectional policy.
pub(super) struct FrontCourse<'a> {
    args: &'a FrontArgs,
    mix: Vec<Mixed>,
}

impl<'a> FrontCourse<'a> {
    pub(super) fn new(args: &'a FrontArgs) -> anyhow::Result<Self> {
        let mix: Vec<Mixed> = args.mix.iter().map(|text| mixed(text)).collect::<anyhow::Result<_>>()?;
        if !mix.iter().any(|part| part.weight > 0.0) {
            bail!("--mix: all weights are 0, but something must be learnt from");
        }
        Ok(Self { args, mix })
    }

    /// Instances with the expert's orders, from the folder where they are there; `None` when interrupted.
    fn labelled(
        &self,
        begun: &Begun,
        stream: &str,
        index: usize,
        sample: Sample,
        count: usize,
    ) -> anyhow::Result<Option<LabelledSet>> {
        let plan = LabelPlan {
            sample,
            expert: &self.args.expert,
            count,
            seed: Seed::new(begun.seed).nth(index as u64).number(),
        };
        let file = self.args.run.output.join(format!("{stream}-{index}.safetensors"));
        plan.read_or_label(stream, &file, &begun.cancel, begun.console)
    }
}

impl Course for FrontCourse<'_> {
    type Config = FrontTrainingConfig;

    fn run_args(&self) -> &RunArgs {
        &self.args.run
    }

    fn prepare(&self, begun: &Begun) -> anyhow::Result<Option<Sets<FrontTrainingConfig>>> {
        let (mut sources, mut validation) = (Vec::new(), Vec::new());
        for (index, &Mixed { sample, weight, instances }) in self.mix.iter().enumerate() {
            let mut labelled = None;
            if self.args.imitation_epochs > 0 && weight > 0.0 {
                let count = self.args.labelled.unwrap_or(4_000);
                let Some(set) = self.labelled(begun, "training", index, sample, count)? else {
                    return Ok(None);
                };
                labelled = Some(Arc::new(set));
            }
            let Some(set) = self.labelled(begun, "validation", index, sample, self.args.validation)? else {
                return Ok(None);
            };
            validation.push(set);
            let seed = Seed::new(begun.seed).child("fresh").nth(index as u64);
            let draw = move |number: u64| {
                let failed = |reason: String| TrainingError::Draw { reason };
                let drawn = sample.draw(seed, number).map_err(|error| failed(format!("{error:#}")))?;
                let shop = drawn.get::<Instance<f64>>().cloned();
                shop.ok_or_else(|| failed("these are no flow shops".to_string()))
            };
            let (draw, description) = (Arc::new(draw), sample.name());
            sources.push(FrontSource { labelled, draw, weight, instances, description });
        }
        Ok(Some(Sets { lessons: FrontLessons { sources }, validation }))
    }

    fn config(&self, seed: u64, start: Option<String>, _: &Sets<FrontTrainingConfig>) -> FrontTrainingConfig {
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
            self.mix.len(),
            self.args.imitation_epochs,
            self.args.gradient_epochs,
            self.args.batches
        )
    }

    fn record(&self, training: &FrontTraining, _: &Sets<FrontTrainingConfig>) -> Value {
        json!({ "parameters": training.config().network.num_parameters(), "mix": self.args.mix })
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
