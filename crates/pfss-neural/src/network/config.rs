//! The shape of a policy network.

use serde::{Deserialize, Serialize};

use super::ModelError;
use crate::problem::{InputScale, PolicyInput, ProblemKind};

/// What makes embeddings of the jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EncoderKind {
    /// The paper's gated graph convolution.
    #[default]
    Ggcn,
    /// Self-attention and a recurrent layer over the jobs in turn, the paper's rival. Its embeddings depend on the
    /// order in which the jobs are given.
    Lstm,
    /// A Transformer's layers of self-attention and feed-forward maps.
    Transformer,
}

/// How a job's neighbours are put together (Ag in Eq. 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aggregation {
    /// The mean: best in the paper's tables.
    Mean,
    /// The sum.
    Sum,
    /// The maximum.
    Max,
}

/// What is normalised before the activation (Nm in Eq. 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Normalization {
    /// Each feature over the batch; with running means once the network is trained, so that an instance gets the
    /// same answer alone and in a batch.
    Batch,
    /// The features of each job or edge.
    Layer,
    /// Nothing.
    None,
}

/// What the decoder's attention looks at before each choice (Eq. 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Glimpse {
    /// The jobs that are left, as the paper's program has it.
    #[default]
    Open,
    /// All jobs, as the paper prints it.
    All,
}

impl Glimpse {
    fn is_open(&self) -> bool {
        *self == Self::Open
    }
}

/// How many times wider than the embeddings a Transformer's feed-forward layer is.
const FEED_FORWARD: usize = 4;

/// The shape of a policy network; the defaults are the paper's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkConfig {
    /// The number of machines, or of what another problem has in their place; a network is made for one.
    pub num_machines: usize,
    /// The problem.
    #[serde(default)]
    pub problem: ProblemKind,
    /// What makes embeddings of the jobs.
    #[serde(default)]
    pub encoder: EncoderKind,
    /// The width of all embeddings (d).
    #[serde(default = "defaults::width")]
    pub width: usize,
    /// The number of graph layers (L).
    #[serde(default = "defaults::layers")]
    pub layers: usize,
    /// The number of attention heads (M).
    #[serde(default = "defaults::heads")]
    pub heads: usize,
    /// Logits stay between minus and plus this (r).
    #[serde(default = "defaults::clip")]
    pub clip: f32,
    /// The share of the other jobs that are neighbours.
    #[serde(default = "defaults::neighbours")]
    pub neighbours: f64,
    /// How neighbours are put together.
    #[serde(default = "defaults::aggregation")]
    pub aggregation: Aggregation,
    /// What is normalised.
    #[serde(default = "defaults::normalization")]
    pub normalization: Normalization,
    /// What is done to processing times first.
    #[serde(default = "defaults::scale")]
    pub scale: InputScale,
    /// What the decoder looks at.
    #[serde(default, skip_serializing_if = "Glimpse::is_open")]
    pub glimpse: Glimpse,
}

mod defaults {
    use super::{Aggregation, InputScale, Normalization};

    pub(super) fn width() -> usize {
        128
    }
    pub(super) fn layers() -> usize {
        3
    }
    pub(super) fn heads() -> usize {
        8
    }
    pub(super) fn clip() -> f32 {
        10.0
    }
    pub(super) fn neighbours() -> f64 {
        0.2
    }
    pub(super) fn aggregation() -> Aggregation {
        Aggregation::Mean
    }
    pub(super) fn normalization() -> Normalization {
        Normalization::Batch
    }
    pub(super) fn scale() -> InputScale {
        InputScale::Raw
    }
}

impl NetworkConfig {
    /// The paper's network for so many machines.
    pub fn new(num_machines: usize) -> Self {
        Self {
            num_machines,
            problem: ProblemKind::FLOW_SHOP,
            encoder: EncoderKind::Ggcn,
            width: defaults::width(),
            layers: defaults::layers(),
            heads: defaults::heads(),
            clip: defaults::clip(),
            neighbours: defaults::neighbours(),
            aggregation: defaults::aggregation(),
            normalization: defaults::normalization(),
            scale: defaults::scale(),
            glimpse: Glimpse::Open,
        }
    }

    /// What the network sees of an instance: a row of numbers per job.
    ///
    /// # Errors
    /// [`ModelError`] when the network is for another problem or another number of machines.
    pub fn features(&self, input: &impl PolicyInput) -> Result<Vec<f32>, ModelError> {
        if self.problem != input.kind() {
            return Err(ModelError::Problem { expected: self.problem.clone(), found: input.kind() });
        }
        let (expected, found) = (self.num_machines, input.width());
        if expected != found {
            return Err(ModelError::Machines { expected, found });
        }
        Ok(input.rows(self.scale))
    }

    /// What is wrong with this shape, if anything.
    pub fn problem(&self) -> Option<String> {
        let is_within = |value: usize, most: usize| (1..=most).contains(&value);
        if !is_within(self.num_machines, 10_000) {
            Some(format!("{} machines", self.num_machines))
        } else if !is_within(self.layers, 64) {
            Some(format!("{} layers", self.layers))
        } else if !is_within(self.width, 4096)
            || !is_within(self.heads, 64)
            || !self.width.is_multiple_of(self.heads)
        {
            Some(format!("a width of {} with {} heads; the heads must divide it", self.width, self.heads))
        } else if !(self.clip > 0.0 && self.clip.is_finite()) {
            Some(format!("a clip of {}", self.clip))
        } else if !(self.neighbours > 0.0 && self.neighbours <= 1.0) {
            Some(format!("a share of neighbours of {}", self.neighbours))
        } else {
            None
        }
    }

