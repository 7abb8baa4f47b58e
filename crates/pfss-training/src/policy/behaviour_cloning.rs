//! Imitation of an expert: teacher-forced cross-entropy over all steps at once (section 4.3 of the paper).

use std::rc::Rc;

use pfss_core::{JobId, Seed};
use pfss_neural::{LabelledSet, ModelError, ProblemInstance};
use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::batches::Batches;
use super::config::PolicyTrainingConfig;
use super::network::{Batch, Network, Prepared, Statistics, mean_entropy};
use crate::TrainingError;
use crate::engine::{Backend, Matrix, Pointed, Tape};
use crate::learner::{BatchNumber, Learner, Pupil, Told};
use crate::module::Module;

pub(super) struct BehaviourCloning<B: Backend> {
    config: PolicyTrainingConfig,
    backend: Rc<B>,
    num_jobs: usize,
    problems: Vec<ProblemInstance>,
    instances: Vec<Prepared>,
    orders: Vec<Vec<u32>>,
    batches: Batches,
    /// The order in which an epoch takes the instances.
    shuffled: Option<(usize, Vec<usize>)>,
    pub(super) policy: Module<B>,
    /// The sum of the batches' losses.
    losses: Matrix<B>,
    /// Of the last batch: by instance.
    entropies: Matrix<B>,
}

impl<B: Backend> BehaviourCloning<B> {
    pub(super) fn new(
        config: &PolicyTrainingConfig,
        data: &LabelledSet,
        backend: Rc<B>,
    ) -> Result<Self, TrainingError> {
        let network = &config.network;
        let instances = data
            .items()
            .par_iter()
            .map(|item| Prepared::new(network, &item.instance))
            .collect::<Result<_, ModelError>>()?;
        Ok(Self {
            num_jobs: data.num_jobs(),
            problems: data.items().iter().map(|item| item.instance.clone()).collect(),
            instances,
            orders: data.items().iter().map(|item| item.order.to_vec()).collect(),
            batches: Batches::new(data.items().len(), config.batch_size),
            shuffled: None,
            policy: Module::new(&backend, &network.tensors(), &network.running(), Seed::new(config.seed)),
            losses: backend.upload(&[0.0], 1),
            entropies: backend.upload(&[0.0], 1),
            config: config.clone(),
            backend,
        })
    }

    /// Adds the loss of some instances to the losses; its gradient is the policy's.
    pub(super) fn lesson(&mut self, instances: &[Prepared], orders: &[u32]) {
        let (count, n) = (instances.len(), self.num_jobs);
        let batch = Batch::load(&self.config.network, instances, n, &*self.backend);
        let tape = Tape::new(&self.backend);
        self.policy.begin();
        let tensors = self.policy.tensors(&tape);
        let statistics = Statistics::of_batch();
        let network =
            Network { config: &self.config.network, tape: &tape, tensors: &tensors, statistics: &statistics };
        let jobs = network.in_order(&network.encode(&batch), orders, n);
        let Pointed { likely, entropy, .. } = network.teacher_forced(&jobs, n);
        // The mean over instances and steps of minus the log-probability of the job that the expert placed.
        let weights = self.backend.matrix(count, 1);
        self.backend.fill(&weights, -1.0 / (count * n) as f32);
        self.backend.add_dot(&weights, &likely.value, &self.losses, 0);
        tape.back(vec![(likely, weights)]);
        self.entropies = entropy;
        self.policy.note(&statistics.into_noted());
    }

    /// Some of the instances and their orders.
    pub(super) fn taken(&self, instances: &[usize]) -> (Vec<Prepared>, Vec<u32>) {
        let prepared = instances.iter().map(|&index| self.instances[index].clone());
        let orders = instances.iter().flat_map(|&index| self.orders[index].iter().copied());
        (prepared.collect(), orders.collect())
    }

    /// All instances in an order that depends on the seed and the epoch alone.
    fn shuffled(&self, epoch: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..self.instances.len()).collect();
        all.shuffle(&mut Seed::new(self.config.seed).child("batches").nth(epoch as u64).rng());
        all
    }

    /// Turns instances and orders into others that mean the same, as their problem allows it.
    fn vary(
        &self,
        number: BatchNumber,
        instances: &[usize],
        prepared: &mut [Prepared],
        orders: &mut [JobId],
    ) {
        let seed = Seed::new(self.config.seed).child("symmetries").nth(number.epoch as u64);
        let mut rng = seed.nth(number.batch as u64).rng();
        let orders = orders.chunks_exact_mut(self.num_jobs);
        for ((&index, prepared), row) in instances.iter().zip(prepared).zip(orders) {
            let mut order = row.to_vec();
            self.problems[index].problem().vary(&mut prepared.features, &mut order, &mut rng);
            row.copy_from_slice(&order);
        }
    }
}

impl<B: Backend> Learner for BehaviourCloning<B> {
    fn batches(&self) -> usize {
        self.batches.count()
    }

    fn step(&mut self, number: BatchNumber, rate: f64) -> Result<(), TrainingError> {
        let shuffled = match self.shuffled.take() {
            Some((epoch, shuffled)) if epoch == number.epoch => shuffled,
            _ => self.shuffled(number.epoch),
        };
        let instances = &shuffled[self.batches.range(number.batch)];
        let (mut prepared, mut orders) = self.taken(instances);
        self.vary(number, instances, &mut prepared, &mut orders);
        self.shuffled = Some((number.epoch, shuffled));
        self.lesson(&prepared, &orders);
        self.policy.learn(rate, self.config.gradient_clip);
        Ok(())
    }

    fn told(&self) -> Result<Told, TrainingError> {
        let entropy = mean_entropy(&*self.backend, &self.entropies, self.num_jobs)?;
        Ok(Told { gradient_norm: self.policy.gradient_norm()?, entropy: Some(entropy) })
    }

    fn losses(&self) -> Result<Vec<f32>, TrainingError> {
        self.backend.download(&self.losses)
    }

    fn set_losses(&mut self, losses: &[f32]) {
        self.losses = self.backend.upload(losses, losses.len());
    }

    fn policy(&self) -> &dyn Pupil {
        &self.policy
    }

    fn pupils_mut(&mut self) -> Vec<&mut dyn Pupil> {
        vec![&mut self.policy]
    }
}
