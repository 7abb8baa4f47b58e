//! The weights of a network, read from and written as safetensors.

use std::collections::{BTreeMap, HashMap};

use pfss_core::Seed;
use rand::RngExt;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{ModelError, NetworkConfig, tensors};

/// What tells a network's shape.
pub trait ModelConfig: Serialize + DeserializeOwned {
    /// The key of the configuration in a file's metadata, which tells kinds of models apart.
    const KEY: &'static str;

    /// Why there is no network of this shape.
    fn problem(&self) -> Option<String>;

    /// The names and shapes of all tensors that a file holds.
    fn stored(&self) -> Vec<(String, Vec<usize>)>;
}

/// A network's configuration and all of its tensors.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelWeights<C> {
    config: C,
    tensors: BTreeMap<String, Vec<f32>>,
}

/// The weights of the paper's network and its rivals: trained ones and running statistics.
pub type Weights = ModelWeights<NetworkConfig>;

impl ModelConfig for NetworkConfig {
    const KEY: &'static str = "pfss.policy/1";

    fn problem(&self) -> Option<String> {
        self.problem()
    }

    fn stored(&self) -> Vec<(String, Vec<usize>)> {
        self.tensors().into_iter().chain(self.running()).collect()
    }
}

impl<C: ModelConfig> ModelWeights<C> {
    /// Weights from tensors by name.
    ///
    /// # Errors
    /// [`ModelError`] when a tensor is missing, has the wrong size or holds a value that is not finite.
    pub fn new(config: C, given: HashMap<String, Vec<f32>>) -> Result<Self, ModelError> {
        if let Some(problem) = config.problem() {
            return Err(ModelError::Shape { problem });
        }
        let tensors = tensors::check(config.stored(), given)?;
        Ok(Self { config, tensors })
    }

    /// The configuration.
    pub fn config(&self) -> &C {
        &self.config
    }

    /// The values of a tensor; empty when there is none of this name.
    pub fn get(&self, name: &str) -> &[f32] {
        self.tensors.get(name).map_or(&[], Vec::as_slice)
    }

    /// What tells these weights from others: a hash of all numbers.
    pub fn fingerprint(&self) -> String {
        tensors::fingerprint(&self.tensors)
    }

    /// Reads a model.
    ///
    /// # Errors
    /// [`ModelError`] tells what is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        let (config, tensors) = tensors::read(bytes, C::KEY)?;
        Self::new(config, tensors)
    }

    /// The model as a file's content; the same weights give the same bytes.
    ///
    /// # Errors
    /// [`ModelError::Foreign`] when the format refuses; it has no reason to.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ModelError> {
        tensors::write(C::KEY, &self.config, self.config.stored(), &self.tensors)
    }
}

impl Weights {
    /// Weights drawn at random, of about the size that training gives: for tests and measurements.
    ///
    /// # Errors
    /// [`ModelError::Shape`] when there is no network of this shape.
    pub fn random(config: NetworkConfig, seed: u64) -> Result<Self, ModelError> {
        if let Some(problem) = config.problem() {
            return Err(ModelError::Shape { problem });
        }
        let mut rng = Seed::new(seed).stream("weights");
        let mut tensors = HashMap::new();
        for (name, shape) in config.stored() {
            let fan_in = *shape.last().unwrap_or(&1) as f32;
            let scale = if shape.len() > 1 { (3.0 / fan_in).sqrt() } else { 0.2 };
            let draw = |_| {
                let value = rng.random_range(-1.0f32..1.0) * scale;
                match name.rsplit('.').next() {
                    Some("running_var") => 0.5 + value.abs(),
                    Some("weight") if name.contains("norm") => 1.0 + value,
                    _ => value,
                }
            };
            let values: Vec<f32> = (0..shape.iter().product()).map(draw).collect();
            tensors.insert(name, values);
        }
        Self::new(config, tensors)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use safetensors::tensor::{TensorView, serialize};

    pub(crate) fn random_weights(config: NetworkConfig, seed: u64) -> Weights {
        Weights::random(config, seed).unwrap()
    }

    #[test]
    fn a_model_survives_its_file() {
        let weights = random_weights(NetworkConfig { width: 16, ..NetworkConfig::new(3) }, 1);
        let bytes = weights.to_bytes().unwrap();
        assert_eq!(Weights::from_bytes(&bytes).unwrap(), weights);
        assert_eq!(weights.to_bytes().unwrap(), bytes);
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        let weights = random_weights(NetworkConfig { width: 16, ..NetworkConfig::new(3) }, 1);
        let bytes = weights.to_bytes().unwrap();
        assert!(matches!(Weights::from_bytes(b"hello"), Err(ModelError::Foreign { .. })));
        assert!(matches!(Weights::from_bytes(&[]), Err(ModelError::Foreign { .. })));
        assert!(Weights::from_bytes(&bytes[..bytes.len() - 5]).is_err());
        let mut infinite = bytes.clone();
        let at = infinite.len() - 4;
        infinite[at..].copy_from_slice(&f32::INFINITY.to_le_bytes());
        assert!(matches!(Weights::from_bytes(&infinite), Err(ModelError::Tensor { .. })));
        let other = serialize::<&str, TensorView<'_>, _>([], None).unwrap();
        assert!(matches!(Weights::from_bytes(&other), Err(ModelError::Foreign { .. })));
    }
}
