//! Losses and weights that are no numbers, by a learner that makes them so.

// Functions shared by tests may fail as tests do.
#![allow(clippy::unwrap_used)]

use pfss_neural::{FrontConfig, FrontWeights};
use pfss_training::{
    BatchNumber, Device, Greedy, Learner, Lessons, Pupil, Snapshot, Training, TrainingConfig, TrainingError,
};
use serde::{Deserialize, Serialize};

/// Which batch, counted from one, gives no number, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Config {
    network: FrontConfig,
    loss: Option<usize>,
    weight: Option<usize>,
    gradient_epochs: usize,
}

struct Nothing;

impl Lessons for Nothing {
    fn fingerprint(&self) -> String {
        String::new()
    }
}

impl TrainingConfig for Config {
    type Network = FrontConfig;
    type Lessons = Nothing;

    fn check(&self) -> Result<(), TrainingError> {
        Ok(())
    }

    fn network(&self) -> &FrontConfig {
        &self.network
    }

    fn epochs(&self) -> usize {
        self.gradient_epochs
    }

    fn rate(&self, _: BatchNumber, _: f64) -> f64 {
        0.5
    }

    fn learner(&self, _: &Nothing, _: Device) -> Result<Box<dyn Learner>, TrainingError> {
        Ok(Box::new(Wrong { config: self.clone(), made: 0, loss: 0.0 }))
    }

    fn greedy(_: &FrontWeights) -> Box<Greedy> {
        unreachable!("nothing is measured")
    }
}

/// Learns nothing.
struct Wrong {
    config: Config,
    made: usize,
    loss: f32,
}

impl Learner for Wrong {
    fn batches(&self) -> usize {
        4
    }

    fn step(&mut self, _: BatchNumber, _: f64) -> Result<(), TrainingError> {
        self.made += 1;
        self.loss += if self.config.loss == Some(self.made) { f32::NAN } else { 0.25 };
        Ok(())
    }

    fn losses(&self) -> Result<Vec<f32>, TrainingError> {
        Ok(vec![self.loss])
    }

    fn set_losses(&mut self, losses: &[f32]) {
        self.loss = losses[0];
    }

    fn policy(&self) -> &dyn Pupil {
        self
    }

    fn pupils_mut(&mut self) -> Vec<&mut dyn Pupil> {
        vec![self]
    }
}

impl Pupil for Wrong {
    fn trained(&self) -> Result<Vec<f32>, TrainingError> {
        Ok(self.snapshot()?.weights)
    }

    fn snapshot(&self) -> Result<Snapshot, TrainingError> {
        let is_wrong = self.config.weight.is_some_and(|batch| self.made >= batch);
        let weights = vec![if is_wrong { f32::INFINITY } else { 1.0 }];
        let (none, steps) = (Vec::new(), self.made);
        Ok(Snapshot {
            steps,
            weights,
            moment_1: none.clone(),
            moment_2: none.clone(),
            running: none.clone(),
            average: none,
        })
    }

    fn restore(&mut self, snapshot: &Snapshot) -> bool {
        self.made = snapshot.steps;
        true
    }
}

fn begin(loss: Option<usize>, weight: Option<usize>) -> Training<Config> {
    let config = Config { network: FrontConfig::default(), loss, weight, gradient_epochs: 2 };
    Training::new(config, &Nothing, Device::Cpu).unwrap()
}

/// It was told at the end of an epoch, and always as too large a learning rate.
#[test]
fn a_loss_that_is_no_number_is_told_at_its_step() {
    for (wrong, advice) in [(1, "too large for the network"), (3, "smaller learning rate")] {
        let mut training = begin(Some(wrong), None);
        (1..wrong).for_each(|batch| assert_eq!(training.step().unwrap().unwrap().batch, batch));
        let error = training.step().unwrap_err();
        assert!(
            matches!(error, TrainingError::Diverged { epoch: 1, batch, .. } if batch == wrong),
            "{error}"
        );
        assert!(error.to_string().contains(advice), "{error}");
    }
}

/// A checkpoint of such a state took the place of the last good one.
#[test]
fn there_is_no_checkpoint_with_weights_that_are_no_numbers() {
    let mut training = begin(None, Some(2));
    training.step().unwrap();
    training.checkpoint().unwrap();
    training.step().unwrap();
    let error = training.checkpoint().unwrap_err();
    assert!(matches!(error, TrainingError::Diverged { what: "a weight", epoch: 1, batch: 2, .. }), "{error}");
    let error = training.finish_epoch(&[]).unwrap_err();
    assert!(matches!(error, TrainingError::Diverged { what: "a weight", .. }), "{error}");
}

#[test]
fn steps_tell_their_own_losses() {
    let mut training = begin(None, None);
    for number in 1..=3 {
        let step = training.step().unwrap().unwrap();
        assert_eq!((step.step, step.batch, step.loss, step.learning_rate), (number, number, 0.25, 0.5));
    }
    // A training that goes on has the sums of before.
    let bytes = training.checkpoint().unwrap();
    let resumed = Training::resume(training.config().clone(), &Nothing, Device::Cpu, &bytes).unwrap();
    assert_eq!(resumed.checkpoint().unwrap(), bytes);
}

/// A whole configuration was shown, without what differs in it.
#[test]
fn settings_that_differ_are_named_alone() {
    let training = begin(None, None);
    let bytes = training.checkpoint().unwrap();
    let told = |config: Config| Training::check_checkpoint(&config, &bytes).unwrap_err().to_string();
    let same = training.config();
    let other = told(Config { loss: Some(7), ..same.clone() });
    assert!(other.contains("other settings: loss is null there and 7 here;"), "{other}");
    let longer = told(Config { gradient_epochs: 5, ..same.clone() });
    assert!(longer.contains("gradient_epochs is 2 there and 5 here (the learning rate falls"), "{longer}");
}
