//! The shape of a front policy's network.

use serde::{Deserialize, Serialize};

use super::finish::Finish;
use super::shortlist::Shortlist;

/// Numbers that describe a candidate on a machine.
pub(crate) const FEATURES: usize = 16;

/// Numbers that describe a whole state: the share of jobs left, and logarithms of the sizes.
pub(crate) const SCALARS: usize = 4;

/// The shape of a front policy's network. One network serves any number of jobs and machines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FrontConfig {
    /// The width of both layers that see single machines (h).
    pub hidden: usize,
    /// The width of a candidate's embedding (d).
    pub width: usize,
    /// Logits stay between minus and plus this.
    pub clip: f32,
}

impl Default for FrontConfig {
    fn default() -> Self {
        Self { hidden: 64, width: 128, clip: 10.0 }
    }
}

impl FrontConfig {
    /// About how many multiply-adds a greedy order takes, by a policy of this shape with the usual shortlist and finish.
    pub fn multiply_adds(&self, num_jobs: usize, num_machines: usize) -> f64 {
        let scored = Shortlist::default().total(num_jobs, Finish::default().of(num_jobs));
        scored as f64 * self.multiply_adds_per_job(num_machines)
    }

    /// Those of scoring one job at both ends.
    pub(super) fn multiply_adds_per_job(&self, num_machines: usize) -> f64 {
        let (h, d) = (self.hidden as f64, self.width as f64);
        let per_machine = h * (FEATURES as f64 / 2.0 + h);
        let per_candidate = d * (2.0 * h + 2.0 * d);
        2.0 * (per_machine * num_machines as f64 + per_candidate)
    }

    /// What is wrong with this shape, if anything.
    pub fn problem(&self) -> Option<String> {
        let is_within = |value: usize| (1..=4096).contains(&value);
        if !is_within(self.hidden) {
            Some(format!("machine layers of width {}", self.hidden))
        } else if !is_within(self.width) {
            Some(format!("a width of {}", self.width))
        } else if !(self.clip > 0.0 && self.clip.is_finite()) {
            Some(format!("a clip of {}", self.clip))
        } else {
            None
        }
    }

    /// The names and shapes of all tensors. Linear maps are stored as in PyTorch: rows are outputs.
    pub fn tensors(&self) -> Vec<(String, Vec<usize>)> {
        let (h, d) = (self.hidden, self.width);
        let tensors = [
            ("machine.0.weight", vec![h, FEATURES]),
            ("machine.0.bias", vec![h]),
            ("machine.1.weight", vec![h, h]),
            ("machine.1.bias", vec![h]),
            ("candidate.weight", vec![d, 2 * h + SCALARS]),
            ("candidate.bias", vec![d]),
            ("mix.own.weight", vec![d, d]),
            ("mix.own.bias", vec![d]),
            ("mix.context.weight", vec![d, 3 * d]),
            ("norm.weight", vec![d]),
            ("norm.bias", vec![d]),
            ("score.own.weight", vec![d, d]),
            ("score.own.bias", vec![d]),
            ("score.context.weight", vec![d, 3 * d]),
            ("score.output.weight", vec![1, d]),
            ("score.output.bias", vec![1]),
        ];
        tensors.map(|(name, shape)| (name.to_string(), shape)).to_vec()
    }

    /// The number of parameters, all of them trainable.
    pub fn num_parameters(&self) -> usize {
        self.tensors().iter().map(|(_, shape)| shape.iter().product::<usize>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_network_has_153_985_parameters() {
        assert_eq!(FrontConfig::default().num_parameters(), 153_985);
    }

    #[test]
    fn shapes_are_checked_and_read_from_json() {
        let config: FrontConfig = serde_json::from_str(r#"{"width":32}"#).unwrap();
        assert_eq!(config, FrontConfig { width: 32, ..FrontConfig::default() });
        assert_eq!(config.problem(), None);
        assert!(serde_json::from_str::<FrontConfig>(r#"{"depth":3}"#).is_err());
        let usual = FrontConfig::default;
        for wrong in [
            FrontConfig { hidden: 0, ..usual() },
            FrontConfig { width: 5000, ..usual() },
            FrontConfig { clip: f32::NAN, ..usual() },
        ] {
            assert!(wrong.problem().is_some());
        }
    }
}