    /// The names and shapes of all trainable tensors. Linear maps are stored as in PyTorch: rows are outputs.
    pub fn tensors(&self) -> Vec<(String, Vec<usize>)> {
        let d = self.width;
        let mut tensors = self.encoder_tensors();
        tensors.extend([
            ("decoder.placeholders".to_string(), vec![2, d]),
            ("decoder.jobs.weight".to_string(), vec![3 * d, d]),
            ("decoder.graph_context.weight".to_string(), vec![d, d]),
            ("decoder.step_context.weight".to_string(), vec![d, 2 * d]),
            ("decoder.output.weight".to_string(), vec![d, d]),
        ]);
        tensors
    }

    /// Those of the encoder alone.
    pub fn encoder_tensors(&self) -> Vec<(String, Vec<usize>)> {
        let (d, m) = (self.width, self.num_machines);
        let mut tensors = vec![
            ("job_embedding.weight".to_string(), vec![d, m]),
            ("job_embedding.bias".to_string(), vec![d]),
        ];
        if self.encoder == EncoderKind::Ggcn {
            tensors.push(("edge_embedding.weight".to_string(), vec![d]));
            tensors.push(("edge_embedding.bias".to_string(), vec![d]));
        }
        for layer in 0..self.layers {
            let mut push =
                |name: &str, shape: Vec<usize>| tensors.push((format!("layers.{layer}.{name}"), shape));
            let maps: &[&str] = match self.encoder {
                EncoderKind::Ggcn => &["b", "c", "d", "e", "f"],
                _ => &[],
            };
            for map in maps {
                push(&format!("{map}.weight"), vec![d, d]);
                push(&format!("{map}.bias"), vec![d]);
            }
            if self.encoder != EncoderKind::Ggcn {
                for map in ["query", "key", "value", "output"] {
                    push(&format!("attention.{map}.weight"), vec![d, d]);
                }
            }
            match self.encoder {
                EncoderKind::Ggcn => {}
                EncoderKind::Transformer => {
                    push("expand.weight", vec![FEED_FORWARD * d, d]);
                    push("expand.bias", vec![FEED_FORWARD * d]);
                    push("contract.weight", vec![d, FEED_FORWARD * d]);
                    push("contract.bias", vec![d]);
                }
                // Four gates one after the other: input, forget, output, and the new content.
                EncoderKind::Lstm => {
                    for map in ["input", "hidden"] {
                        push(&format!("lstm.{map}.weight"), vec![4 * d, d]);
                        push(&format!("lstm.{map}.bias"), vec![4 * d]);
                    }
                }
            }
            if self.normalization != Normalization::None {
                for norm in self.norms() {
                    push(&format!("{norm}.weight"), vec![d]);
                    push(&format!("{norm}.bias"), vec![d]);
                }
            }
        }
        tensors
    }

    /// The normalisations of a layer.
    fn norms(&self) -> &'static [&'static str] {
        match self.encoder {
            EncoderKind::Ggcn => &["job_norm", "edge_norm"],
            EncoderKind::Lstm => &["attention_norm"],
            EncoderKind::Transformer => &["attention_norm", "feed_forward_norm"],
        }
    }

    /// The running means and variances that go with batch normalisation; they are not trained.
    pub fn running(&self) -> Vec<(String, Vec<usize>)> {
        if self.normalization != Normalization::Batch {
            return Vec::new();
        }
        let names = (0..self.layers).flat_map(|layer| {
            self.norms().iter().flat_map(move |norm| {
                ["running_mean", "running_var"].map(|what| format!("layers.{layer}.{norm}.{what}"))
            })
        });
        names.map(|name| (name, vec![self.width])).collect()
    }

    /// The number of trainable parameters.
    pub fn num_parameters(&self) -> usize {
        self.tensors().iter().map(|(_, shape)| shape.iter().product::<usize>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_network_has_365_184_parameters() {
        assert_eq!(NetworkConfig::new(5).num_parameters(), 365_184);
        assert_eq!(NetworkConfig::new(10).num_parameters(), 365_184 + 5 * 128);
    }

    /// The sizes that the paper's rivals come to.
    #[test]
    fn rivals_have_about_709_000_parameters() {
        let with = |encoder| NetworkConfig { encoder, ..NetworkConfig::new(5) };
        assert_eq!(with(EncoderKind::Transformer).num_parameters(), 708_992);
        assert_eq!(with(EncoderKind::Lstm).num_parameters(), 709_376);
    }

    #[test]
    fn shapes_are_checked_and_read_from_json() {
        let config: NetworkConfig =
            serde_json::from_str(r#"{"num_machines":5,"aggregation":"max"}"#).unwrap();
        assert_eq!(config, NetworkConfig { aggregation: Aggregation::Max, ..NetworkConfig::new(5) });
        assert_eq!(config.problem(), None);
        for wrong in [
            NetworkConfig { heads: 7, ..NetworkConfig::new(5) },
            NetworkConfig { num_machines: 0, ..NetworkConfig::new(5) },
            NetworkConfig { clip: f32::NAN, ..NetworkConfig::new(5) },
            NetworkConfig { neighbours: 0.0, ..NetworkConfig::new(5) },
        ] {
            assert!(wrong.problem().is_some());
        }
        assert!(serde_json::from_str::<NetworkConfig>(r#"{"num_machines":5,"depth":3}"#).is_err());
    }
}
