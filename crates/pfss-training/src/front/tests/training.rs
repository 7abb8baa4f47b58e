//! Trainings: interrupted and successful ones.

use std::sync::Arc;

use pfss_core::Seed;
use pfss_neural::{FrontConfig, LabelledSet};

use super::lessons;
use crate::config::TrainingConfig;
use crate::front::{FrontTraining, FrontTrainingConfig};
use crate::learner::BatchNumber;
use crate::{Device, TrainingError};

fn config() -> FrontTrainingConfig {
    FrontTrainingConfig {
        network: FrontConfig { hidden: 16, width: 32, ..FrontConfig::default() },
        imitation_epochs: 2,
        gradient_epochs: 1,
        batches: 4,
        parts: 2,
        rows: 2000,
        instances: 4,
        samples: 4,
        ..FrontTrainingConfig::new(3)
    }
}

fn finish(mut training: FrontTraining, validation: &[LabelledSet]) -> FrontTraining {
    while !training.is_finished() {
        while training.batch() < training.config().batches {
            training.step().unwrap();
        }
        training.finish_epoch(validation).unwrap();
    }
    training
}

fn validation() -> Vec<LabelledSet> {
    lessons().sources.iter().map(|source| (**source.labelled.as_ref().unwrap()).clone()).collect()
}

#[test]
fn an_interrupted_training_ends_with_the_same_weights() {
    let validation = validation();
    let begin = || FrontTraining::new(config(), &lessons(), Device::Cpu).unwrap();
    let whole = finish(begin(), &validation);
    for stop in [0, 3, 4, 9, 11] {
        let mut training = begin();
        for _ in 0..stop {
            if training.batch() == training.config().batches {
                training.finish_epoch(&validation).unwrap();
            }
            training.step().unwrap();
        }
        let bytes = training.checkpoint().unwrap();
        let resumed = FrontTraining::resume(config(), &lessons(), Device::Cpu, &bytes).unwrap();
        let resumed = finish(resumed, &validation);
        assert_eq!(resumed.weights().unwrap(), whole.weights().unwrap());
        let other = FrontTrainingConfig { batches: 5, ..config() };
        let error = FrontTraining::resume(other, &lessons(), Device::Cpu, &bytes).err().unwrap();
        assert!(matches!(error, TrainingError::Different { .. }));
    }
    let started = begin().with_start(&whole.weights().unwrap()).unwrap();
    assert_eq!(started.weights().unwrap(), whole.weights().unwrap());
}

#[test]
fn a_training_starts_from_a_narrower_network_where_it_can_grow() {
    let narrow = FrontTraining::new(config(), &lessons(), Device::Cpu).unwrap().weights().unwrap();
    let begin = |hidden, width| {
        let network = FrontConfig { hidden, width, ..FrontConfig::default() };
        FrontTraining::new(FrontTrainingConfig { network, ..config() }, &lessons(), Device::Cpu).unwrap()
    };
    let mut wide = begin(32, 32).with_start(&narrow).unwrap();
    let first = wide.weights().unwrap();
    assert_eq!(first, narrow.widened(&wide.config().network, 3).unwrap());
    wide.step().unwrap();
    // Copies of a unit part ways.
    let learnt = wide.weights().unwrap();
    let bias = learnt.get("machine.0.bias");
    assert_eq!(first.get("machine.0.bias")[..16], first.get("machine.0.bias")[16..]);
    assert!((0..16).any(|unit| bias[unit] != bias[unit + 16]));
    assert!(matches!(begin(24, 32).with_start(&narrow), Err(TrainingError::Start { .. })));
}

#[test]
fn a_simple_expert_is_learnt_and_then_left_behind() {
    let longer = FrontTrainingConfig {
        imitation_epochs: 6,
        gradient_epochs: 6,
        batches: 20,
        instances: 16,
        samples: 8,
        imitation_rate: 5e-3,
        gradient_rate: 2e-3,
        ..config()
    };
    let training = FrontTraining::new(longer, &lessons(), Device::Cpu).unwrap();
    let training = finish(training, &validation());
    let history = training.history();
    // Two candidates of up to sixteen are right by chance; the losses of imitation fall below one.
    assert!(history[5].loss < 1.0 && history[5].loss < history[0].loss, "{history:?}");
    // The rule is no good one: trial finds shorter orders.
    assert!(history[11].gap < -1.0 && history[11].gap < history[5].gap, "{history:?}");
}

