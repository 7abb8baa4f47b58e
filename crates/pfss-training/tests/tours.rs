//! A policy learns to build tours.

use std::sync::Arc;

use pfss_core::{Permutation, Seed};
use pfss_neural::{LabelledSet, NetworkConfig};
use pfss_training::{Device, Fresh, Method, PolicyLessons, PolicyTraining, PolicyTrainingConfig};
use pfss_tsp::{TOURS, TspInstance};
use serde_json::Map;

/// Tours through eight cities: drawn orders that are short become likely.
#[test]
fn an_actor_learns_short_tours() {
    let draw = |index: u64| Ok(TspInstance::uniform(8, Seed::new(5), index).unwrap().into());
    let fresh = Fresh { draw: Arc::new(draw), instances: 1280, description: String::new() };
    let network = NetworkConfig {
        width: 32,
        heads: 4,
        layers: 2,
        neighbours: 0.5,
        problem: TOURS,
        ..NetworkConfig::new(2)
    };
    let config = PolicyTrainingConfig {
        method: Method::ActorCritic,
        epochs: 5,
        batch_size: 64,
        learning_rate: 2e-3,
        ..PolicyTrainingConfig::new(network, 1)
    };
    let labels = (0..100).map(|index| {
        let instance = TspInstance::uniform(8, Seed::new(6), index).unwrap();
        (instance.into(), Permutation::identity(8))
    });
    let validation = LabelledSet::new(labels.collect(), Map::new()).unwrap();
    let mut training = PolicyTraining::new(config, &PolicyLessons::Fresh(fresh), Device::Cpu).unwrap();
    while !training.is_finished() {
        while training.batch() < training.batches() {
            training.step().unwrap();
        }
        training.finish_epoch(std::slice::from_ref(&validation)).unwrap();
    }
    let last = training.history().last().unwrap();
    // The expert here is chance: about 4.2, where the best tours have 2.7.
    assert!(last.gap < -20.0, "{:?}", training.history());
}
