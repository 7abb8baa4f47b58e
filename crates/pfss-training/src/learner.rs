//! What learns from batches, on some device.

use crate::TrainingError;
use crate::checkpoint::Snapshot;

/// Which batch it is.
#[derive(Clone, Copy, Debug)]
pub struct BatchNumber {
    /// Counted from zero.
    pub epoch: usize,
    /// Counted from zero in each epoch.
    pub batch: usize,
}

/// What a batch came to, beside its losses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Told {
    /// The norm of the gradient before it was scaled down.
    pub gradient_norm: Option<f32>,
    /// The mean entropy of the policy's choices.
    pub entropy: Option<f32>,
}

/// What learns: networks on some device, their losses, and what a batch teaches them.
pub trait Learner {
    /// How many batches an epoch has.
    fn batches(&self) -> usize;

    /// Learns from a batch. What is in it depends on the settings, the lessons and its number alone, so that a resumed
    /// training takes the same.
    ///
    /// # Errors
    /// [`TrainingError`] when a fresh instance cannot be drawn, or the device failed.
    fn step(&mut self, number: BatchNumber, rate: f64) -> Result<(), TrainingError>;

    /// The sums of the losses of this epoch's batches: the policy's, and the critic's where there is one.
    ///
    /// # Errors
    /// [`TrainingError::Device`] when the device failed.
    fn losses(&self) -> Result<Vec<f32>, TrainingError>;

    /// Begins the sums again, from these values.
    fn set_losses(&mut self, losses: &[f32]);

    /// What else the last batch came to.
    ///
    /// # Errors
    /// [`TrainingError::Device`] when the device failed.
    fn told(&self) -> Result<Told, TrainingError> {
        Ok(Told::default())
    }

    /// The policy.
    fn policy(&self) -> &dyn Pupil;

    /// All networks that learn, the policy first.
    fn pupils_mut(&mut self) -> Vec<&mut dyn Pupil>;

    /// All networks that learn, the policy first.
    fn pupils(&self) -> Vec<&dyn Pupil> {
        vec![self.policy()]
    }
}

/// A network that learns, on any device.
pub trait Pupil {
    /// The weights, averaged where it keeps an average, and then the running statistics, on the host.
    ///
    /// # Errors
    /// [`TrainingError::Device`] when the device failed.
    fn trained(&self) -> Result<Vec<f32>, TrainingError>;

    /// All numbers that training changes.
    ///
    /// # Errors
    /// [`TrainingError::Device`] when the device failed.
    fn snapshot(&self) -> Result<Snapshot, TrainingError>;

    /// Takes the numbers of a snapshot; false when it is one of another network.
    fn restore(&mut self, snapshot: &Snapshot) -> bool;
}
