//! The plan of a table or figure: which instances, which methods, what the paper prints.

use std::collections::HashSet;

use pfss::Settings;
use serde::Deserialize;
use thiserror::Error;

use super::figure::Figure;
use super::group::Group;
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
    /// What a practitioner should conclude, with places for numbers; one point of the list that the document begins with.
    #[serde(default)]
    pub conclusion: String,
    /// What the methods build.
    #[serde(default)]
    pub problem: Problem,
    /// The method that gaps are given to.
    #[serde(default)]
    pub baseline: String,
    /// The row of the paper that has the baseline's place in print, where it is another one.
    #[serde(default)]
    printed_baseline: String,
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

/// One row of a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Method {
    /// Its name in the plan.
    pub id: String,
    /// Its name in tables.
    pub label: String,
    /// Whether the paper has this row.
    #[serde(default)]
    pub paper: bool,
    /// A registered algorithm, `lower-bound`, or `paper-neh-plain`.
    pub algorithm: String,
    /// The algorithm's settings.
    #[serde(default)]
    pub settings: Settings,
    /// The model of a policy; `{n}` and `{m}` stand for the jobs and machines of the group.
    #[serde(default)]
    pub model: String,
    /// How long a run may take.
    #[serde(default)]
    pub limit: Limit,
    /// The groups that it takes part in; all when empty.
    #[serde(default)]
    pub groups: Vec<String>,
    /// Time that was spent before: the group and method that labelled the training instances.
    #[serde(default)]
    pub expert: Option<Expert>,
    /// The command that makes the model.
    #[serde(default)]
    pub train: String,
}

/// How the time of an expert is measured.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Expert {
    /// The group with as many instances as the training had.
    pub group: String,
    /// The expert.
    pub method: String,
}

/// How long a run may take.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// Until the method ends by itself.
    #[default]
    None,
    /// So many evaluations: the reproducible limit.
    Evaluations(u64),
    /// Seconds.
    Time(f64),
    /// The mean time of another method on the same group.
    TimeOf(String),
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
    /// The command that makes it.
    pub train: String,
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

    /// The models that it uses, each once, with the command that it proposes for them.
    pub fn models(&self) -> Vec<(String, String)> {
        let mut models: Vec<(String, String)> = Vec::new();
        let of_methods = self.methods.iter().flat_map(|method| {
            let groups = self.groups.iter().filter(|group| self.takes_part(method, group));
            groups.map(|group| (group.fill(&method.model), group.fill(&method.train)))
        });
        let of_trainings =
            self.trainings.iter().map(|training| (training.model.clone(), training.train.clone()));
        for (model, train) in of_methods.chain(of_trainings) {
            if !model.is_empty() && !models.iter().any(|(known, _)| *known == model) {
                models.push((model, train));
            }
        }
        models
    }

    /// Names that the plan uses but does not have, or has twice.
    fn inconsistency(&self) -> Option<String> {
        let ids = |all: &mut dyn Iterator<Item = &String>| -> Result<HashSet<String>, String> {
            let mut known = HashSet::new();
            for id in all {
                if !known.insert(id.clone()) {
                    return Err(format!("`{id}` stands twice"));
                }
            }
            Ok(known)
        };
        let (methods, groups, trainings) = match (
            ids(&mut self.methods.iter().map(|method| &method.id)),
            ids(&mut self.groups.iter().map(|group| &group.id)),
            ids(&mut self.trainings.iter().map(|training| &training.id)),
        ) {
            (Ok(methods), Ok(groups), Ok(trainings)) => (methods, groups, trainings),
            (Err(twice), ..) | (_, Err(twice), _) | (_, _, Err(twice)) => return Some(twice),
        };
        let mut wanted: Vec<(&String, &HashSet<String>)> = Vec::new();
        wanted.extend(
            [&self.baseline, &self.printed_baseline, &self.ours]
                .into_iter()
                .filter(|id| !id.is_empty())
                .map(|id| (id, &methods)),
        );
        for (at, method) in self.methods.iter().enumerate() {
            wanted.extend(method.groups.iter().map(|id| (id, &groups)));
            if let Some(expert) = &method.expert {
                wanted.extend([(&expert.group, &groups), (&expert.method, &methods)]);
            }
            if let Limit::TimeOf(other) = &method.limit
                && !self.methods[..at].iter().any(|earlier| earlier.id == *other)
            {
                return Some(format!(
                    "`{}` takes the time of `{other}`, which must stand above it",
                    method.id
                ));
            }
        }
        wanted.extend(self.figures.iter().flat_map(|figure| &figure.methods).map(|id| (id, &methods)));
        wanted.extend(self.figures.iter().flat_map(|figure| &figure.trainings).map(|id| (id, &trainings)));
        if let Some((id, _)) = wanted.into_iter().find(|(id, known)| !known.contains(*id)) {
            return Some(format!("there is no `{id}`"));
        }
        if let Some(error) = self.groups.iter().find_map(|group| group.source().err()) {
            return Some(error);
        }
        if let Some(error) = self.methods.iter().find_map(|method| method.unused(self.problem)) {
            return Some(error);
        }
        self.printed.stray(&methods, &groups, &trainings)
    }
}

impl Method {
    /// Whether other seeds can give other orders, so that each seed is a run of its own.
    pub fn is_random(&self) -> bool {
        match self.algorithm.as_str() {
            "random-search"
            | "iterated-local-search"
            | "paper-iterated-greedy"
            | "iterated-greedy"
            | "auto"
            | "beam" => true,
            "policy" => self.settings.get("decoding").is_some_and(|decoding| decoding == "sample"),
            _ => false,
        }
    }
}
