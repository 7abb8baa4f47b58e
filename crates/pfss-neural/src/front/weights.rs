//! The weights of a front policy.

use std::collections::{BTreeMap, HashMap};

use pfss_core::Seed;
use rand::RngExt;

use super::FrontConfig;
use crate::network::{ModelError, tensors};

/// The key of the configuration in a file's metadata.
const CONFIG: &str = "pfss.front/1";

/// A front policy's configuration and all of its tensors.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontWeights {
    config: FrontConfig,
    tensors: BTreeMap<String, Vec<f32>>,
}

impl FrontWeights {
    /// Weights from tensors by name.
    ///
    /// # Errors
    /// [`ModelError`] when a tensor is missing, has the wrong size or holds a value that is not finite.
    pub fn new(config: FrontConfig, given: HashMap<String, Vec<f32>>) -> Result<Self, ModelError> {
        if let Some(problem) = config.problem() {
            return Err(ModelError::Shape { problem });
        }
        let tensors = tensors::check(config.tensors(), given)?;
        Ok(Self { config, tensors })
    }

    /// Weights drawn at random, for tests and as the first weights of trainings: uniform within one over the root of
    /// a map's inputs, with a normalisation that changes nothing more.
    ///
    /// # Errors
    /// [`ModelError::Shape`] when there is no network of this shape.
    pub fn random(config: FrontConfig, seed: u64) -> Result<Self, ModelError> {
        if let Some(problem) = config.problem() {
            return Err(ModelError::Shape { problem });
        }
        let mut rng = Seed::new(seed).stream("weights");
        // A bias follows its map's weights, and is drawn within the same bounds.
        let mut bound = 1.0;
        let mut tensors = HashMap::new();
        for (name, shape) in config.tensors() {
            let count = shape.iter().product();
            if let [_, inputs] = shape[..] {
                bound = 1.0 / (inputs as f32).sqrt();
            }
            let values = match name.as_str() {
                "norm.weight" => vec![1.0; count],
                "norm.bias" => vec![0.0; count],
                _ => (0..count).map(|_| rng.random_range(-bound..bound)).collect(),
            };
            tensors.insert(name, values);
        }
        Self::new(config, tensors)
    }

    /// The configuration.
    pub fn config(&self) -> &FrontConfig {
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
        let (config, tensors) = tensors::read(bytes, CONFIG)?;
        Self::new(config, tensors)
    }

    /// The model as a file's content; the same weights give the same bytes.
    ///
    /// # Errors
    /// [`ModelError::Foreign`] when the format refuses; it has no reason to.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ModelError> {
        tensors::write(CONFIG, &self.config, self.config.tensors(), &self.tensors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NetworkConfig, Weights};

    fn small() -> FrontWeights {
        FrontWeights::random(FrontConfig { hidden: 5, width: 9, clip: 10.0 }, 1).unwrap()
    }

    #[test]
    fn a_model_survives_its_file() {
        let bytes = small().to_bytes().unwrap();
        assert_eq!(FrontWeights::from_bytes(&bytes).unwrap(), small());
        assert_eq!(small().to_bytes().unwrap(), bytes);
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        let bytes = small().to_bytes().unwrap();
        assert!(matches!(FrontWeights::from_bytes(b"hello"), Err(ModelError::Foreign { .. })));
        assert!(FrontWeights::from_bytes(&bytes[..bytes.len() - 5]).is_err());
        assert!(matches!(Weights::from_bytes(&bytes), Err(ModelError::Foreign { .. })));
        let other = crate::network::tests::random_weights(NetworkConfig::new(3), 1).to_bytes().unwrap();
        assert!(matches!(FrontWeights::from_bytes(&other), Err(ModelError::Foreign { .. })));
        let mut missing = small().tensors.into_iter().collect::<HashMap<_, _>>();
        missing.remove("norm.bias");
        assert!(matches!(
            FrontWeights::new(small().config, missing),
            Err(ModelError::Tensor { name, .. }) if name == "norm.bias"
        ));
        assert!(FrontWeights::random(FrontConfig { hidden: 0, ..FrontConfig::default() }, 1).is_err());
    }
}
