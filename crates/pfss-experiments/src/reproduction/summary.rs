//! What the rows of a plan say, in one small file.

use serde::{Deserialize, Serialize};

use super::cells::{add_time_before, group_cells};
use super::measurement::Measurement;
use super::model::{Models, TrainingRecord};
use super::plan::Plan;
use super::runner::{GroupRuns, Outcome};
use crate::stats::{PowerLaw, power_law};

/// The schema of the file.
const SCHEMA: &str = "pfss.reproduction/1";

/// The numbers of a plan and where they come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Always `pfss.reproduction/1`.
    pub schema: String,
    /// The plan.
    pub plan: String,
    /// What made the numbers.
    pub origin: Origin,
    /// The groups.
    pub groups: Vec<GroupSummary>,
    /// One entry per method and group.
    pub cells: Vec<Cell>,
    /// How the time of each method grows with the jobs.
    pub fits: Vec<Fit>,
    /// How each model was trained.
    pub trainings: Vec<TrainingSummary>,
    /// What made each model that was used.
    #[serde(default)]
    pub models: Vec<ModelSummary>,
}

/// Which program made the numbers, with which command, where and when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// The version of the program.
    pub version: String,
    /// The commit it was built from; those of all rows where a run was resumed with another one.
    pub commit: String,
    /// The processor; those of all rows.
    pub cpu: String,
    /// How many runs went on at the same time, with one thread each.
    pub workers: usize,
    /// The command.
    pub command: String,
    /// The day, as `2026-11-16`.
    pub date: String,
    /// The seeds of the methods' random choices.
    pub seeds: Vec<u64>,
    /// The seed of drawn instances.
    pub data_seed: u64,
    /// Whether all was done at a tiny scale, so that the numbers mean nothing.
    pub quick: bool,
}

/// A group as it was run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupSummary {
    /// The group of the plan.
    pub group: String,
    /// In words.
    pub description: String,
    /// The place on a figure's horizontal axis.
    pub x: f64,
    /// How many instances.
    pub instances: usize,
    /// Why it was left out.
    pub skipped: Option<String>,
}

/// One method on one group: its numbers, or why there are none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The method of the plan.
    pub method: String,
    /// The group of the plan.
    pub group: String,
    /// The numbers.
    pub numbers: Option<Numbers>,
    /// Why there are none: the missing model, or what went wrong.
    pub absent: Option<String>,
}

/// The numbers of a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    /// Runs per instance.
    pub seeds: usize,
    /// The mean cost: over the seeds, then over the instances.
    pub cost: f64,
    /// The standard error of that mean over the instances.
    pub cost_error: f64,
    /// To the baseline.
    pub gap: Option<Gap>,
    /// The sum of the times over the instances, the mean of it over the seeds.
    pub seconds: f64,
    /// Expert and training, where the method needed them.
    pub before: Option<Before>,
    /// How many instances were proven optimal with every seed.
    pub proven: usize,
    /// Whether our method's orders are shorter than this one's.
    pub mark: Option<Mark>,
}

/// How far a method is above the baseline, in percent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gap {
    /// The mean over the instances of cost / baseline's cost - 1, as in the paper's code.
    pub mean_of_ratios: f64,
    /// The lower end of its 95 % bootstrap interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The ratio of the mean costs - 1.
    pub ratio_of_means: f64,
}

/// Time that was spent before the first instance, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Before {
    /// Labels of the expert.
    pub expert: f64,
    /// Training.
    pub training: f64,
}

/// A one-sided Wilcoxon signed-rank test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// The chance that equal methods look so different.
    pub p_value: f64,
    /// The same after Holm's correction over the rows of the group.
    pub p_value_holm: f64,
    /// How many instances have the same cost.
    pub zeros: usize,
    /// Whether it stands at the 5 % level after the correction.
    pub significant: bool,
}

/// How the time of a method grows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// The method.
    pub method: String,
    /// Time per instance against jobs.
    pub law: PowerLaw,
    /// The exponent between the two largest sizes, where what every run costs anyway weighs least.
    pub last_exponent: Option<f64>,
}

/// How a model was trained, or that its record is missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingSummary {
    /// The training of the plan.
    pub id: String,
    /// The record.
    pub record: Option<TrainingRecord>,
}

/// What made a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelSummary {
    /// Its name.
    pub model: String,
    /// The commands of its trainings, the first one first.
    pub commands: Vec<String>,
    /// How many epochs the last of them had: fewer than its command says where it was interrupted.
    #[serde(default)]
    pub epochs: usize,
}

