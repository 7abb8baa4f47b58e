//! `pfss reproduce train`: the models of plans, by their own commands.

use std::path::{Path, PathBuf};

use pfss_core::CancelFlag;
use pfss_experiments::PlannedTraining;
use pfss_experiments::reproduction::{Models, Plan, trainings};

use super::super::train::plan::{Manner, run_all, with_options};
use crate::args::ProgressName;
use crate::console::Console;
use crate::exit::Exit;

/// What a quick training of the paper's policy or a rival has in the place of its own.
const QUICK: &str = "--count 640 --epochs 3 --batch 64 --learning-rate 1e-3 --validation 50";
/// The same of the bidirectional policy.
const QUICK_FRONT: &str = "--mix gamma:20x5 --imitation-epochs 1 --gradient-epochs 1 --batches 4 --batch 4 --samples 4 --validation 8";
/// The most evaluations of an expert of quick trainings.
const QUICK_EVALUATIONS: &str = "--expert-evaluations 1000";

/// How the models of plans are trained.
pub(super) struct ModelTraining<'a> {
    /// Where models are and come to.
    pub(super) folder: &'a Path,
    pub(super) quick: bool,
    pub(super) at_once: usize,
    /// Options that every command gets.
    pub(super) options: &'a [String],
}

impl ModelTraining<'_> {
    /// Trains the models of these plans that are not there, and what they start from.
    pub(super) fn run(&self, plans: &[Plan], cancel: &CancelFlag, console: Console) -> anyhow::Result<Exit> {
        let (there, missing) = self.missing(plans)?;
        for name in there {
            console.say(&format!("{}: is there", self.folder.join(name).display()));
        }
        if missing.is_empty() {
            console.say("no model is missing");
            return Ok(Exit::Success);
        }
        let manner = Manner {
            at_once: self.at_once,
            options: self.options.to_vec(),
            progress: if console.writes_progress() { ProgressName::Json } else { ProgressName::Bar },
        };
        run_all(&missing, &[], &manner, cancel, console)
    }

    /// The models of these plans that are there, and the trainings of the others with what these start from.
    fn missing(&self, plans: &[Plan]) -> anyhow::Result<(Vec<String>, Vec<PlannedTraining>)> {
        let models = Models::in_folder(self.folder);
        let all = trainings()?;
        let wanted: Vec<String> = plans.iter().flat_map(Plan::models).collect();
        let (mut there, mut needed): (Vec<String>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut open: Vec<usize> = (0..all.len())
            .filter(|&at| {
                let name = name(&all[at]);
                // Few instances are no measure of seeds.
                wanted.iter().any(|model| name == model || (!self.quick && is_seed_of(name, model)))
            })
            .collect();
        while let Some(at) = open.pop() {
            let name = name(&all[at]);
            if needed.contains(&at) || there.iter().any(|other| other == name) {
                continue;
            }
            if models.has(name) && !self.is_begun(name) {
                there.push(name.to_string());
            } else {
                needed.push(at);
                let started = all[at].words.iter().skip_while(|word| *word != "--start").nth(1);
                open.extend(
                    started
                        .and_then(|from| all.iter().position(|other| other.output() == Some(from.as_str()))),
                );
            }
        }
        needed.sort_unstable();
        there.sort();
        Ok((there, needed.into_iter().map(|at| self.command(&all[at])).collect()))
    }

    /// Whether a training of this name may have epochs left; what it did is then told by its own command.
    fn is_begun(&self, name: &str) -> bool {
        self.folder.join(name).join("checkpoint.safetensors").exists()
    }

    /// The training with its folder, of a quick size where that is asked for.
    fn command(&self, training: &PlannedTraining) -> PlannedTraining {
        let place = |word: &String| match word.strip_prefix("models/") {
            Some(name) => self.folder.join(name).to_string_lossy().into_owned(),
            None => word.clone(),
        };
        let mut words: Vec<String> = training.words.iter().map(place).collect();
        if self.quick {
            let is_front = words.get(1).is_some_and(|kind| kind == "front");
            let mut quick = vec![if is_front { QUICK_FRONT } else { QUICK }];
            if words.iter().any(|word| word == "--expert-evaluations") {
                quick.push(QUICK_EVALUATIONS);
            }
            let quick: Vec<String> =
                quick.iter().flat_map(|words| words.split(' ')).map(String::from).collect();
            words = with_options(&words, &quick);
        }
        PlannedTraining { id: Some(name(training).to_string()), words }
    }
}

/// The name of the model that a training makes.
fn name(training: &PlannedTraining) -> &str {
    training.output().map_or("", |output| output.strip_prefix("models/").unwrap_or(output))
}

/// Whether a model is that of another seed of `model`.
fn is_seed_of(name: &str, model: &str) -> bool {
    let seed = name.strip_prefix(model).and_then(|rest| rest.strip_prefix("-seed"));
    seed.is_some_and(|seed| seed.parse::<u64>().is_ok())
}

/// Where the models of a run are: `--models`, or `models`, or for quick ones a folder beside their tables.
pub(super) fn folder(models: Option<&Path>, quick: bool, tables: &Path) -> PathBuf {
    match models {
        Some(folder) => folder.to_path_buf(),
        None if quick => tables.join("models"),
        None => PathBuf::from("models"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_experiments::reproduction::plan;

    fn commands(training: &ModelTraining<'_>, plan_name: &str) -> (Vec<String>, Vec<String>) {
        let (there, missing) = training.missing(&[plan(plan_name).unwrap()]).unwrap();
        (there, missing.iter().map(PlannedTraining::command).collect())
    }

    #[test]
    fn what_is_there_is_not_trained_and_stages_are() {
        let folder = tempfile::tempdir().unwrap();
        let mut training = ModelTraining { folder: folder.path(), quick: false, at_once: 1, options: &[] };
        let (there, missing) = commands(&training, "comparative-normal-m5");
        assert!(there.is_empty());
        let of = |name: &str| missing.iter().find(|command| command.contains(&format!("/{name} "))).unwrap();
        let (first, second) = (of("normal-m5-iterated-greedy"), of("normal-m5"));
        assert!(second.contains(&format!("--start {}/normal-m5-iterated-greedy ", folder.path().display())));
        assert!(missing.iter().position(|one| one == first) < missing.iter().position(|one| one == second));
        assert!(missing.iter().any(|command| command.contains("normal-m5-paper-neh-seed3 -s 3")));
        assert!(missing.iter().any(|command| command.contains("/front-3 ")));
        // The last stage is there: none of the others is needed.
        std::fs::create_dir(folder.path().join("front")).unwrap();
        std::fs::write(folder.path().join("front/model.safetensors"), "").unwrap();
        let (there, missing) = commands(&training, "comparative-normal-m5");
        assert_eq!(there, ["front"]);
        assert!(!missing.iter().any(|command| command.contains("/front")));
        training.quick = true;
        let (_, quick) = commands(&training, "comparative-normal-m5");
        assert!(!quick.iter().any(|command| command.contains("-seed")));
        assert!(
            quick.iter().all(|command| command.contains(QUICK) && !command.contains("200000")),
            "{quick:?}"
        );
    }
}
