//! One line of a file of rows, and what its head says.

use serde::Deserialize;

/// One run (count 1), or the mean over several instances.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct MeasuredRow {
    /// Which table it belongs to.
    pub table: String,
    /// The instances, as `gamma 20x5` or `20x5`.
    pub set: String,
    /// What was run on them.
    pub contender: String,
    /// The name of the instance; empty for a mean.
    pub instance: String,
    /// How many instances the row stands for.
    pub count: usize,
    /// The seed of the run, or of the instances of a mean.
    pub seed: Option<u64>,
    /// The limit of the run.
    pub limit: String,
    /// The makespan or length.
    pub cost: Option<f64>,
    /// The best-known makespan, where there is one.
    pub best_known: Option<f64>,
    /// The proven lower bound.
    pub bound: Option<f64>,
    /// `optimal` or `feasible`; empty for a mean.
    pub status: String,
    /// Seconds of the run, or on average; none in the file of instruction counts.
    pub runtime_s: Option<f64>,
    /// Evaluations of the run; instructions in the file of instruction counts.
    pub evaluations: Option<u64>,
}

impl MeasuredRow {
    /// Whether all of its numbers are some.
    pub(super) fn is_finite(&self) -> bool {
        [self.cost, self.best_known, self.bound, self.runtime_s].into_iter().flatten().all(f64::is_finite)
    }
}

/// Where and when the rows of a file were measured: the lines `# key: value` above them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The processor.
    pub cpu: String,
    /// How many cores there are, and how many runs went on at a time.
    pub cores: String,
    /// The day.
    pub date: String,
    /// The program with its version and commit.
    pub program: String,
    /// The command that made the rows.
    pub command: String,
    /// Whether the rows are of a tiny scale and mean nothing.
    pub quick: bool,
}

impl Origin {
    /// Reads the lines that begin with `#`.
    pub(super) fn parse(text: &str) -> Self {
        let value = |key: &str| {
            let start = format!("# {key}: ");
            text.lines().find_map(|line| line.strip_prefix(&start)).map(str::to_string)
        };
        let or_empty = |key: &str| value(key).unwrap_or_default();
        Self {
            cpu: or_empty("cpu"),
            cores: or_empty("cores"),
            date: or_empty("date"),
            program: or_empty("program"),
            command: or_empty("command"),
            quick: value("quick").is_some(),
        }
    }
}

#[cfg(test)]
impl MeasuredRow {
    /// One run.
    pub(super) fn run(set: &str, contender: &str, instance: &str, cost: f64) -> Self {
        Self {
            set: set.into(),
            contender: contender.into(),
            instance: instance.into(),
            count: 1,
            cost: Some(cost),
            ..Self::default()
        }
    }
}
