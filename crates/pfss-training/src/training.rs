//! A training: epochs of batches, saved and restored between any two of them.

use std::time::Instant;

use pfss_neural::{LabelledSet, ModelConfig, ModelWeights};

use crate::checkpoint::{self, Checkpoint, Position, Snapshot};
use crate::config::{Lessons, TrainingConfig, differences};
use crate::epoch::{Epoch, Step};
use crate::learner::{BatchNumber, Learner};
use crate::parameters::{in_one_row, model};
use crate::validation::measure;
use crate::{Device, TrainingError};

/// What to try where the first numbers are none: no step of the optimiser has led there.
const LARGE_INPUTS: &str = "processing times may be too large for the network; scale its inputs";
/// What to try where the optimiser led there.
const LARGE_STEPS: &str = "try a smaller learning rate, or scale the inputs";

/// The training of a policy.
pub struct Training<C: TrainingConfig> {
    position: Position<C>,
    learner: Box<dyn Learner>,
    /// The losses of this epoch's batches so far, added up.
    sums: Vec<f32>,
}

impl<C: TrainingConfig> Training<C> {
    /// A new training.
    ///
    /// # Errors
    /// [`TrainingError`] when settings, lessons and network do not fit, or the device is missing.
    pub fn new(config: C, lessons: &C::Lessons, device: Device) -> Result<Self, TrainingError> {
        Self::check(&config)?;
        let learner = config.learner(lessons, device)?;
        let sums = vec![0.0; learner.losses()?.len()];
        Ok(Self { position: Position::new(config, lessons.fingerprint()), learner, sums })
    }

    /// Whether there is a training with these settings, whatever it learns from.
    ///
    /// # Errors
    /// [`TrainingError`] tells which setting is out of its range.
    pub fn check(config: &C) -> Result<(), TrainingError> {
        // A network that is asked for is no damaged file.
        if let Some(problem) = config.network().problem() {
            return Err(TrainingError::Network { problem });
        }
        config.check()
    }

    /// The weights that a training starts with from a model: its own, or grown ones where the network is larger and can
    /// compute the same.
    ///
    /// # Errors
    /// [`TrainingError::Start`] when the model's network is another one and does not grow to this one.
    pub fn start(config: &C, weights: &ModelWeights<C::Network>) -> Result<Vec<f32>, TrainingError> {
        if weights.config() == config.network() {
            return Ok(in_one_row(weights));
        }
        match config.grown(weights) {
            Some(grown) => Ok(in_one_row(&grown)),
            None => {
                Err(TrainingError::Start { what: differences(weights.config(), config.network()).join(", ") })
            }
        }
    }

    /// The same training from the weights of a model on, which grow where the network is larger and can compute the same. Its
    /// configuration names that model as `start`, so that a checkpoint cannot go on from another.
    ///
    /// # Errors
    /// [`TrainingError::Start`] when the model's network is another one and does not grow to this one.
    pub fn with_start(mut self, weights: &ModelWeights<C::Network>) -> Result<Self, TrainingError> {
        let row = Self::start(self.config(), weights)?;
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
        let Checkpoint { position, snapshots, losses } = Self::read(&config, bytes)?;
        let mut training = Self::new(config, lessons, device)?;
        if position.data != training.position.data {
            return Err(TrainingError::Different { what: "other instances or labels".to_string() });
        }
        let mut pupils = training.learner.pupils_mut();
        let fits = pupils.len() == snapshots.len()
            && pupils.iter_mut().zip(&snapshots).all(|(pupil, snapshot)| pupil.restore(snapshot));
        if !fits || losses.len() != training.sums.len() {
            let reason = "its rows do not fit the network".to_string();
            return Err(TrainingError::Checkpoint { reason });
        }
        training.sums = losses;
        training.position = Position { config: training.position.config, ..position };
        Ok(training)
    }

    /// Whether these settings can go on from a checkpoint, whatever its lessons are.
    ///
    /// # Errors
    /// [`TrainingError`] tells why they cannot.
    pub fn check_checkpoint(config: &C, bytes: &[u8]) -> Result<(), TrainingError> {
        Self::read(config, bytes).map(drop)
    }

    fn read(config: &C, bytes: &[u8]) -> Result<Checkpoint<C>, TrainingError> {
        let read = checkpoint::read::<C>(bytes)?;
        let (there, done) = (&read.position.config, read.position.history.len());
        if !config.goes_on_from(there) {
            return Err(different(there, config));
        }
        if config.epochs() < done {
            return Err(TrainingError::Fewer { done, asked: config.epochs() });
        }
        Ok(read)
    }

