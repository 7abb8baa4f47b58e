//! What the rows of a plan say, in one small file.

use serde::{Deserialize, Serialize};

use super::cell::{Cell, Numbers};
use super::cells::group_cells;
use super::comparison::{Comparison, comparisons};
use super::fit::Fit;
use super::machine::Machine;
use super::measurement::Measurement;
use super::model::{Models, NO_MODEL};
use super::model_summary::{ModelSummary, model_summaries};
use super::plan::Plan;
use super::runs::{GroupRuns, MethodRuns, Outcome};
use super::time_before::add_time_before;
use super::training_record::TrainingRecord;

/// The schema of the file.
const SCHEMA: &str = "pfss.reproduction/1";

/// The numbers of a plan and where they come from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// What the times were measured on.
    #[serde(default)]
    pub machines: Vec<Machine>,
    /// Which of two methods has the shorter orders, for the pairs that the plan's texts speak of.
    #[serde(default)]
    pub comparisons: Vec<Comparison>,
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

/// How a model was trained, or that its record is missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingSummary {
    /// The training of the plan.
    pub id: String,
    /// The record.
    pub record: Option<TrainingRecord>,
}

/// Why there is no summary.
pub type SummaryError = serde_json::Error;

impl Summary {
    /// The summary of finished runs.
    pub fn new(plan: &Plan, runs: &[GroupRuns], models: &Models, mut origin: Origin) -> Self {
        origin.commit = distinct(runs, |row| &row.commit).unwrap_or(origin.commit);
        origin.cpu = distinct(runs, |row| &row.cpu).unwrap_or(origin.cpu);
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
            groups: groups.collect(),
            trainings: trainings.collect(),
            models: model_summaries(plan, &origin.seeds, models),
            origin,
            ..Self::default()
        };
        summary.set_cells(plan, runs);
        add_time_before(plan, runs, models, &mut summary.cells);
        summary
    }

    /// All that follows from the rows alone.
    fn set_cells(&mut self, plan: &Plan, runs: &[GroupRuns]) {
        self.machines = machines(runs);
        self.cells = runs.iter().flat_map(|group| group_cells(plan, group, &self.machines)).collect();
        self.comparisons = comparisons(plan, runs);
        self.fits = match plan.growth {
            true => plan.methods.iter().filter_map(|method| self.fit(plan, &method.id)).collect(),
            false => Vec::new(),
        };
    }

    /// The same summary with all that follows from the rows made again from `rows`, as [`read_rows`] gives them.
    ///
    /// [`read_rows`]: super::read_rows
    pub fn from_rows(&self, plan: &Plan, mut rows: Vec<GroupRuns>) -> Self {
        rows.retain(|runs| self.group(&runs.group.id).is_some());
        for runs in &mut rows {
            let mut known = std::mem::take(&mut runs.methods);
            // What has no rows keeps its reason.
            for cell in self.cells.iter().filter(|cell| cell.group == runs.group.id) {
                let at = known.iter().position(|runs| runs.method == cell.method);
                let outcome = match at {
                    Some(at) => known.swap_remove(at).outcome,
                    None => Outcome::Missing(cell.absent.clone().unwrap_or_default()),
                };
                runs.methods.push(MethodRuns { method: cell.method.clone(), outcome });
            }
            // Rows that the summary does not tell of make it another one.
            runs.methods.extend(known);
        }
        let mut again = self.clone();
        again.set_cells(plan, &rows);
        for cell in &mut again.cells {
            if let Some(numbers) = &mut cell.numbers {
                numbers.before = self.numbers(&cell.method, &cell.group).and_then(|numbers| numbers.before);
            }
        }
        again
    }

    /// Two methods, group by group, as the plan's texts speak of them.
    pub fn comparison(&self, first: &str, second: &str) -> Option<&Comparison> {
        self.comparisons.iter().find(|known| known.first == first && known.second == second)
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

    /// The names of models that cells lack, each once.
    pub fn missing_models(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.cells.iter().filter_map(|cell| cell.absent.as_deref()?.strip_prefix(NO_MODEL)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// The rows of all methods and groups.
fn rows(runs: &[GroupRuns]) -> impl Iterator<Item = &Measurement> {
    let outcomes = runs.iter().flat_map(|group| &group.methods).map(|method| &method.outcome);
    outcomes.flat_map(|outcome| match outcome {
        Outcome::Rows(rows) => rows.as_slice(),
        Outcome::Missing(_) | Outcome::Failed(_) => &[],
    })
}

/// What the rows say, each value once; `None` without rows.
fn distinct(runs: &[GroupRuns], what: fn(&Measurement) -> &str) -> Option<String> {
    let mut values: Vec<&str> = Vec::new();
    for row in rows(runs) {
        if !values.contains(&what(row)) {
            values.push(what(row));
        }
    }
    (!values.is_empty()).then(|| values.join(", "))
}

/// What the rows were measured on, each machine once.
fn machines(runs: &[GroupRuns]) -> Vec<Machine> {
    let mut machines: Vec<Machine> = Vec::new();
    for row in rows(runs) {
        if !machines.iter().any(|known| known.cpu == row.cpu && known.workers == row.workers) {
            machines.push(row.machine());
        }
    }
    machines
}