/// Why there is no summary.
pub type SummaryError = serde_json::Error;

impl Summary {
    /// The summary of finished runs.
    pub fn new(plan: &Plan, runs: &[GroupRuns], models: &Models, mut origin: Origin) -> Self {
        origin.commit = distinct(runs, |row| &row.commit).unwrap_or(origin.commit);
        origin.cpu = distinct(runs, |row| &row.cpu).unwrap_or(origin.cpu);
        let mut cells: Vec<Cell> = runs.iter().flat_map(|group| group_cells(plan, group)).collect();
        add_time_before(plan, runs, models, &mut cells);
        let groups = runs.iter().map(|runs| GroupSummary {
            group: runs.group.id.clone(),
            description: runs.group.describe(),
            x: runs.group.x(),
            instances: runs.instances.len(),
            skipped: runs.skipped.clone(),
        });
        let trainings = plan.trainings.iter().map(|training| TrainingSummary {
            id: training.id.clone(),
            record: models.training(&training.model).ok().flatten(),
        });
        let mut summary = Self {
            schema: SCHEMA.to_string(),
            plan: plan.name.clone(),
            origin,
            groups: groups.collect(),
            cells,
            fits: Vec::new(),
            trainings: trainings.collect(),
            models: Vec::new(),
        };
        let own = |model: &str| {
            let names = summary.origin.seeds.iter().map(|seed| format!("{model}-seed{seed}"));
            names.filter(|name| models.has(name)).collect::<Vec<_>>()
        };
        let of = |model: String| {
            let record = models.training(&model).ok().flatten()?;
            let epochs = record.curve.len();
            let commands = record.earlier.into_iter().chain([record.command]).collect();
            Some(ModelSummary { model, commands, epochs })
        };
        let names = plan.models().into_iter().flat_map(|(model, _)| {
            let seeds = own(&model);
            std::iter::once(model).chain(seeds)
        });
        let made: Vec<ModelSummary> = names.filter_map(of).collect();
        summary.models = made;
        if plan.growth {
            summary.fits = plan.methods.iter().filter_map(|method| summary.fit(plan, &method.id)).collect();
        }
        summary
    }

    /// Reads a summary back.
    ///
    /// # Errors
    /// When the text is no summary.
    pub fn from_json(text: &str) -> Result<Self, SummaryError> {
        serde_json::from_str(text)
    }

    /// The summary as text for a file.
    ///
    /// # Errors
    /// When a value has no JSON form.
    pub fn to_json(&self) -> Result<String, SummaryError> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// The cell of a method and group.
    pub fn cell(&self, method: &str, group: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.method == method && cell.group == group)
    }

    /// Its numbers.
    pub fn numbers(&self, method: &str, group: &str) -> Option<&Numbers> {
        self.cell(method, group)?.numbers.as_ref()
    }

    /// The group of this name.
    pub fn group(&self, id: &str) -> Option<&GroupSummary> {
        self.groups.iter().find(|group| group.group == id)
    }

    /// What went wrong, apart from missing models.
    pub fn failures(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(|cell| cell.absent.as_deref().is_some_and(|why| why.starts_with("failed")))
    }

    /// Seconds per instance against jobs.
    fn fit(&self, plan: &Plan, method: &str) -> Option<Fit> {
        let points: Vec<(f64, f64)> = plan
            .shown_groups()
            .filter_map(|group| {
                let found = self.group(&group.id)?;
                let numbers = self.numbers(method, &group.id)?;
                Some((found.x, numbers.seconds / found.instances as f64))
            })
            .collect();
        let last = points.get(points.len().saturating_sub(2)..).and_then(power_law);
        Some(Fit {
            method: method.to_string(),
            law: power_law(&points)?,
            last_exponent: last.map(|law| law.exponent),
        })
    }
}

/// What the rows say, each value once; `None` without rows.
fn distinct(runs: &[GroupRuns], what: fn(&Measurement) -> &str) -> Option<String> {
    let outcomes = runs.iter().flat_map(|group| &group.methods).map(|method| &method.outcome);
    let mut values: Vec<&str> = Vec::new();
    for outcome in outcomes {
        let Outcome::Rows(rows) = outcome else { continue };
        for row in rows {
            if !values.contains(&what(row)) {
                values.push(what(row));
            }
        }
    }
    (!values.is_empty()).then(|| values.join(", "))
}

impl Numbers {
    /// Expert, training and testing together; `None` where the training is not known.
    pub fn total(&self) -> Option<f64> {
        self.before.map(|before| before.expert + before.training + self.seconds)
    }
}