#[test]
fn a_step_of_several_kinds_goes_on_from_a_checkpoint_with_its_average() {
    let validation = validation();
    let mixed =
        FrontTrainingConfig { imitation_epochs: 0, gradient_epochs: 2, kinds: 3, average: 0.9, ..config() };
    let begin = || FrontTraining::new(mixed.clone(), &lessons(), Device::Cpu).unwrap();
    let whole = finish(begin(), &validation);
    let mut training = begin();
    for _ in 0..3 {
        training.step().unwrap();
    }
    let bytes = training.checkpoint().unwrap();
    let resumed = FrontTraining::resume(mixed.clone(), &lessons(), Device::Cpu, &bytes).unwrap();
    assert_eq!(resumed.weights().unwrap(), training.weights().unwrap());
    assert_eq!(finish(resumed, &validation).weights().unwrap(), whole.weights().unwrap());
    // The average is not what the last step left.
    let last = FrontTrainingConfig { average: 0.0, ..mixed };
    let last = finish(FrontTraining::new(last, &lessons(), Device::Cpu).unwrap(), &validation);
    assert_ne!(last.weights().unwrap(), whole.weights().unwrap());
}

#[test]
fn the_average_of_a_model_that_was_not_moved_is_that_model() {
    let still = FrontTrainingConfig {
        imitation_epochs: 0,
        average: 0.5,
        gradient_rate: f64::MIN_POSITIVE,
        ..config()
    };
    let first = FrontTraining::new(config(), &lessons(), Device::Cpu).unwrap().weights().unwrap();
    let other = FrontTrainingConfig { seed: 8, ..still };
    let mut training =
        FrontTraining::new(other, &lessons(), Device::Cpu).unwrap().with_start(&first).unwrap();
    training.step().unwrap();
    assert!(training.weights().unwrap() == first);
}

#[test]
fn a_training_ends_when_its_time_is_over_and_its_rate_falls_in_step() {
    let limited = FrontTrainingConfig {
        imitation_epochs: 0,
        gradient_epochs: 1000,
        time_limit: Some(1e-9),
        ..config()
    };
    let number = BatchNumber { epoch: 0, batch: 0 };
    let longer = FrontTrainingConfig { time_limit: Some(100.0), ..limited.clone() };
    assert_eq!(longer.rate(number, 0.0), longer.gradient_rate);
    assert!((longer.rate(number, 50.0) / longer.gradient_rate - 0.5).abs() < 1e-9);
    assert!(longer.rate(number, 200.0).abs() < 1e-12);
    let training = FrontTraining::new(limited.clone(), &lessons(), Device::Cpu).unwrap();
    let training = finish(training, &validation());
    assert_eq!(training.history().len(), 1);
    // With more time it goes on, and with other settings it does not.
    let bytes = training.checkpoint().unwrap();
    assert!(!FrontTraining::resume(longer.clone(), &lessons(), Device::Cpu, &bytes).unwrap().is_finished());
    let other = FrontTrainingConfig { samples: 5, ..longer };
    assert!(FrontTraining::resume(other, &lessons(), Device::Cpu, &bytes).is_err());
    let imitating = FrontTrainingConfig { imitation_epochs: 1, ..limited };
    let error = FrontTraining::new(imitating, &lessons(), Device::Cpu).err().unwrap();
    assert!(matches!(error, TrainingError::Setting { name: "the time limit", .. }), "{error}");
}

#[test]
fn kinds_are_taken_as_often_as_their_weights_say() {
    let mut lessons = lessons();
    (lessons.sources[0].weight, lessons.sources[1].weight) = (3.0, 1.0);
    let mut silent = lessons.sources[0].clone();
    (silent.weight, silent.description) = (0.0, "only measured on".to_string());
    silent.draw = Arc::new(|_| panic!("nothing is learnt from it"));
    lessons.sources.push(silent);
    lessons.sources[1].instances = Some(2);
    let four = FrontTrainingConfig { kinds: 4, ..config() };
    for seed in 0..20 {
        let lots = lessons.fresh(&four, Seed::new(seed), 1).unwrap();
        // Weights of three and one: three lots of the first and one of the second, wherever the draw falls.
        let of_first: Vec<_> = lots.iter().filter(|lot| lot[0].num_jobs() == 6).collect();
        assert_eq!((of_first.len(), lots.len()), (3, 4));
        assert!(of_first.iter().all(|lot| lot.len() == four.instances));
        assert!(of_first[0] != of_first[1] && of_first[1] != of_first[2]);
        assert_eq!(lots.iter().find(|lot| lot[0].num_jobs() == 8).unwrap().len(), 2);
    }
    let one = FrontTrainingConfig { kinds: 1, ..config() };
    let is_first = |seed| lessons.fresh(&one, Seed::new(seed), 0).unwrap()[0][0].num_jobs() == 6;
    let share = (0..1000).filter(|&seed| is_first(seed)).count();
    assert!((700..800).contains(&share), "{share}");
}
