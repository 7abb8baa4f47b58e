//! The weights of a network, read from and written as safetensors.

use std::collections::{BTreeMap, HashMap};

use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use sha2::{Digest, Sha256};

use super::{ModelError, NetworkConfig};

/// The key of the configuration in a file's metadata.
const CONFIG: &str = "pfss.policy/1";

/// A network's configuration and all of its tensors, trained ones and running statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    config: NetworkConfig,
    tensors: BTreeMap<String, Vec<f32>>,
}

impl Weights {
    /// Weights from tensors by name.
    ///
    /// # Errors
    /// [`ModelError`] when a tensor is missing, has the wrong size or holds a value that is not finite.
    pub fn new(config: NetworkConfig, mut given: HashMap<String, Vec<f32>>) -> Result<Self, ModelError> {
        if let Some(problem) = config.problem() {
            return Err(ModelError::Shape { problem });
        }
        let mut tensors = BTreeMap::new();
        for (name, shape) in config.tensors().into_iter().chain(config.running()) {
            let problem = |problem: String| ModelError::Tensor { name: name.clone(), problem };
            let values = given.remove(&name).ok_or_else(|| problem("is missing".to_string()))?;
            let expected: usize = shape.iter().product();
            if values.len() != expected {
                return Err(problem(format!("has {} values instead of {expected}", values.len())));
            }
            if values.iter().any(|value| !value.is_finite()) {
                return Err(problem("holds a value that is not finite".to_string()));
            }
            tensors.insert(name, values);
        }
        if let Some(name) = given.into_keys().next() {
            return Err(ModelError::Tensor { name, problem: "is not part of such a network".to_string() });
        }
        Ok(Self { config, tensors })
    }

    /// The configuration.
    pub fn config(&self) -> &NetworkConfig {
        &self.config
    }

    /// The values of a tensor; empty when there is none of this name.
    pub fn get(&self, name: &str) -> &[f32] {
        self.tensors.get(name).map_or(&[], Vec::as_slice)
    }

    /// What tells these weights from others: a hash of all numbers.
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        for (name, values) in &self.tensors {
            hash.update(name.as_bytes());
            values.iter().for_each(|value| hash.update(value.to_le_bytes()));
        }
        hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }

    /// Reads a model.
    ///
    /// # Errors
    /// [`ModelError`] tells what is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        let foreign = |reason: String| ModelError::Foreign { reason };
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| foreign(error.to_string()))?;
        let config = metadata
            .metadata()
            .as_ref()
            .and_then(|metadata| metadata.get(CONFIG))
            .ok_or_else(|| foreign(format!("its metadata has no `{CONFIG}`")))?;
        let config: NetworkConfig = serde_json::from_str(config)
            .map_err(|error| foreign(format!("its configuration cannot be read: {error}")))?;
        let file = SafeTensors::deserialize(bytes).map_err(|error| foreign(error.to_string()))?;
        let mut tensors = HashMap::new();
        for (name, view) in file.tensors() {
            if view.dtype() != Dtype::F32 {
                let problem = format!("holds {:?} instead of F32", view.dtype());
                return Err(ModelError::Tensor { name, problem });
            }
            let values =
                view.data().as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
            tensors.insert(name, values);
        }
        Self::new(config, tensors)
    }

    /// The model as a file's content; the same weights give the same bytes.
    ///
    /// # Errors
    /// [`ModelError::Foreign`] when the format refuses; it has no reason to.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ModelError> {
        let foreign = |reason: String| ModelError::Foreign { reason };
        let shapes = self.config.tensors().into_iter().chain(self.config.running());
        let data: Vec<(String, Vec<usize>, Vec<u8>)> = shapes
            .map(|(name, shape)| {
                let bytes = self.get(&name).iter().flat_map(|value| value.to_le_bytes()).collect();
                (name, shape, bytes)
            })
            .collect();
        let views: Vec<(&str, TensorView<'_>)> = data
            .iter()
            .map(|(name, shape, bytes)| {
                Ok((name.as_str(), TensorView::new(Dtype::F32, shape.clone(), bytes)?))
            })
            .collect::<Result<_, safetensors::SafeTensorError>>()
            .map_err(|error| foreign(error.to_string()))?;
        let config = serde_json::to_string(&self.config).map_err(|error| foreign(error.to_string()))?;
        let metadata = HashMap::from([(CONFIG.to_string(), config)]);
        serialize(views, Some(metadata)).map_err(|error| foreign(error.to_string()))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use pfss_core::Seed;
    use rand::RngExt;

    /// Weights drawn at random, of about the size that training gives.
    pub(crate) fn random_weights(config: NetworkConfig, seed: u64) -> Weights {
        let mut rng = Seed::new(seed).stream("weights");
        let mut tensors = HashMap::new();
        for (name, shape) in config.tensors().into_iter().chain(config.running()) {
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
        Weights::new(config, tensors).unwrap()
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
