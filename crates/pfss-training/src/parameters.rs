//! All tensors of a network in one row, so that the optimiser works on a single tensor.

use std::collections::HashMap;

use burn::tensor::Tensor;
use burn::tensor::backend::{AutodiffBackend, Backend};
use pfss_core::Seed;
use pfss_neural::{ModelConfig, ModelError, ModelWeights};
use rand::RngExt;

/// Tensors by name, each as a matrix; vectors are matrices of one row.
pub(crate) struct Tensors<B: Backend>(HashMap<String, Tensor<B, 2>>);

impl<B: Backend> Tensors<B> {
    /// The tensor of this name; all names come from the network's configuration.
    pub(crate) fn get(&self, name: &str) -> Tensor<B, 2> {
        self.0[name].clone()
    }
}

impl<B: AutodiffBackend> Tensors<B> {
    /// The same tensors, outside of any computation that is differentiated.
    pub(crate) fn inner(&self) -> Tensors<B::InnerBackend> {
        Tensors(self.0.iter().map(|(name, tensor)| (name.clone(), tensor.clone().inner())).collect())
    }
}

struct Entry {
    name: String,
    rows: usize,
    columns: usize,
    offset: usize,
}

/// Where each tensor lies in the row.
pub(crate) struct Layout {
    entries: Vec<Entry>,
    len: usize,
}

impl Layout {
    /// Of tensors with these names and shapes.
    pub(crate) fn new(tensors: &[(String, Vec<usize>)]) -> Self {
        let mut len = 0;
        let entries = tensors
            .iter()
            .map(|(name, shape)| {
                let (rows, columns) = match shape[..] {
                    [rows, columns] => (rows, columns),
                    _ => (1, shape.iter().product()),
                };
                let offset = len;
                len += rows * columns;
                Entry { name: name.clone(), rows, columns, offset }
            })
            .collect();
        Self { entries, len }
    }

    /// The length of the row.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The tensors of a row.
    pub(crate) fn split<B: Backend>(&self, row: &Tensor<B, 1>) -> Tensors<B> {
        let part = |entry: &Entry| {
            let part = row.clone().narrow(0, entry.offset, entry.rows * entry.columns);
            (entry.name.clone(), part.reshape([entry.rows, entry.columns]))
        };
        Tensors(self.entries.iter().map(part).collect())
    }

    /// The tensors of a row, as the leaves of a computation that is differentiated.
    pub(crate) fn leaves<B: AutodiffBackend>(&self, row: &Tensor<B::InnerBackend, 1>) -> Tensors<B> {
        let parts = self.split(row).0.into_iter();
        Tensors(parts.map(|(name, part)| (name, Tensor::from_inner(part).require_grad())).collect())
    }

    /// The gradients of the leaves, in one row; zero where a tensor plays no part.
    pub(crate) fn gradient<B: AutodiffBackend>(
        &self,
        leaves: &Tensors<B>,
        gradients: &B::Gradients,
        device: &B::Device,
    ) -> Tensor<B::InnerBackend, 1> {
        let of = |entry: &Entry| {
            let len = entry.rows * entry.columns;
            match leaves.get(&entry.name).grad(gradients) {
                Some(gradient) => gradient.reshape([len]),
                None => Tensor::zeros([len], device),
            }
        };
        Tensor::cat(self.entries.iter().map(of).collect(), 0)
    }

    /// A row from tensors by name; parts that are missing are taken from `old`.
    pub(crate) fn join<B: Backend>(
        &self,
        mut parts: HashMap<String, Tensor<B, 2>>,
        old: &Tensor<B, 1>,
    ) -> Tensor<B, 1> {
        let of = |entry: &Entry| {
            let len = entry.rows * entry.columns;
            match parts.remove(&entry.name) {
                Some(part) => part.reshape([len]),
                None => old.clone().narrow(0, entry.offset, len),
            }
        };
        Tensor::cat(self.entries.iter().map(of).collect(), 0)
    }

    /// The numbers of a row by the tensors' names.
    pub(crate) fn named(&self, row: &[f32]) -> HashMap<String, Vec<f32>> {
        let of = |entry: &Entry| {
            let part = &row[entry.offset..entry.offset + entry.rows * entry.columns];
            (entry.name.clone(), part.to_vec())
        };
        self.entries.iter().map(of).collect()
    }
}

/// A model from its numbers in one row, in the order in which a file holds them.
pub(crate) fn model<C: ModelConfig + Clone>(network: &C, row: &[f32]) -> Result<ModelWeights<C>, ModelError> {
    ModelWeights::new(network.clone(), Layout::new(&network.stored()).named(row))
}

/// The numbers of a model in one row, as [`model`] takes them.
pub(crate) fn in_one_row<C: ModelConfig>(weights: &ModelWeights<C>) -> Vec<f32> {
    let tensors = weights.config().stored();
    tensors.iter().flat_map(|(name, _)| weights.get(name).iter().copied()).collect()
}

/// First weights, as PyTorch draws them for linear maps: uniform within the root of the inverse number of inputs.
/// Norms begin as the identity. Drawn on the host, so that every device begins with the same numbers.
pub(crate) fn first_weights(tensors: &[(String, Vec<usize>)], seed: Seed) -> Vec<f32> {
    let mut rng = seed.stream("weights");
    let mut weights = Vec::new();
    let mut inputs = 1;
    for (name, shape) in tensors {
        let len: usize = shape.iter().product();
        if name.contains("norm") {
            weights.extend(std::iter::repeat_n(if name.ends_with("weight") { 1.0 } else { 0.0 }, len));
            continue;
        }
        // A bias has the inputs of its map, which comes before it; the edge embedding has one input.
        if name.starts_with("edge_embedding") {
            inputs = 1;
        } else if shape.len() > 1 {
            inputs = shape[1];
        }
        let limit = if name.ends_with("placeholders") { 1.0 } else { 1.0 / (inputs as f32).sqrt() };
        weights.extend((0..len).map(|_| rng.random_range(-limit..limit)));
    }
    weights
}

/// First running statistics: means of zero and variances of one.
pub(crate) fn first_statistics(running: &[(String, Vec<usize>)]) -> Vec<f32> {
    let of = |(name, shape): &(String, Vec<usize>)| {
        let value = if name.ends_with("running_var") { 1.0 } else { 0.0 };
        std::iter::repeat_n(value, shape.iter().product::<usize>())
    };
    running.iter().flat_map(of).collect()
}
