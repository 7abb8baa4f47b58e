//! A network: what its parts share.

use std::cell::RefCell;
use std::rc::Rc;

use pfss_neural::{
    EncoderKind, ModelError, NeighbourGraph, NetworkConfig, Normalization, PolicyInput, ProblemInstance,
};
use rayon::prelude::*;

use crate::TrainingError;
use crate::engine::{self, Backend, Graph, Matrix, Tape, Var};
use crate::parameters::Tensors;

/// What a network is given of an instance, on the host.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    pub(super) features: Vec<f32>,
    neighbours: Vec<u32>,
    distances: Vec<f32>,
}

impl Prepared {
    pub(super) fn new(network: &NetworkConfig, instance: &impl PolicyInput) -> Result<Self, ModelError> {
        let features = network.features(instance)?;
        let graph = NeighbourGraph::new(&features, network.num_machines, network.neighbours);
        let (neighbours, distances) = (graph.neighbours().to_vec(), graph.distances().to_vec());
        Ok(Self { features, neighbours, distances })
    }
}

/// Instances on the host, and their number of jobs.
pub(super) fn prepared(
    network: &NetworkConfig,
    instances: &[ProblemInstance],
) -> Result<(Vec<Prepared>, usize), TrainingError> {
    let prepared = instances.par_iter().map(|instance| Prepared::new(network, instance));
    let n = instances.first().map_or(0, PolicyInput::len);
    Ok((prepared.collect::<Result<_, ModelError>>()?, n))
}

/// Instances of one size.
pub(super) struct Batch<B: Backend> {
    /// How many there are, and of how many jobs.
    pub(super) count: usize,
    pub(super) jobs: usize,
    /// A row for each job.
    pub(super) features: Matrix<B>,
    /// A row for each edge.
    pub(super) distances: Matrix<B>,
    pub(super) graph: Rc<Graph<B>>,
}

impl<B: Backend> Batch<B> {
    /// Instances of `n` jobs, brought to the device.
    pub(super) fn load(network: &NetworkConfig, instances: &[Prepared], n: usize, backend: &B) -> Self {
        let features: Vec<f32> =
            instances.iter().flat_map(|instance| instance.features.iter().copied()).collect();
        let distances: Vec<f32> =
            instances.iter().flat_map(|instance| instance.distances.iter().copied()).collect();
        let rows = |(index, instance): (usize, &Prepared)| -> Vec<u32> {
            instance.neighbours.iter().map(|&job| (index * n) as u32 + job).collect()
        };
        let neighbours: Vec<u32> = instances.iter().enumerate().flat_map(rows).collect();
        let graph = Graph {
            degree: neighbours.len() / (instances.len() * n).max(1),
            neighbours: Rc::new(backend.upload_indices(&neighbours)),
            jobs: n,
            aggregation: network.aggregation,
        };
        Self {
            count: instances.len(),
            jobs: n,
            features: backend.upload(&features, network.num_machines),
            distances: backend.upload(&distances, 1),
            graph: Rc::new(graph),
        }
    }
}

/// The mean entropy of a choice, from those of all steps of each instance.
pub(super) fn mean_entropy<B: Backend>(
    backend: &B,
    sums: &Matrix<B>,
    n: usize,
) -> Result<f32, TrainingError> {
    let sums = backend.download(sums)?;
    Ok(sums.iter().sum::<f32>() / (sums.len() * n).max(1) as f32)
}

/// Statistics of a batch, by name.
pub(super) type Noted<B> = Vec<(String, Matrix<B>)>;

/// The statistics of batch normalisation.
pub(super) enum Statistics<'a, B: Backend> {
    /// Those of the batch; they are noted by name.
    OfBatch(RefCell<Noted<B>>),
    /// Given ones.
    Running(&'a Tensors<B>),
}

