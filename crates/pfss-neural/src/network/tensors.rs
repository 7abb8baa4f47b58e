//! Tensors by name: checked against their shapes, read from and written as safetensors.

use std::collections::{BTreeMap, HashMap};

use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::ModelError;

/// The names and shapes that a network has.
pub(crate) type Shapes = Vec<(String, Vec<usize>)>;

/// Tensors, checked to be those of `shapes`, no more and no less, and finite.
pub(crate) fn check(
    shapes: Shapes,
    mut given: HashMap<String, Vec<f32>>,
) -> Result<BTreeMap<String, Vec<f32>>, ModelError> {
    let mut tensors = BTreeMap::new();
    for (name, shape) in shapes {
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
    match given.into_keys().next() {
        Some(name) => Err(ModelError::Tensor { name, problem: "is not part of such a network".to_string() }),
        None => Ok(tensors),
    }
}

/// The configuration under `key` of a file's metadata, and the file's tensors.
pub(crate) fn read<C: DeserializeOwned>(
    bytes: &[u8],
    key: &str,
) -> Result<(C, HashMap<String, Vec<f32>>), ModelError> {
    let foreign = |reason: String| ModelError::Foreign { reason };
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| foreign(error.to_string()))?;
    let config = metadata
        .metadata()
        .as_ref()
        .and_then(|metadata| metadata.get(key))
        .ok_or_else(|| foreign(format!("its metadata has no `{key}`")))?;
    let config: C = serde_json::from_str(config)
        .map_err(|error| foreign(format!("its configuration cannot be read: {error}")))?;
    let file = SafeTensors::deserialize(bytes).map_err(|error| foreign(error.to_string()))?;
    let mut tensors = HashMap::new();
    for (name, view) in file.tensors() {
        if view.dtype() != Dtype::F32 {
            let problem = format!("holds {:?} instead of F32", view.dtype());
            return Err(ModelError::Tensor { name, problem });
        }
        let values = view.data().as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        tensors.insert(name, values);
    }
    Ok((config, tensors))
}

/// A file's content: the configuration under `key`, and the tensors in the order of `shapes`.
pub(crate) fn write(
    key: &str,
    config: &impl Serialize,
    shapes: Shapes,
    tensors: &BTreeMap<String, Vec<f32>>,
) -> Result<Vec<u8>, ModelError> {
    let foreign = |reason: String| ModelError::Foreign { reason };
    let data: Vec<(String, Vec<usize>, Vec<u8>)> = shapes
        .into_iter()
        .map(|(name, shape)| {
            let values = tensors.get(&name).map_or(&[][..], Vec::as_slice);
            let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            (name, shape, bytes)
        })
        .collect();
    let views: Vec<(&str, TensorView<'_>)> = data
        .iter()
        .map(|(name, shape, bytes)| Ok((name.as_str(), TensorView::new(Dtype::F32, shape.clone(), bytes)?)))
        .collect::<Result<_, safetensors::SafeTensorError>>()
        .map_err(|error| foreign(error.to_string()))?;
    let config = serde_json::to_string(config).map_err(|error| foreign(error.to_string()))?;
    let metadata = HashMap::from([(key.to_string(), config)]);
    serialize(views, Some(metadata)).map_err(|error| foreign(error.to_string()))
}

/// What tells these tensors from others: a hash of all numbers.
pub(crate) fn fingerprint(tensors: &BTreeMap<String, Vec<f32>>) -> String {
    let mut hash = Sha256::new();
    for (name, values) in tensors {
        hash.update(name.as_bytes());
        values.iter().for_each(|value| hash.update(value.to_le_bytes()));
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
