//! Trainings by imitation: interrupted, refused, and successful ones.

use pfss_core::{JobId, Permutation};
use pfss_neural::{LabelledSet, NetworkConfig, Policy};
use serde_json::Map;

use super::{begin, finish, flow_shop, imitation, labelled, small};
use crate::policy::{PolicyLessons, PolicyTraining, PolicyTrainingConfig};
use crate::{Device, TrainingError};

#[test]
fn an_interrupted_training_ends_with_the_same_weights() {
    let (set, validation) = (imitation(40, 7, 3, 1), labelled(10, 7, 3, 2));
    let whole = finish(begin(small(3), &set), &validation);
    for stop in 0..15 {
        let mut training = begin(small(3), &set);
        for _ in 0..stop {
            training.step().unwrap();
            if training.batch() == training.batches() && stop % 2 == 0 {
                training.finish_epoch(std::slice::from_ref(&validation)).unwrap();
            }
        }
        let bytes = training.checkpoint().unwrap();
        let resumed = PolicyTraining::resume(small(3), &set, Device::Cpu, &bytes).unwrap();
        let resumed = finish(resumed, &validation);
        assert_eq!(resumed.weights().unwrap(), whole.weights().unwrap());
        let curve = |training: &PolicyTraining| -> Vec<(f64, f64)> {
            training.history().iter().map(|epoch| (epoch.loss, epoch.cost)).collect()
        };
        assert_eq!(curve(&resumed), curve(&whole));
    }
    // More threads sum in the same order.
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let other = pool.install(|| finish(begin(small(3), &set), &validation).weights().unwrap());
        assert_eq!(other, whole.weights().unwrap());
    }
    let other = finish(begin(small(4), &set), &validation);
    assert_ne!(other.weights().unwrap(), whole.weights().unwrap());
}

#[test]
fn checkpoints_of_other_trainings_are_refused() {
    let set = imitation(16, 5, 3, 1);
    let training = begin(small(1), &set);
    let bytes = training.checkpoint().unwrap();
    let resume = |config, set: &PolicyLessons, bytes: &[u8]| {
        PolicyTraining::resume(config, set, Device::Cpu, bytes).map(|_| ())
    };
    assert!(matches!(resume(small(2), &set, &bytes), Err(TrainingError::Different { .. })));
    let other = imitation(16, 5, 3, 2);
    assert!(matches!(resume(small(1), &other, &bytes), Err(TrainingError::Different { .. })));
    let longer = PolicyTrainingConfig { epochs: 9, ..small(1) };
    resume(longer, &set, &bytes).unwrap();
    for length in [0, 5, 100, bytes.len() - 1] {
        let error = resume(small(1), &set, &bytes[..length]);
        assert!(matches!(error, Err(TrainingError::Checkpoint { .. })));
    }
}

/// A rule that the network can see: jobs by their first time. It must be learnt far better than chance.
#[test]
fn a_simple_expert_is_learnt() {
    let sorted = |count: usize, seed: u64| {
        let set = labelled(count, 6, 2, seed);
        let labels = set.items().iter().map(|item| {
            let mut order: Vec<JobId> = (0..6).collect();
            order.sort_by(|&a, &b| {
                flow_shop(&item.instance).time(a, 0).total_cmp(&flow_shop(&item.instance).time(b, 0))
            });
            (item.instance.clone(), Permutation::new(order, 6).unwrap())
        });
        LabelledSet::new(labels.collect(), Map::new()).unwrap()
    };
    let network = NetworkConfig { width: 32, heads: 4, layers: 2, ..NetworkConfig::new(2) };
    let config = PolicyTrainingConfig {
        epochs: 6,
        batch_size: 32,
        learning_rate: 3e-3,
        ..PolicyTrainingConfig::new(network, 1)
    };
    let training = begin(config, &PolicyLessons::Labelled(sorted(640, 1)));
    let training = finish(training, &sorted(50, 2));
    let (first, last) = (&training.history()[0], &training.history()[5]);
    // By chance the loss is ln(720) / 6 = 1.10.
    assert!(last.loss < 0.35 && last.loss < first.loss, "{} {}", first.loss, last.loss);
    let policy = Policy::new(&training.weights().unwrap());
    let right = sorted(50, 3)
        .items()
        .iter()
        .filter(|item| policy.greedy(&item.instance).unwrap()[..] == item.order[..])
        .count();
    assert!(right > 20, "{right}");
}

#[test]
fn settings_that_cannot_be_are_refused() {
    let set = imitation(4, 5, 3, 1);
    let refuse = |config: PolicyTrainingConfig| PolicyTraining::new(config, &set, Device::Cpu).err().unwrap();
    for config in [
        PolicyTrainingConfig { epochs: 0, ..small(1) },
        PolicyTrainingConfig { batch_size: 0, ..small(1) },
        PolicyTrainingConfig { learning_rate: 0.0, ..small(1) },
        PolicyTrainingConfig { decay: 1.5, ..small(1) },
        PolicyTrainingConfig { gradient_clip: f32::NAN, ..small(1) },
    ] {
        assert!(matches!(refuse(config), TrainingError::Setting { .. }));
    }
    let wrong = PolicyTrainingConfig { network: NetworkConfig::new(4), ..small(1) };
    assert!(refuse(wrong).to_string().contains("trained for 4 machines"));
}
