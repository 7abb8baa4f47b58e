//! Actor-critic learning, the paper's rival: the policy draws one order for each fresh instance, and is drawn towards
//! those that cost less than the critic expected (REINFORCE with a learnt baseline).

use std::collections::HashMap;

use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::tensor::{Int, Tensor, TensorData};
use pfss_core::{JobId, Seed};
use pfss_neural::{ModelError, NetworkConfig, PolicyInput, ProblemInstance};
use rand::RngExt;
use rayon::prelude::*;

use super::batches::Batches;
use super::config::{CostScale, PolicyTrainingConfig};
use super::critic::{critic, critic_tensors};
use super::lessons::Fresh;
use super::network::{Batch, Lookup, Network, Prepared, Statistics};
use crate::TrainingError;
use crate::device::to_vec;
use crate::learner::{BatchNumber, Learner, Pupil};
use crate::module::Module;

pub(super) struct ActorCritic<B: AutodiffBackend> {
    config: PolicyTrainingConfig,
    critic_network: NetworkConfig,
    lookup: Lookup,
    device: B::Device,
    fresh: Fresh,
    batches: Batches,
    pub(super) actor: Module<B>,
    pub(super) critic: Module<B>,
    losses: Tensor<B::InnerBackend, 1>,
}

impl<B: AutodiffBackend> ActorCritic<B> {
    pub(super) fn new(config: &PolicyTrainingConfig, fresh: &Fresh, lookup: Lookup) -> Self {
        let device = B::Device::default();
        let network = &config.network;
        let critic_network = critic(network);
        let seed = Seed::new(config.seed);
        Self {
            lookup,
            fresh: fresh.clone(),
            batches: Batches::new(fresh.instances, config.batch_size),
            actor: Module::new(&network.tensors(), &network.running(), seed, &device),
            critic: Module::new(
                &critic_tensors(network),
                &critic_network.running(),
                seed.child("critic"),
                &device,
            ),
            losses: Tensor::zeros([2], &device),
            critic_network,
            config: config.clone(),
            device,
        }
    }

    /// The instances of a batch; no epoch has those of another.
    fn instances(&self, number: BatchNumber) -> Result<Vec<ProblemInstance>, TrainingError> {
        let first = number.epoch as u64 * self.fresh.instances as u64;
        let range = self.batches.range(number.batch).into_par_iter();
        range.map(|index| (self.fresh.draw)(first + index as u64)).collect()
    }

    /// What the critic makes of instances whose costs are known.
    pub(super) fn criticise(&self, batch: &Batch<B>, costs: &Tensor<B::InnerBackend, 1>) -> Criticism<B> {
        let leaves = self.critic.leaves();
        let statistics = Statistics::of_batch();
        let network = Network {
            config: &self.critic_network,
            tensors: &leaves,
            statistics: &statistics,
            lookup: self.lookup,
        };
        let expected = network.value(batch);
        let error = expected.clone() - Tensor::from_inner(costs.clone());
        let loss = (error.clone() * error).mean();
        let gradient = self.critic.gradient(&leaves, &loss);
        let noted = statistics.into_noted();
        Criticism { expected: expected.inner(), loss: loss.inner(), gradient, noted }
    }
}

/// What a critic makes of a batch.
pub(super) struct Criticism<B: AutodiffBackend> {
    /// The costs that it expected.
    pub(super) expected: Tensor<B::InnerBackend, 1>,
    /// The mean square of its errors.
    pub(super) loss: Tensor<B::InnerBackend, 1>,
    pub(super) gradient: Tensor<B::InnerBackend, 1>,
    noted: HashMap<String, Tensor<B, 2>>,
}

/// Numbers of the standard Gumbel distribution.
pub(super) fn gumbel_noise(seed: Seed, count: usize) -> Vec<f32> {
    let mut rng = seed.rng();
    // Never zero, whose logarithm is infinite.
    (0..count).map(|_| -(-(rng.random::<f64>() + f64::MIN_POSITIVE).ln()).ln() as f32).collect()
}