    /// The training between two batches, as a file's content.
    ///
    /// # Errors
    /// [`TrainingError::Device`] when the device failed, [`TrainingError::Diverged`] when a weight is no longer a number: a
    /// training cannot go on from there.
    pub fn checkpoint(&self) -> Result<Vec<u8>, TrainingError> {
        let snapshots =
            self.learner.pupils().into_iter().map(|pupil| pupil.snapshot()).collect::<Result<Vec<_>, _>>()?;
        if !snapshots.iter().all(Snapshot::is_finite) {
            return Err(self.diverged("a weight"));
        }
        checkpoint::write(&self.position, &snapshots, &self.sums)
    }

    /// Something is no longer a number after the batches so far.
    fn diverged(&self, what: &'static str) -> TrainingError {
        let Position { epoch, batch, .. } = self.position;
        let advice = if epoch == 0 && batch <= 2 { LARGE_INPUTS } else { LARGE_STEPS };
        TrainingError::Diverged { what, epoch: epoch + 1, batch, advice }
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

    /// Learns from the next batch, if the epoch has one, and tells what it led to.
    ///
    /// # Errors
    /// [`TrainingError`] when a fresh instance cannot be drawn, or the device failed; [`TrainingError::Diverged`] when the
    /// loss is not a number.
    pub fn step(&mut self) -> Result<Option<Step>, TrainingError> {
        let number = BatchNumber { epoch: self.position.epoch, batch: self.position.batch };
        if number.batch >= self.batches() || self.is_finished() {
            return Ok(None);
        }
        let clock = Instant::now();
        let rate = self.config().rate(number, self.seconds());
        self.learner.set_losses(&vec![0.0; self.sums.len()]);
        self.learner.step(number, rate)?;
        // A GPU works behind the host; a batch is over when its loss is there.
        let losses = self.learner.losses()?;
        let seconds = clock.elapsed().as_secs_f64();
        self.position.batch += 1;
        self.position.seconds += seconds;
        if losses.iter().any(|loss| !loss.is_finite()) {
            return Err(self.diverged("the loss"));
        }
        let told = self.learner.told()?;
        if told.gradient_norm.is_some_and(|norm| !norm.is_finite()) {
            return Err(self.diverged("the gradient"));
        }
        self.sums.iter_mut().zip(&losses).for_each(|(sum, loss)| *sum += loss);
        let loss = |index: usize| losses.get(index).copied().map(f64::from);
        Ok(Some(Step {
            step: number.epoch * self.batches() + number.batch + 1,
            epoch: number.epoch + 1,
            batch: number.batch + 1,
            loss: loss(0).unwrap_or(0.0),
            critic_loss: loss(1),
            gradient_norm: told.gradient_norm.map(f64::from),
            entropy: told.entropy.map(f64::from),
            learning_rate: rate,
            seconds,
        }))
    }

    /// Ends an epoch whose batches are all done: measures the policy beside an expert, on instances that it does not
    /// learn from. Costs and gaps are means over the sets, each of one size.
    ///
    /// # Errors
    /// [`TrainingError`] when the validation instances do not fit, or the weights are no longer numbers.
    pub fn finish_epoch(&mut self, validation: &[LabelledSet]) -> Result<&Epoch, TrainingError> {
        let epoch = self.position.epoch + 1;
        let batches = self.position.batch.max(1) as f64;
        let losses: Vec<f64> = self.sums.iter().map(|&sum| f64::from(sum) / batches).collect();
        if self.learner.policy().trained()?.iter().any(|weight| !weight.is_finite()) {
            return Err(self.diverged("a weight"));
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
            gaps: measured.gaps,
            learning_rate: self.config().rate(first, self.seconds() - self.position.seconds),
            seconds: self.position.seconds,
        };
        self.sums.fill(0.0);
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

/// The settings of a checkpoint are not those that were asked for.
fn different<C: TrainingConfig>(there: &C, here: &C) -> TrainingError {
    let differences = differences(there, here);
    let mut what = format!("other settings: {}", differences.join(", "));
    // Where more epochs change every rate before them, they cannot be added.
    if differences.iter().all(|name| name.contains("_epochs is ")) {
        what += " (the learning rate falls towards the last epoch, so that other numbers of epochs are another training, which may start from this one's model)";
    }
    TrainingError::Different { what }
}
