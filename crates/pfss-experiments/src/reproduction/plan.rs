//! The plan of a table or figure: which instances, which methods, what the paper prints.

use serde::Deserialize;
use thiserror::Error;

use super::figure::Figure;
use super::group::Group;
use super::method::Method;
use super::printed::Printed;

/// Why a plan cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The text is no plan.
    #[error("{name}: {reason}")]
    Parse {
        /// The plan.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// The plan speaks of something that it does not have.
    #[error("{name}: {reason}")]
    Inconsistent {
        /// The plan.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// There is no such plan.
    #[error("there is no plan `{name}`; known are: {known}, and `all`")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The plans that there are.
        known: String,
    },
}

/// A table or figure of the paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Plan {
    /// Its name on the command line.
    #[serde(skip)]
    pub name: String,
    /// A heading.
    pub title: String,
    /// Where it stands in the paper.
    pub paper: String,
    /// What is measured and how.
    pub caption: String,
    /// What the numbers say, with places for them; shown where there are results.
    #[serde(default)]
    pub reading: String,
    /// What the methods build.
    #[serde(default)]
    pub problem: Problem,
    /// The method that gaps are given to.
    #[serde(default)]
    pub baseline: String,
    /// The row of the paper that has the baseline's place in print, where it is another one.
    #[serde(default)]
    pub(super) printed_baseline: String,
    /// The method whose shorter orders the marks speak of.
    #[serde(default)]
    pub ours: String,
    /// The seeds of the methods' random choices.
    #[serde(default = "three_seeds")]
    pub seeds: Vec<u64>,
    /// The seed of drawn instances.
    #[serde(default = "data_seed")]
    pub data_seed: u64,
    /// Sets of instances, the columns of the paper's table.
    #[serde(default)]
    pub groups: Vec<Group>,
    /// The rows.
    #[serde(default)]
    pub methods: Vec<Method>,
    /// Models whose training is told.
    #[serde(default)]
    pub trainings: Vec<Training>,
    /// Pictures.
    #[serde(default)]
    pub figures: Vec<Figure>,
    /// Whether exponents of time against jobs are fitted.
    #[serde(default)]
    pub growth: bool,
    /// What the paper prints.
    #[serde(skip)]
    pub printed: Printed,
}

/// What the methods of a plan build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Problem {
    /// Orders of jobs.
    #[default]
    FlowShop,
    /// Tours through cities.
    Tsp,
}

/// A model whose training is told: its size, its time, its curve.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Training {
    /// Its name in the plan.
    pub id: String,
    /// Its name in tables.
    pub label: String,
    /// The model.
    pub model: String,
}

fn three_seeds() -> Vec<u64> {
    vec![1, 2, 3]
}

fn data_seed() -> u64 {
    2026
}

impl Plan {
    /// Reads a plan and the values that the paper prints.
    ///
    /// # Errors
    /// [`PlanError`] tells what is wrong.
    pub fn parse(name: &str, plan: &str, printed: &str) -> Result<Self, PlanError> {
        let parse = |reason: String| PlanError::Parse { name: name.to_string(), reason };
        let mut plan: Self = toml::from_str(plan).map_err(|error| parse(error.to_string()))?;
        plan.name = name.to_string();
        plan.printed = Printed::parse(printed).map_err(parse)?;
        match plan.inconsistency() {
            Some(reason) => Err(PlanError::Inconsistent { name: name.to_string(), reason }),
            None => Ok(plan),
        }
    }

    /// The method of this name.
    pub fn method(&self, id: &str) -> Option<&Method> {
        self.methods.iter().find(|method| method.id == id)
    }

    /// The group of this name.
    pub fn group(&self, id: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.id == id)
    }

    /// The groups that have a part of the table, which those for experts alone do not.
    pub fn shown_groups(&self) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(|group| !group.hidden)
    }

    /// Whether a method runs on a group. A group for an expert's time has that expert alone.
    pub fn takes_part(&self, method: &Method, group: &Group) -> bool {
        if group.hidden {
            let experts = self.methods.iter().filter_map(|method| method.expert.as_ref());
            return experts.into_iter().any(|expert| expert.group == group.id && expert.method == method.id);
        }
        method.groups.is_empty() || method.groups.contains(&group.id)
    }

    /// The row that gaps in print are given to.
    pub fn printed_baseline(&self) -> &str {
        if self.printed_baseline.is_empty() { &self.baseline } else { &self.printed_baseline }
    }

    /// The word for what is minimised.
    pub fn cost_name(&self) -> &'static str {
        match self.problem {
            Problem::FlowShop => "makespan",
            Problem::Tsp => "tour length",
        }
    }

    /// The models that it uses, each once.
    pub fn models(&self) -> Vec<String> {
        let mut models: Vec<String> = Vec::new();
        let of_methods = self.methods.iter().flat_map(|method| {
            let groups = self.groups.iter().filter(|group| self.takes_part(method, group));
            groups.map(|group| group.fill(&method.model))
        });
        let of_trainings = self.trainings.iter().map(|training| training.model.clone());
        for model in of_methods.chain(of_trainings) {
            if !model.is_empty() && !models.contains(&model) {
                models.push(model);
            }
        }
        models
    }
}
