//! A network in burn: what its parts share.

use std::cell::RefCell;
use std::collections::HashMap;

use burn::tensor::backend::Backend;
use burn::tensor::{Int, Tensor, TensorData};
use pfss_neural::{EncoderKind, ModelError, NeighbourGraph, NetworkConfig, Normalization, PolicyInput};

use crate::blocks::Sums;
use crate::parameters::Tensors;

/// What normalisation adds to a variance.
const EPSILON: f32 = 1e-5;

/// What a network is given of an instance, on the host.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    pub(super) features: Vec<f32>,
    neighbours: Vec<i32>,
    distances: Vec<f32>,
}

impl Prepared {
    pub(super) fn new(network: &NetworkConfig, instance: &impl PolicyInput) -> Result<Self, ModelError> {
        let features = network.features(instance)?;
        let graph = NeighbourGraph::new(&features, network.num_machines, network.neighbours);
        Ok(Self {
            neighbours: graph.neighbours().iter().map(|&job| job as i32).collect(),
            distances: graph.distances().to_vec(),
            features,
        })
    }
}

/// Instances of one size.
#[derive(Clone)]
pub(super) struct Batch<B: Backend> {
    /// By instance, job and machine.
    pub(super) features: Tensor<B, 3>,
    /// By instance, and job and neighbour.
    pub(super) neighbours: Tensor<B, 2, Int>,
    pub(super) distances: Tensor<B, 2>,
}

impl<B: Backend> Batch<B> {
    /// Instances of `n` jobs, brought to the device.
    pub(super) fn load(instances: &[Prepared], n: usize, device: &B::Device) -> Self {
        let count = instances.len();
        let features: Vec<f32> =
            instances.iter().flat_map(|instance| instance.features.iter().copied()).collect();
        let neighbours: Vec<i32> =
            instances.iter().flat_map(|instance| instance.neighbours.iter().copied()).collect();
        let distances: Vec<f32> =
            instances.iter().flat_map(|instance| instance.distances.iter().copied()).collect();
        let (width, edges) = (features.len() / (count * n).max(1), neighbours.len() / count.max(1));
        Self {
            features: Tensor::from_data(TensorData::new(features, [count, n, width]), device),
            neighbours: Tensor::from_data(TensorData::new(neighbours, [count, edges]), device),
            distances: Tensor::from_data(TensorData::new(distances, [count, edges]), device),
        }
    }
}

/// How a job's neighbours are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lookup {
    /// By index: best on the CPU.
    Index,
    /// By a product with a matrix of zeros and ones: on a GPU its gradient, a product too, is ten times as fast as
    /// the scattered sums that the other one needs.
    #[cfg_attr(not(any(feature = "cuda", test)), allow(dead_code))]
    Product,
}

/// The statistics of batch normalisation.
pub(super) enum Statistics<'a, B: Backend> {
    /// Those of the batch; they are noted by name.
    OfBatch(RefCell<HashMap<String, Tensor<B, 2>>>),
    /// Given ones.
    Running(&'a Tensors<B>),
}

impl<B: Backend> Statistics<'_, B> {
    pub(super) fn of_batch() -> Self {
        Self::OfBatch(RefCell::default())
    }

    /// The statistics that were noted, by name.
    pub(super) fn into_noted(self) -> HashMap<String, Tensor<B, 2>> {
        match self {
            Self::OfBatch(noted) => noted.into_inner(),
            Self::Running(_) => HashMap::new(),
        }
    }
}

/// A network's tensors and how they are used.
pub(super) struct Network<'a, B: Backend> {
    pub(super) config: &'a NetworkConfig,
    pub(super) tensors: &'a Tensors<B>,
    pub(super) statistics: &'a Statistics<'a, B>,
    pub(super) lookup: Lookup,
}

