//! All tensors of a network in one row, so that the optimiser works on a single tensor.

use std::collections::HashMap;

use pfss_core::Seed;
use pfss_neural::{ModelConfig, ModelError, ModelWeights};
use rand::RngExt;

use crate::engine::{Backend, Matrix, Tape, Var};

/// Tensors by name, each as a matrix; vectors are matrices of one row.
pub(crate) struct Tensors<B: Backend>(HashMap<String, Var<B>>);

impl<B: Backend> Tensors<B> {
    /// The tensor of this name; all names come from the network's configuration.
    pub(crate) fn get(&self, name: &str) -> &Var<B> {
        &self.0[name]
    }

    /// The same tensors, outside of any computation that is differentiated.
    pub(crate) fn plain(&self) -> Self {
        let plain = |(name, var): (&String, &Var<B>)| (name.clone(), var.plain());
        Self(self.0.iter().map(plain).collect())
    }
}

pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) offset: usize,
}

/// Where each tensor lies in the row.
pub(crate) struct Layout {
    pub(crate) entries: Vec<Entry>,
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
    pub(crate) fn split<B: Backend>(&self, row: &Matrix<B>) -> impl Iterator<Item = (&str, Matrix<B>)> {
        let part = |entry: &Entry| row.part(entry.offset, entry.rows, entry.columns);
        self.entries.iter().map(move |entry| (entry.name.as_str(), part(entry)))
    }

    /// The tensors of a row, whose gradients are not asked for.
    pub(crate) fn constants<B: Backend>(&self, tape: &Tape<B>, row: &Matrix<B>) -> Tensors<B> {
        Tensors(self.split(row).map(|(name, part)| (name.to_string(), tape.constant(part))).collect())
    }

    /// The tensors of a row, whose gradients are added to those of another one.
    pub(crate) fn parameters<B: Backend>(
        &self,
        tape: &Tape<B>,
        row: &Matrix<B>,
        gradient: &Matrix<B>,
    ) -> Tensors<B> {
        let mut tensors = HashMap::new();
        for ((name, part), (_, of_part)) in self.split(row).zip(self.split(gradient)) {
            tensors.insert(name.to_string(), tape.parameter(part, &of_part));
        }
        Tensors(tensors)
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
