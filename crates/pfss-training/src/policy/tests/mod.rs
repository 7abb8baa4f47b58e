//! The paper's network against its twins, and its trainings; here, what they are tried on.

mod actor_critic;
mod behaviour_cloning;
mod forward;
#[cfg(feature = "cuda")]
mod gpu;
mod gradients;

use std::sync::Arc;

use pfss_core::{Instance, JobId, Permutation, Seed};
use pfss_neural::{
    Aggregation, EncoderKind, Glimpse, LabelledSet, NetworkConfig, Normalization, ProblemInstance, Weights,
};
use rand::RngExt;
use rand::seq::SliceRandom;
use serde_json::Map;

use super::{Fresh, Method, PolicyLessons, PolicyTraining, PolicyTrainingConfig};
use crate::Device;
use crate::parameters::in_one_row;

const ENCODERS: [EncoderKind; 3] = [EncoderKind::Ggcn, EncoderKind::Lstm, EncoderKind::Transformer];

/// Networks of this size with every encoder, aggregation and normalisation.
fn kinds(size: &NetworkConfig) -> Vec<NetworkConfig> {
    let mut kinds = Vec::new();
    for normalization in [Normalization::Batch, Normalization::Layer, Normalization::None] {
        for (encoder, aggregation) in [
            (EncoderKind::Ggcn, Aggregation::Mean),
            (EncoderKind::Ggcn, Aggregation::Sum),
            (EncoderKind::Ggcn, Aggregation::Max),
            (EncoderKind::Lstm, Aggregation::Mean),
            (EncoderKind::Transformer, Aggregation::Mean),
        ] {
            kinds.push(NetworkConfig { encoder, aggregation, normalization, ..size.clone() });
        }
        kinds.push(NetworkConfig { normalization, glimpse: Glimpse::All, ..size.clone() });
    }
    kinds
}

fn labelled(count: usize, n: usize, m: usize, seed: u64) -> LabelledSet {
    labelled_below(2.0, count, n, m, seed)
}

/// With times below `most`: random weights make large logits of large times, all of them clipped.
fn labelled_below(most: f64, count: usize, n: usize, m: usize, seed: u64) -> LabelledSet {
    let mut rng = Seed::new(seed).stream("set");
    let labels = (0..count).map(|_| {
        let times = (0..n * m).map(|_| rng.random_range(0.0..most)).collect();
        let mut order: Vec<JobId> = (0..n as JobId).collect();
        order.shuffle(&mut rng);
        (Instance::new("", m, times).unwrap().into(), Permutation::new(order, n).unwrap())
    });
    LabelledSet::new(labels.collect(), Map::new()).unwrap()
}

fn flow_shop(instance: &ProblemInstance) -> &Instance<f64> {
    instance.get().unwrap()
}

fn small(seed: u64) -> PolicyTrainingConfig {
    let network = NetworkConfig { width: 16, heads: 2, layers: 2, ..NetworkConfig::new(3) };
    PolicyTrainingConfig {
        epochs: 3,
        batch_size: 8,
        learning_rate: 1e-3,
        ..PolicyTrainingConfig::new(network, seed)
    }
}

/// Instances in the order of an expert that knows nothing.
fn imitation(count: usize, n: usize, m: usize, seed: u64) -> PolicyLessons {
    PolicyLessons::Labelled(labelled(count, n, m, seed))
}

fn begin(config: PolicyTrainingConfig, lessons: &PolicyLessons) -> PolicyTraining {
    begin_on(config, lessons, Device::Cpu)
}

fn begin_on(config: PolicyTrainingConfig, lessons: &PolicyLessons, device: Device) -> PolicyTraining {
    PolicyTraining::new(config, lessons, device).unwrap()
}

fn finish(mut training: PolicyTraining, validation: &LabelledSet) -> PolicyTraining {
    while !training.is_finished() {
        while training.batch() < training.batches() {
            training.step().unwrap();
        }
        training.finish_epoch(std::slice::from_ref(validation)).unwrap();
    }
    training
}

fn fresh(n: usize, m: usize, instances: usize) -> Fresh {
    let draw = move |index: u64| {
        let mut rng = Seed::new(77).nth(index).rng();
        let times = (0..n * m).map(|_| rng.random_range(0.0..2.0)).collect();
        Ok(Instance::new("", m, times).unwrap().into())
    };
    Fresh { draw: Arc::new(draw), instances, description: format!("{n} {m}") }
}

fn small_critic(encoder: EncoderKind) -> PolicyTrainingConfig {
    let config = small(3);
    PolicyTrainingConfig {
        method: Method::ActorCritic,
        network: NetworkConfig { encoder, ..config.network.clone() },
        epochs: 2,
        ..config
    }
}

/// The weights in one row, without running statistics.
fn trained_row(weights: &Weights) -> Vec<f32> {
    let mut row = in_one_row(weights);
    row.truncate(weights.config().num_parameters());
    row
}
