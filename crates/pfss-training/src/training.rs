//! A training: epochs of batches, saved and restored between any two of them.

use std::time::Instant;

use pfss_neural::{LabelledSet, ModelWeights};

use crate::checkpoint::{self, Checkpoint, Position};
use crate::config::{Lessons, TrainingConfig};
use crate::epoch::Epoch;
use crate::learner::{BatchNumber, Learner};
use crate::parameters::{in_one_row, model};
use crate::validation::measure;
use crate::{Device, TrainingError};

/// The training of a policy.
pub struct Training<C: TrainingConfig> {
    position: Position<C>,
    learner: Box<dyn Learner>,
}

impl<C: TrainingConfig> Training<C> {
    /// A new training.
    ///
    /// # Errors
    /// [`TrainingError`] when settings, lessons and network do not fit, or the device is missing.
    pub fn new(config: C, lessons: &C::Lessons, device: Device) -> Result<Self, TrainingError> {
        config.check()?;
        let learner = config.learner(lessons, device)?;
        Ok(Self { position: Position::new(config, lessons.fingerprint()), learner })
    }

    /// The same training from the weights of a model on, which grow where the network is larger and can compute the same. Its
    /// configuration names that model as `start`, so that a checkpoint cannot go on from another.
    ///
    /// # Errors
    /// [`TrainingError::Start`] when the model's network is another one and does not grow to this one.
    pub fn with_start(mut self, weights: &ModelWeights<C::Network>) -> Result<Self, TrainingError> {
        let network = self.config().network();
        let row = if weights.config() == network {
            in_one_row(weights)
        } else if let Some(grown) = self.config().grown(weights) {
            in_one_row(&grown)
        } else {
            let shape = |config| serde_json::to_string(config).unwrap_or_default();
            return Err(TrainingError::Start { found: shape(weights.config()), expected: shape(network) });
        };
        let mut snapshot = self.learner.policy().snapshot()?;
        let (trained, running) = row.split_at(snapshot.weights.len());
        (snapshot.weights, snapshot.running) = (trained.to_vec(), running.to_vec());
        snapshot.average.clear();
        let fits = self.learner.pupils_mut().into_iter().take(1).all(|policy| policy.restore(&snapshot));
        debug_assert!(fits, "a network of the same shape");
        Ok(self)
    }

    /// Goes on from a checkpoint.
    ///
    /// # Errors
    /// Those of [`Training::new`], and when the bytes are no checkpoint or one of another training.
    pub fn resume(
        config: C,
        lessons: &C::Lessons,
        device: Device,
        bytes: &[u8],
    ) -> Result<Self, TrainingError> {
        let Checkpoint { position, snapshots, losses } = checkpoint::read::<C>(bytes)?;
        if !config.goes_on_from(&position.config) {
            let what = serde_json::to_string(&position.config).unwrap_or_default();
            return Err(TrainingError::Different { what: format!("other settings: {what}") });
        }
        let mut training = Self::new(config, lessons, device)?;
        if position.data != training.position.data {
            return Err(TrainingError::Different { what: "other instances or labels".to_string() });
        }
        let mut pupils = training.learner.pupils_mut();
        let fits = pupils.len() == snapshots.len()
            && pupils.iter_mut().zip(&snapshots).all(|(pupil, snapshot)| pupil.restore(snapshot));
        if !fits || losses.len() != training.learner.losses()?.len() {
            let reason = "its rows do not fit the network".to_string();
            return Err(TrainingError::Checkpoint { reason });
        }
        training.learner.set_losses(&losses);
        training.position = Position { config: training.position.config, ..position };
        Ok(training)
    }

    /// The training between two batches, as a file's content.
    ///
    /// # Errors
    /// [`TrainingError::Device`] when the device failed.
    pub fn checkpoint(&self) -> Result<Vec<u8>, TrainingError> {
        let snapshots =
            self.learner.pupils().into_iter().map(|pupil| pupil.snapshot()).collect::<Result<Vec<_>, _>>()?;
        checkpoint::write(&self.position, &snapshots, &self.learner.losses()?)
    }

    /// How it is trained.
    pub fn config(&self) -> &C {
        &self.position.config
    }

    /// What the finished epochs led to.
    pub fn history(&self) -> &[Epoch] {
        &self.position.history
    }

    /// Whether all epochs are done, or the time for them is over.
    pub fn is_finished(&self) -> bool {
        let (position, config) = (&self.position, self.config());
        let is_late = config.time_limit().is_some_and(|limit| self.seconds() >= limit);
        position.epoch >= config.epochs() || is_late && position.batch == 0
    }

    /// How long all batches took.
    fn seconds(&self) -> f64 {
        let before: f64 = self.history().iter().map(|epoch| epoch.seconds).sum();
        before + self.position.seconds
    }

    /// How many batches an epoch has.
    pub fn batches(&self) -> usize {
        self.learner.batches()
    }

    /// How many batches of the current epoch are done.
    pub fn batch(&self) -> usize {
        self.position.batch
    }

    /// Learns from the next batch, if the epoch has one.
    ///
    /// # Errors
    /// [`TrainingError`] when a fresh instance cannot be drawn, or the device failed.
    pub fn step(&mut self) -> Result<(), TrainingError> {
        let number = BatchNumber { epoch: self.position.epoch, batch: self.position.batch };
        if number.batch >= self.batches() || self.is_finished() {
            return Ok(());
        }
        let clock = Instant::now();
        let rate = self.config().rate(number, self.seconds());
        self.learner.step(number, rate)?;
        self.position.batch += 1;
        if self.position.batch == self.batches() {
            // A GPU works behind the host; the time of an epoch ends when it is done.
            self.learner.losses()?;
        }
        self.position.seconds += clock.elapsed().as_secs_f64();
        Ok(())
    }

    /// Ends an epoch whose batches are all done: measures the policy beside an expert, on instances that it does not
    /// learn from. Costs and gaps are means over the sets, each of one size.
    ///
    /// # Errors
    /// [`TrainingError`] when the validation instances do not fit, or the weights are no longer numbers.
    pub fn finish_epoch(&mut self, validation: &[LabelledSet]) -> Result<&Epoch, TrainingError> {
        let epoch = self.position.epoch + 1;
        let batches = self.position.batch.max(1) as f64;
        let losses: Vec<f64> = self.learner.losses()?.iter().map(|&loss| f64::from(loss) / batches).collect();
        if losses.iter().any(|loss| !loss.is_finite()) {
            return Err(TrainingError::Diverged { epoch });
        }
        let measured = measure(validation, &*C::greedy(&self.weights()?))?;
        let first = BatchNumber { epoch: self.position.epoch, batch: 0 };
        let done = Epoch {
            epoch,
            loss: losses.first().copied().unwrap_or(0.0),
            critic_loss: losses.get(1).copied(),
            cost: measured.cost,
            gap: measured.gap,
            mean_gap: measured.mean_gap,
            learning_rate: self.config().rate(first, self.seconds() - self.position.seconds),
            seconds: self.position.seconds,
        };
        self.learner.set_losses(&vec![0.0; losses.len()]);
        self.position.finish_epoch(done);
        Ok(&self.position.history[epoch - 1])
    }

    /// The weights as they are now, or their average over the steps so far where there is one.
    ///
    /// # Errors
    /// [`TrainingError`] when they are no longer numbers, or the device failed.
    pub fn weights(&self) -> Result<ModelWeights<C::Network>, TrainingError> {
        Ok(model(self.config().network(), &self.learner.policy().trained()?)?)
    }
}
