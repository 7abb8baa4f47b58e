//! Actor-critic learning, the paper's rival: the policy draws one order for each fresh instance, and is drawn towards
//! those that cost less than the critic expected (REINFORCE with a learnt baseline).

use std::rc::Rc;

use pfss_core::{JobId, Seed};
use pfss_neural::{NetworkConfig, ProblemInstance};
use rand::RngExt;
use rayon::prelude::*;

use super::batches::Batches;
use super::config::{CostScale, PolicyTrainingConfig};
use super::critic::{critic, critic_tensors};
use super::lessons::Fresh;
use super::network::{Batch, Network, Statistics, mean_entropy, prepared};
use crate::TrainingError;
use crate::engine::{Backend, Matrix, Pointed, Tape, Var};
use crate::learner::{BatchNumber, Learner, Pupil, Told};
use crate::module::Module;

pub(super) struct ActorCritic<B: Backend> {
    config: PolicyTrainingConfig,
    critic_network: NetworkConfig,
    backend: Rc<B>,
    fresh: Fresh,
    batches: Batches,
    pub(super) actor: Module<B>,
    pub(super) critic: Module<B>,
    /// The sums of the batches' losses: the actor's and the critic's.
    losses: Matrix<B>,
    /// Of the last batch: by instance, and of how many jobs.
    entropies: (Matrix<B>, usize),
}

impl<B: Backend> ActorCritic<B> {
    pub(super) fn new(config: &PolicyTrainingConfig, fresh: &Fresh, backend: Rc<B>) -> Self {
        let network = &config.network;
        let critic_network = critic(network);
        let (running, seed) = (critic_network.running(), Seed::new(config.seed));
        Self {
            fresh: fresh.clone(),
            batches: Batches::new(fresh.instances, config.batch_size),
            actor: Module::new(&backend, &network.tensors(), &network.running(), seed),
            critic: Module::new(&backend, &critic_tensors(network), &running, seed.child("critic")),
            losses: backend.upload(&[0.0; 2], 2),
            entropies: (backend.upload(&[0.0], 1), 1),
            critic_network,
            config: config.clone(),
            backend,
        }
    }

    /// What the critic makes of instances whose costs are known: how much each is above what it expected, divided by
    /// their number. Adds its loss, the mean square of its errors, to the losses; the gradient is the critic's.
    pub(super) fn criticise(&self, batch: &Batch<B>, costs: &[f32]) -> Matrix<B> {
        let tape = Tape::new(&self.backend);
        self.critic.begin();
        let tensors = self.critic.tensors(&tape);
        let statistics = Statistics::of_batch();
        let network =
            Network { config: &self.critic_network, tape: &tape, tensors: &tensors, statistics: &statistics };
        let expected = network.value(batch);
        let costs = self.backend.upload(costs, 1);
        let [of_expected, advantages] = [(); 2].map(|()| self.backend.matrix(batch.count, 1));
        self.backend.criticise(&expected.value, &costs, &of_expected, &advantages, (&self.losses, 1));
        tape.back(vec![(expected, of_expected)]);
        self.critic.note(&statistics.into_noted());
        advantages
    }
}

/// Draws an order for each encoded instance: by instance and step. It may be one of several, whose first jobs are spread
/// over all that are likely.
pub(super) fn drawn_orders<B: Backend>(
    network: &Network<'_, B>,
    jobs: &Var<B>,
    n: usize,
    seed: Seed,
    (sample, samples): (usize, usize),
) -> Result<Vec<JobId>, TrainingError> {
    let mut rng = seed.rng();
    let mut draws: Vec<f32> = (0..jobs.value.rows).map(|_| rng.random()).collect();
    for first in draws.iter_mut().step_by(n.max(1)) {
        *first = (sample as f32 + *first) / samples as f32;
    }
    let draws = network.backend().upload(&draws, n);
    network.backend().download_indices(&network.roll_out(jobs, n, Some(&draws)))
}

impl<B: Backend> Learner for ActorCritic<B> {
    fn batches(&self) -> usize {
        self.batches.count()
    }

    fn step(&mut self, number: BatchNumber, rate: f64) -> Result<(), TrainingError> {
        let drawn = self.fresh.batch(&self.batches, number)?;
        let (prepared, n) = prepared(&self.config.network, &drawn)?;
        let batch = Batch::load(&self.config.network, &prepared, n, &*self.backend);
        let tape = Tape::new(&self.backend);
        self.actor.begin();
        let tensors = self.actor.tensors(&tape);
        let statistics = Statistics::of_batch();
        let network =
            Network { config: &self.config.network, tape: &tape, tensors: &tensors, statistics: &statistics };
        let jobs = network.encode(&batch);
        let orders = {
            // Drawing needs no gradient.
            let tensors = tensors.plain();
            let plain = Network { tape: &Tape::plain(&self.backend), tensors: &tensors, ..network };
            let seed = Seed::new(self.config.seed).child("orders").nth(number.epoch as u64);
            drawn_orders(&plain, &jobs.plain(), n, seed.nth(number.batch as u64), (0, 1))?
        };
        let costs = costs_of(&drawn, &orders, n, self.config.cost);
        // The gradient of mean((C - b) log p) is that of the expected cost.
        let advantages = self.criticise(&batch, &costs);
        let Pointed { likely, entropy, .. } = network.teacher_forced(&network.in_order(&jobs, &orders, n), n);
        self.backend.add_dot(&advantages, &likely.value, &self.losses, 0);
        tape.back(vec![(likely, advantages)]);
        self.entropies = (entropy, n);
        self.actor.note(&statistics.into_noted());
        self.actor.learn(rate, self.config.gradient_clip);
        self.critic.learn(rate, self.config.gradient_clip);
        Ok(())
    }

    fn told(&self) -> Result<Told, TrainingError> {
        let entropy = mean_entropy(&*self.backend, &self.entropies.0, self.entropies.1)?;
        Ok(Told { gradient_norm: self.actor.gradient_norm()?, entropy: Some(entropy) })
    }

    fn losses(&self) -> Result<Vec<f32>, TrainingError> {
        self.backend.download(&self.losses)
    }

    fn set_losses(&mut self, losses: &[f32]) {
        self.losses = self.backend.upload(losses, losses.len());
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
pub(super) fn costs_of(
    instances: &[ProblemInstance],
    orders: &[JobId],
    n: usize,
    scale: CostScale,
) -> Vec<f32> {
    let cost = |(instance, order): (&ProblemInstance, &[JobId])| {
        let unit = match scale {
            CostScale::Scaled => instance.typical_cost(),
            CostScale::Raw => 1.0,
        };
        (instance.cost(order) / unit) as f32
    };
    instances.par_iter().zip(orders.par_chunks_exact(n.max(1))).map(cost).collect()
}
