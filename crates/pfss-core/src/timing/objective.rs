//! What an order is judged by.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::ticks::Scale;

/// A number that is minimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// When the last job is done.
    Makespan,
    /// The weighted sum of completion times.
    TotalCompletion,
    /// The weighted sum of the times by which jobs are late.
    TotalTardiness,
    /// The greatest difference between completion and due date; negative where every job is early.
    MaxLateness,
    /// The weighted number of late jobs.
    LateJobs,
}

impl Objective {
    /// All objectives.
    pub const ALL: [Self; 5] =
        [Self::Makespan, Self::TotalCompletion, Self::TotalTardiness, Self::MaxLateness, Self::LateJobs];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Makespan => "makespan",
            Self::TotalCompletion => "total-completion",
            Self::TotalTardiness => "total-tardiness",
            Self::MaxLateness => "max-lateness",
            Self::LateJobs => "late-jobs",
        }
    }

    /// Whether it knows due dates.
    pub fn needs_due_dates(self) -> bool {
        matches!(self, Self::TotalTardiness | Self::MaxLateness | Self::LateJobs)
    }

    /// How many whole units of a value make one of the user's.
    pub(super) fn per_unit(self, time: Scale, weight: Scale) -> f64 {
        match self {
            Self::Makespan | Self::MaxLateness => time.per_unit(),
            Self::LateJobs => weight.per_unit(),
            Self::TotalCompletion | Self::TotalTardiness => time.per_unit() * weight.per_unit(),
        }
    }

    /// A value in the user's units.
    #[expect(clippy::cast_precision_loss, reason = "what is printed has the 53 bits of a double")]
    pub(super) fn units(self, value: i128, time: Scale, weight: Scale) -> f64 {
        value as f64 / self.per_unit(time, weight)
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that is no objective.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "there is no objective `{found}`; known are makespan, total-completion, total-tardiness, max-lateness and late-jobs"
)]
pub struct UnknownObjective {
    /// The word.
    pub found: String,
}

impl FromStr for Objective {
    type Err = UnknownObjective;

    fn from_str(text: &str) -> Result<Self, UnknownObjective> {
        Self::ALL
            .into_iter()
            .find(|objective| objective.name() == text)
            .ok_or_else(|| UnknownObjective { found: text.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for objective in Objective::ALL {
            assert_eq!(objective.name().parse(), Ok(objective));
        }
        let error = "tardiness".parse::<Objective>().unwrap_err();
        for objective in Objective::ALL {
            assert!(error.to_string().contains(objective.name()), "{error} should list {objective}");
        }
    }
}
