//! What came of the runs of a plan.

use super::group::Group;
use super::measurement::Measurement;

/// A group after its runs.
pub struct GroupRuns {
    /// The group; smaller than that of the plan in a quick run.
    pub group: Group,
    /// The names of its instances.
    pub instances: Vec<String>,
    /// Why there are none.
    pub skipped: Option<String>,
    /// The methods that take part.
    pub methods: Vec<MethodRuns>,
}

/// The runs of one method on one group.
pub struct MethodRuns {
    /// The method.
    pub method: String,
    /// Its rows, or why there are none.
    pub outcome: Outcome,
}

/// What came of a method on a group.
pub enum Outcome {
    /// A row per instance and seed.
    Rows(Vec<Measurement>),
    /// What is not there: a model, or the time of another method.
    Missing(String),
    /// Something is wrong.
    Failed(String),
}
