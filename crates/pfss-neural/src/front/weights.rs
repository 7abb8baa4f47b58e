//! The weights of a front policy.

use std::collections::HashMap;

use pfss_core::Seed;
use rand::RngExt;

use super::FrontConfig;
use crate::network::{ModelConfig, ModelError, ModelWeights};

/// A front policy's configuration and all of its tensors.
pub type FrontWeights = ModelWeights<FrontConfig>;

impl ModelConfig for FrontConfig {
    const KEY: &'static str = "pfss.front/1";

    fn problem(&self) -> Option<String> {
        self.problem()
    }

    fn stored(&self) -> Vec<(String, Vec<usize>)> {
        self.tensors()
    }
}

impl FrontWeights {
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
        let kept = small().config().tensors().into_iter().filter(|(name, _)| name != "norm.bias");
        let missing = kept.map(|(name, _)| (name.clone(), small().get(&name).to_vec())).collect();
        assert!(matches!(
            FrontWeights::new(small().config().clone(), missing),
            Err(ModelError::Tensor { name, .. }) if name == "norm.bias"
        ));
        assert!(FrontWeights::random(FrontConfig { hidden: 0, ..FrontConfig::default() }, 1).is_err());
    }
}