impl<B: Backend> Network<'_, B> {
    /// A GPU is where neighbours are looked up by a product.
    fn sums(&self) -> Sums {
        match self.lookup {
            Lookup::Index => Sums::Whole,
            Lookup::Product => Sums::Blocks,
        }
    }

    pub(super) fn linear(&self, name: &str, input: Tensor<B, 2>) -> Tensor<B, 2> {
        let part = |part: &str| self.tensors.get(&format!("{name}.{part}"));
        self.sums().linear(input, part("weight"), part("bias"))
    }

    /// Rows of all instances through a map without bias.
    pub(super) fn map(&self, input: Tensor<B, 3>, weight: Tensor<B, 2>) -> Tensor<B, 3> {
        let [count, rows, inputs] = input.dims();
        let outputs = weight.dims()[0];
        self.sums().map(input.reshape([count * rows, inputs]), weight).reshape([count, rows, outputs])
    }

    /// By instance, head, job and feature.
    pub(super) fn heads(&self, rows: Tensor<B, 3>) -> Tensor<B, 4> {
        let ([count, n, d], heads) = (rows.dims(), self.config.heads);
        rows.reshape([count, n, heads, d / heads]).swap_dims(1, 2)
    }

    pub(super) fn norm(&self, name: &str, input: Tensor<B, 2>) -> Tensor<B, 2> {
        let [count, d] = input.dims();
        let row = |part: &str| self.tensors.get(&format!("{name}.{part}")).reshape([1, 1, d]);
        let over_rows = |rows: Tensor<B, 3>| rows.mean_dim(0).mean_dim(1);
        let input = match self.config.normalization {
            Normalization::None => return input,
            _ => self.sums().cut(input),
        };
        let (variance, centred) = match (self.config.normalization, self.statistics) {
            (Normalization::Batch, Statistics::Running(running)) => {
                let row = |part: &str| running.get(&format!("{name}.{part}")).reshape([1, 1, d]);
                (row("running_var"), input - row("running_mean"))
            }
            (Normalization::Batch, Statistics::OfBatch(noted)) => {
                let mean = over_rows(input.clone());
                let centred = input - mean.clone();
                let variance = over_rows(centred.clone() * centred.clone());
                let unbiased = variance.clone().mul_scalar(count as f32 / (count as f32 - 1.0).max(1.0));
                let mut noted = noted.borrow_mut();
                noted.insert(format!("{name}.running_mean"), mean.reshape([1, d]));
                noted.insert(format!("{name}.running_var"), unbiased.reshape([1, d]));
                (variance, centred)
            }
            _ => {
                let mean = input.clone().mean_dim(2);
                let centred = input - mean;
                ((centred.clone() * centred.clone()).mean_dim(2), centred)
            }
        };
        let scaled = centred * variance.add_scalar(EPSILON).sqrt().recip();
        (scaled * row("weight") + row("bias")).reshape([count, d])
    }

    /// The embeddings of all jobs: by instance, job and feature.
    pub(super) fn encode(&self, batch: &Batch<B>) -> Tensor<B, 3> {
        match self.config.encoder {
            EncoderKind::Ggcn => self.convolve(batch),
            EncoderKind::Lstm => self.recur(batch),
            EncoderKind::Transformer => self.transform(batch),
        }
    }

    /// The numbers of the jobs through their first map.
    pub(super) fn embed(&self, batch: &Batch<B>) -> Tensor<B, 2> {
        let [count, n, m] = batch.features.dims();
        self.linear("job_embedding", batch.features.clone().reshape([count * n, m]))
    }

    /// The rows of all jobs in given orders, by instance. A product with ones and zeros: its gradient is a product too.
    pub(super) fn in_order(jobs: Tensor<B, 3>, orders: Tensor<B, 2, Int>) -> Tensor<B, 3> {
        let [count, n, _] = jobs.dims();
        let numbers = Tensor::<B, 1, Int>::arange(0..n as i64, &jobs.device()).reshape([1, 1, n]);
        let ones = orders.reshape([count, n, 1]).expand([count, n, n]).equal(numbers.expand([count, n, n]));
        ones.float().matmul(jobs)
    }
}
