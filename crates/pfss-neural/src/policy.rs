//! A trained policy that builds orders.

use pfss_core::JobId;
use pfss_core::simd::Instructions;

use crate::decoding::{Decoding, Rollout, decode};
use crate::graph::NeighbourGraph;
use crate::inference::{Attention, Encoder, Keys};
use crate::network::{EncoderKind, ModelError, NetworkConfig, Weights};
use crate::problem::PolicyInput;

/// Rows of features are padded as the kernels need it.
const PAD: usize = 32;

/// A trained network, ready to build orders.
#[derive(Clone, Debug)]
pub struct Policy {
    config: NetworkConfig,
    instructions: Instructions,
    encoder: Encoder,
    attention: Attention,
}

impl Policy {
    /// The policy of these weights, on the widest vector instructions of this processor.
    pub fn new(weights: &Weights) -> Self {
        Self::with(weights, Instructions::detect())
    }

    /// The policy of these weights on given vector instructions. Results are the same on all.
    pub fn with(weights: &Weights, instructions: Instructions) -> Self {
        Self {
            config: weights.config().clone(),
            instructions,
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
    /// [`ModelError`] when the instance is of another problem or has another number of machines than the network.
    pub fn encode(&self, instance: &impl PolicyInput) -> Result<Encoded, ModelError> {
        match self.encode_while(instance, &|| true)? {
            Some(encoded) => Ok(encoded),
            None => unreachable!("it was told to go on"),
        }
    }

    /// [`Policy::encode`], given up with `None` when `goes_on` says no; it is asked many times a second.
    ///
    /// # Errors
    /// As for [`Policy::encode`].
    pub fn encode_while(
        &self,
        instance: &impl PolicyInput,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Encoded>, ModelError> {
        let rows = self.config.features(instance)?;
        let width = instance.width();
        let graph = match self.config.encoder {
            EncoderKind::Ggcn => NeighbourGraph::new_while(&rows, width, self.config.neighbours, goes_on),
            EncoderKind::Lstm | EncoderKind::Transformer => Some(NeighbourGraph::empty()),
        };
        let Some(graph) = graph else { return Ok(None) };
        let stride = width.next_multiple_of(PAD);
        let mut features = vec![0.0; instance.len() * stride];
        for (padded, row) in features.chunks_exact_mut(stride).zip(rows.chunks_exact(width)) {
            padded[..width].copy_from_slice(row);
        }
        let Some(jobs) = self.encoder.encode(self.instructions, &features, &graph, goes_on) else {
            return Ok(None);
        };
        let mean = self.encoder.mean(&jobs);
        Ok(Some(Encoded { keys: self.attention.keys(self.instructions, &jobs, &mean) }))
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
        decode(&self.attention, self.instructions, &encoded.keys, decoding, rng, goes_on)
    }

    /// The order that always takes the most likely job.
    ///
    /// # Errors
    /// As for [`Policy::encode`].
    pub fn greedy(&self, instance: &impl PolicyInput) -> Result<Vec<JobId>, ModelError> {
        let encoded = self.encode(instance)?;
        Ok(crate::decoding::greedy_order(&self.attention, self.instructions, &encoded.keys, &|| true))
    }

    /// The same, as long as `goes_on`; `None` when it was cut short.
    ///
    /// # Errors
    /// As for [`Policy::encode`].
    pub fn greedy_while(
        &self,
        instance: &impl PolicyInput,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Vec<JobId>>, ModelError> {
        let Some(encoded) = self.encode_while(instance, goes_on)? else { return Ok(None) };
        let order = crate::decoding::greedy_order(&self.attention, self.instructions, &encoded.keys, goes_on);
        Ok((order.len() == instance.len()).then_some(order))
    }

    /// The logarithms of the probabilities of all jobs at each step of a given order; placed jobs have minus infinity.
    ///
    /// # Errors
    /// As for [`Policy::encode`].
    pub fn log_probabilities(
        &self,
        instance: &impl PolicyInput,
        order: &[JobId],
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        let encoded = self.encode(instance)?;
        Ok(crate::decoding::follow(&self.attention, self.instructions, &encoded.keys, order))
    }
}

/// An encoded instance.
#[derive(Clone, Debug)]
pub struct Encoded {
    keys: Keys,
}
