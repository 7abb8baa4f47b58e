//! Trainings: interrupted and successful ones.

use pfss_neural::{FrontConfig, LabelledSet};

use super::lessons;
use crate::front::{FrontTraining, FrontTrainingConfig, Rollouts};
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
fn a_simple_expert_is_learnt_and_then_left_behind() {
    for rollouts in [Rollouts::Host, Rollouts::Device] {
        learns(rollouts);
    }
}

fn learns(rollouts: Rollouts) {
    let longer = FrontTrainingConfig {
        imitation_epochs: 6,
        gradient_epochs: 6,
        batches: 20,
        instances: 16,
        samples: 8,
        imitation_rate: 5e-3,
        gradient_rate: 2e-3,
        rollouts,
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