/// Draws an order for each encoded instance: by instance and step.
pub(super) fn drawn_orders<B: Backend>(
    network: &Network<'_, B>,
    jobs: Tensor<B, 3>,
    seed: Seed,
) -> Tensor<B, 2, Int> {
    let [count, n, _] = jobs.dims();
    let noise = TensorData::new(gumbel_noise(seed, count * n * n), [count, n, n]);
    let noise = Tensor::from_data(noise, &jobs.device());
    network.sample(jobs, noise)
}

impl<B: AutodiffBackend> Learner for ActorCritic<B> {
    fn batches(&self) -> usize {
        self.batches.count()
    }

    fn step(&mut self, number: BatchNumber, rate: f64) -> Result<(), TrainingError> {
        let drawn = self.instances(number)?;
        let (count, n) = (drawn.len(), drawn.first().map_or(0, PolicyInput::len));
        let prepared = drawn
            .par_iter()
            .map(|instance| Prepared::new(&self.config.network, instance))
            .collect::<Result<Vec<_>, ModelError>>()?;
        let batch = Batch::<B>::load(&prepared, n, &self.device);
        let leaves = self.actor.leaves();
        let statistics = Statistics::of_batch();
        let network = Network {
            config: &self.config.network,
            tensors: &leaves,
            statistics: &statistics,
            lookup: self.lookup,
        };
        let jobs = network.encode(&batch);
        let orders = {
            // Drawing needs no gradient.
            let tensors = leaves.inner();
            let statistics = Statistics::of_batch();
            let plain = Network::<B::InnerBackend> {
                config: &self.config.network,
                tensors: &tensors,
                statistics: &statistics,
                lookup: self.lookup,
            };
            let seed = Seed::new(self.config.seed).child("orders").nth(number.epoch as u64);
            drawn_orders(&plain, jobs.clone().inner(), seed.nth(number.batch as u64))
        };
        let costs = costs_of(&drawn, orders.clone(), n, self.config.cost)?;
        let costs = Tensor::from_data(TensorData::new(costs, [count]), &self.device);
        let criticism = self.criticise(&batch, &costs);
        // The gradient of mean((C - b) log p) is that of the expected cost.
        let advantage: Tensor<B, 1> = Tensor::from_inner(costs - criticism.expected);
        let log_likelihood = network.log_likelihood(Network::in_order(jobs, Tensor::from_inner(orders)));
        let loss = (advantage * log_likelihood).mean();
        let gradient = self.actor.gradient(&leaves, &loss);
        self.actor.note(statistics.into_noted());
        self.critic.note(criticism.noted);
        self.losses = self.losses.clone() + Tensor::cat(vec![loss.inner(), criticism.loss], 0);
        self.actor.learn(gradient, rate, self.config.gradient_clip);
        self.critic.learn(criticism.gradient, rate, self.config.gradient_clip);
        Ok(())
    }

    fn losses(&self) -> Result<Vec<f32>, TrainingError> {
        to_vec(self.losses.clone())
    }

    fn set_losses(&mut self, losses: &[f32]) {
        self.losses = Tensor::from_data(TensorData::new(losses.to_vec(), [2]), &self.device);
    }

    fn policy(&self) -> &dyn Pupil {
        &self.actor
    }

    fn pupils(&self) -> Vec<&dyn Pupil> {
        vec![&self.actor, &self.critic]
    }

    fn pupils_mut(&mut self) -> Vec<&mut dyn Pupil> {
        vec![&mut self.actor, &mut self.critic]
    }
}

/// What the orders cost, on the scale that is learnt.
pub(super) fn costs_of<B: Backend>(
    instances: &[ProblemInstance],
    orders: Tensor<B, 2, Int>,
    n: usize,
    scale: CostScale,
) -> Result<Vec<f32>, TrainingError> {
    let data =
        orders.try_into_data().map_err(|error| TrainingError::Device { reason: format!("{error:?}") })?;
    let orders: Vec<JobId> = data.iter::<i64>().map(|job| job as JobId).collect();
    let cost = |(instance, order): (&ProblemInstance, &[JobId])| {
        let unit = match scale {
            CostScale::Scaled => instance.typical_cost(),
            CostScale::Raw => 1.0,
        };
        (instance.cost(order) / unit) as f32
    };
    Ok(instances.par_iter().zip(orders.par_chunks_exact(n.max(1))).map(cost).collect())
}
