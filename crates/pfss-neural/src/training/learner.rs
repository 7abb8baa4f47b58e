//! What learns from batches, on some device.

use super::TrainingError;
use super::checkpoint::Snapshot;

/// Which batch it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchNumber {
    /// Counted from zero.
    pub(super) epoch: usize,
    /// Counted from zero in each epoch.
    pub(super) batch: usize,
}

/// A learner that learns from instances.
pub(super) trait LearnInstances: Learn {
    /// Learns from some instances: numbers of labelled ones, or of fresh ones to be drawn.
    fn step(&mut self, number: BatchNumber, instances: &[u64], rate: f64) -> Result<(), TrainingError>;
}

/// A learner on some device: networks and the losses of an epoch.
pub(super) trait Learn {
    /// The sums of the losses of this epoch's batches: the policy's, and the critic's where there is one.
    fn losses(&self) -> Result<Vec<f32>, TrainingError>;

    /// Begins the sums again, from these values.
    fn set_losses(&mut self, losses: &[f32]);

    /// All networks that learn, the policy first.
    fn pupils(&self) -> Vec<&dyn Pupil>;

    /// The same, to be changed.
    fn pupils_mut(&mut self) -> Vec<&mut dyn Pupil>;

    /// The policy's weights and running statistics.
    fn policy(&self) -> Result<(Vec<f32>, Vec<f32>), TrainingError> {
        self.pupils()[0].trained()
    }

    /// Gives the policy these weights and running statistics.
    fn set_policy(&mut self, weights: &[f32], running: &[f32]) {
        self.pupils_mut()[0].set(weights, running);
    }

    /// All networks as they are.
    fn snapshot(&self) -> Result<Vec<Snapshot>, TrainingError> {
        self.pupils().into_iter().map(|pupil| pupil.snapshot()).collect()
    }

    /// Goes on from a snapshot; false when it is one of other networks.
    fn restore(&mut self, snapshots: &[Snapshot]) -> bool {
        let pupils = self.pupils_mut();
        pupils.len() == snapshots.len()
            && pupils.into_iter().zip(snapshots).all(|(pupil, snapshot)| pupil.restore(snapshot))
    }
}

/// A network that learns, on any device.
pub(super) trait Pupil {
    /// The weights and the running statistics, on the host.
    fn trained(&self) -> Result<(Vec<f32>, Vec<f32>), TrainingError>;

    /// Takes these weights and running statistics.
    fn set(&mut self, weights: &[f32], running: &[f32]);

    /// All numbers that training changes.
    fn snapshot(&self) -> Result<Snapshot, TrainingError>;

    /// Takes the numbers of a snapshot; false when it is one of another network.
    fn restore(&mut self, snapshot: &Snapshot) -> bool;
}

/// Makes a learner where there is a GPU; without one or its driver the runtime panics, and a person is told what is
/// missing.
#[cfg(feature = "cuda")]
pub(super) fn on_gpu<L: Learn>(make: impl FnOnce() -> Result<L, TrainingError>) -> Result<L, TrainingError> {
    let make = || -> Result<L, TrainingError> {
        let learner = make()?;
        learner.losses()?;
        Ok(learner)
    };
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(make)) {
        Ok(learner) => learner,
        Err(_) => Err(TrainingError::Device {
            reason:
                "no NVIDIA GPU with its driver and the CUDA toolkit (CUDA_PATH) was found; train on the CPU"
                    .to_string(),
        }),
    }
}
