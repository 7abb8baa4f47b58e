//! One method on one group, in numbers.

use serde::{Deserialize, Serialize};

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
    /// The mean of each seed or training, where there are several.
    #[serde(default)]
    pub by_seed: Vec<SeedMean>,
    /// Which of the summary's machines measured the time; `None` when it was more than one.
    #[serde(default)]
    pub machine: Option<usize>,
}

/// The mean over the instances for one seed of a search, or one training of a model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedMean {
    /// The seed.
    pub seed: u64,
    /// The mean cost.
    pub cost: f64,
    /// The mean of the ratios to the baseline - 1, in percent.
    pub gap: Option<f64>,
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

impl Numbers {
    /// Expert, training and testing together; `None` where the training is not known.
    pub fn total(&self) -> Option<f64> {
        self.before.map(|before| before.expert + before.training + self.seconds)
    }
}
