//! A row of a table: what runs, with which settings, and how long.

use pfss::Settings;
use serde::Deserialize;

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
