//! A trained policy that builds orders.

use pfss_core::{Instance, JobId, Time};

use crate::decoding::{Decoding, Rollout, decode};
use crate::graph::NeighbourGraph;
use crate::inference::{Attention, Encoder, Keys, Path};
use crate::network::{ModelError, NetworkConfig, Weights};

/// Rows of features are padded as the kernels need it.
const PAD: usize = 32;

/// A trained network, ready to build orders.
#[derive(Clone, Debug)]
pub struct Policy {
    config: NetworkConfig,
    path: Path,
    encoder: Encoder,
    attention: Attention,
}

impl Policy {
    /// The policy of these weights, on the widest vector instructions of this processor.
    pub fn new(weights: &Weights) -> Self {
        Self::with(weights, Path::detect())
    }

    /// The policy of these weights on given vector instructions; where the processor lacks them, on others. Results
    /// are the same.
    pub fn with(weights: &Weights, path: Path) -> Self {
        let path = if Path::available().contains(&path) { path } else { Path::detect() };
        Self {
            config: weights.config().clone(),
            path,
            encoder: Encoder::new(weights),
            attention: Attention::new(weights),
        }
    }

    /// Reads a policy from a model file's content.
    ///
    /// # Errors
    /// [`ModelError`] tells what is wrong with it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        Ok(Self::new(&Weights::from_bytes(bytes)?))
    }

    /// The shape of its network.
    pub fn config(&self) -> &NetworkConfig {
        &self.config
    }

    /// What the network knows of an instance before the first job is placed.
    ///
    /// # Errors
    /// [`ModelError::Machines`] when the instance has another number of machines than the network.
    pub fn encode<T: Time>(&self, instance: &Instance<T>) -> Result<Encoded, ModelError> {
        match self.encode_while(instance, &|| true)? {
            Some(encoded) => Ok(encoded),
            None => unreachable!("it was told to go on"),
        }
    }

    /// [`Policy::encode`], given up with `None` when `goes_on` says no; it is asked many times a second.
    ///
    /// # Errors
    /// As for [`Policy::encode`].
    pub fn encode_while<T: Time>(
        &self,
        instance: &Instance<T>,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Encoded>, ModelError> {
        let (expected, found) = (self.config.num_machines, instance.num_machines());
        if expected != found {
            return Err(ModelError::Machines { expected, found });
        }
        let times = self.config.features(instance);
        let Some(graph) = NeighbourGraph::new_while(&times, found, self.config.neighbours, goes_on) else {
            return Ok(None);
        };
        let stride = found.next_multiple_of(PAD);
        let mut features = vec![0.0; instance.num_jobs() * stride];
        for (row, times) in features.chunks_exact_mut(stride).zip(times.chunks_exact(found)) {
            row[..found].copy_from_slice(times);
        }
        let Some(jobs) = self.encoder.encode(self.path, &features, &graph, goes_on) else { return Ok(None) };
        let mean = self.encoder.mean(&jobs);
        Ok(Some(Encoded { keys: self.attention.keys(self.path, &jobs, &mean) }))
    }

    /// Builds orders. The first is always the greedy one; the others are what `decoding` asks for.
    pub fn build(&self, encoded: &Encoded, decoding: &Decoding, rng: &mut pfss_core::Rng) -> Vec<Rollout> {
        self.build_while(encoded, decoding, rng, &|| true)
    }

    /// [`Policy::build`], given up when `goes_on` says no: then with the orders that are whole, which may be none.
    pub fn build_while(
        &self,
        encoded: &Encoded,
        decoding: &Decoding,
        rng: &mut pfss_core::Rng,
        goes_on: &dyn Fn() -> bool,
    ) -> Vec<Rollout> {
        decode(&self.attention, self.path, &encoded.keys, decoding, rng, goes_on)
    }

    /// The order that always takes the most likely job.
    ///
    /// # Errors
    /// As for [`Policy::encode`].
    pub fn greedy<T: Time>(&self, instance: &Instance<T>) -> Result<Vec<JobId>, ModelError> {
        let encoded = self.encode(instance)?;
        Ok(crate::decoding::greedy_order(&self.attention, self.path, &encoded.keys, &|| true))
    }

    /// The logarithms of the probabilities of all jobs at each step of a given order; placed jobs have minus infinity.
    ///
    /// # Errors
    /// As for [`Policy::encode`].
    pub fn log_probabilities<T: Time>(
        &self,
        instance: &Instance<T>,
        order: &[JobId],
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        let encoded = self.encode(instance)?;
        Ok(crate::decoding::follow(&self.attention, self.path, &encoded.keys, order))
    }
}

/// An encoded instance.
#[derive(Clone, Debug)]
pub struct Encoded {
    keys: Keys,
}