impl<B: Backend> Statistics<'_, B> {
    pub(super) fn of_batch() -> Self {
        Self::OfBatch(RefCell::default())
    }

    /// The statistics that were noted, by name.
    pub(super) fn into_noted(self) -> Noted<B> {
        match self {
            Self::OfBatch(noted) => noted.into_inner(),
            Self::Running(_) => Vec::new(),
        }
    }
}

/// A network's tensors and how they are used.
pub(super) struct Network<'a, B: Backend> {
    pub(super) config: &'a NetworkConfig,
    pub(super) tape: &'a Tape<B>,
    pub(super) tensors: &'a Tensors<B>,
    pub(super) statistics: &'a Statistics<'a, B>,
}

impl<B: Backend> Network<'_, B> {
    pub(super) fn backend(&self) -> &B {
        self.tape.device()
    }

    pub(super) fn tensor(&self, name: &str) -> &Var<B> {
        self.tensors.get(name)
    }

    /// A map with a bias.
    pub(super) fn linear(&self, name: &str, rows: &Var<B>) -> Var<B> {
        let part = |part: &str| self.tensor(&format!("{name}.{part}"));
        self.tape.linear(rows, part("weight"), Some(part("bias")))
    }

    /// A map without one.
    pub(super) fn map(&self, name: &str, rows: &Var<B>) -> Var<B> {
        self.tape.linear(rows, self.tensor(&format!("{name}.weight")), None)
    }

    /// `beside` plus the rectified norm of `rows`, where they ask for it.
    pub(super) fn norm(&self, name: &str, rows: &Var<B>, relu: bool, beside: Option<&Var<B>>) -> Var<B> {
        let part = |part: &str| self.tensor(&format!("{name}.{part}")).clone();
        let norm = (self.config.normalization != Normalization::None).then(|| engine::Norm {
            statistics: self.statistics_of(name, rows),
            weight: part("weight"),
            bias: part("bias"),
        });
        self.tape.normalise(rows, norm, relu, beside)
    }

    fn statistics_of(&self, name: &str, rows: &Var<B>) -> engine::Statistics<B> {
        match (self.config.normalization, self.statistics) {
            (Normalization::Batch, Statistics::Running(running)) => {
                let row = |part: &str| running.get(&format!("{name}.{part}")).value.clone();
                engine::Statistics::Columns { mean: row("running_mean"), variance: row("running_var") }
            }
            (Normalization::Batch, Statistics::OfBatch(noted)) => {
                let (count, d) = (rows.value.rows as f32, rows.value.columns);
                let [mean, variance, unbiased] = [(); 3].map(|()| self.backend().matrix(1, d));
                self.backend().column_statistics(&rows.value, &mean, &variance);
                self.backend().scale(&variance, count / (count - 1.0).max(1.0), &unbiased, false);
                let mut noted = noted.borrow_mut();
                noted.push((format!("{name}.running_mean"), mean.clone()));
                noted.push((format!("{name}.running_var"), unbiased));
                engine::Statistics::Columns { mean, variance }
            }
            _ => engine::Statistics::Rows,
        }
    }

    /// The embeddings of all jobs: a row for each.
    pub(super) fn encode(&self, batch: &Batch<B>) -> Var<B> {
        match self.config.encoder {
            EncoderKind::Ggcn => self.convolve(batch),
            EncoderKind::Lstm => self.recur(batch),
            EncoderKind::Transformer => self.transform(batch),
        }
    }

    /// The numbers of the jobs through their first map.
    pub(super) fn embed(&self, batch: &Batch<B>) -> Var<B> {
        self.linear("job_embedding", &self.tape.constant(batch.features.clone()))
    }

    /// The rows of all jobs in given orders.
    pub(super) fn in_order(&self, jobs: &Var<B>, orders: &[u32], n: usize) -> Var<B> {
        let row = |(place, &job): (usize, &u32)| (place / n * n) as u32 + job;
        let rows: Vec<u32> = orders.iter().enumerate().map(row).collect();
        self.tape.gather(jobs, &Rc::new(self.backend().upload_indices(&rows)), rows.len())
    }
}
