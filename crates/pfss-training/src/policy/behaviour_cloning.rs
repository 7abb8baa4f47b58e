//! Imitation of an expert: teacher-forced cross-entropy over all steps at once (section 4.3 of the paper).

use std::collections::HashMap;

use burn::tensor::backend::AutodiffBackend;
use burn::tensor::{Int, Tensor, TensorData};
use pfss_core::{JobId, Seed};
use pfss_neural::{LabelledSet, ModelError, ProblemInstance};
use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::batches::Batches;
use super::config::PolicyTrainingConfig;
use super::network::{Batch, Lookup, Network, Prepared, Statistics};
use crate::TrainingError;
use crate::device::to_vec;
use crate::learner::{BatchNumber, Learner, Pupil};
use crate::module::Module;

pub(super) struct BehaviourCloning<B: AutodiffBackend> {
    config: PolicyTrainingConfig,
    lookup: Lookup,
    device: B::Device,
    num_jobs: usize,
    problems: Vec<ProblemInstance>,
    instances: Vec<Prepared>,
    orders: Vec<Vec<i32>>,
    batches: Batches,
    /// The order in which an epoch takes the instances.
    shuffled: Option<(usize, Vec<usize>)>,
    pub(super) policy: Module<B>,
    loss: Tensor<B::InnerBackend, 1>,
}

/// What a batch teaches.
pub(super) struct Lesson<B: AutodiffBackend> {
    pub(super) loss: Tensor<B::InnerBackend, 1>,
    /// Of all parameters, in one row.
    pub(super) gradient: Tensor<B::InnerBackend, 1>,
    /// The batch's statistics.
    noted: HashMap<String, Tensor<B, 2>>,
}

impl<B: AutodiffBackend> BehaviourCloning<B> {
    pub(super) fn new(
        config: &PolicyTrainingConfig,
        data: &LabelledSet,
        lookup: Lookup,
    ) -> Result<Self, TrainingError> {
        let device = B::Device::default();
        let network = &config.network;
        let instances = data
            .items()
            .par_iter()
            .map(|item| Prepared::new(network, &item.instance))
            .collect::<Result<_, ModelError>>()?;
        let orders = data.items().iter().map(|item| item.order.iter().map(|&job| job as i32).collect());
        Ok(Self {
            lookup,
            num_jobs: data.num_jobs(),
            problems: data.items().iter().map(|item| item.instance.clone()).collect(),
            instances,
            orders: orders.collect(),
            batches: Batches::new(data.items().len(), config.batch_size),
            shuffled: None,
            policy: Module::new(&network.tensors(), &network.running(), Seed::new(config.seed), &device),
            loss: Tensor::zeros([1], &device),
            config: config.clone(),
            device,
        })
    }

    /// The loss of some instances and its gradient.
    pub(super) fn lesson(&self, instances: &[Prepared], orders: Vec<i32>) -> Lesson<B> {
        let (count, n) = (instances.len(), self.num_jobs);
        let batch = Batch::<B>::load(instances, n, &self.device);
        let orders = Tensor::<B, 2, Int>::from_data(TensorData::new(orders, [count, n]), &self.device);
        let leaves = self.policy.leaves();
        let statistics = Statistics::of_batch();
        let network = Network {
            config: &self.config.network,
            tensors: &leaves,
            statistics: &statistics,
            lookup: self.lookup,
        };
        let jobs = Network::in_order(network.encode(&batch), orders);
        // The mean over instances and steps of minus the log-probability of the job that the expert placed.
        let loss = network.log_likelihood(jobs).sum().mul_scalar(-1.0 / (count * n) as f32);
        let gradient = self.policy.gradient(&leaves, &loss);
        Lesson { loss: loss.inner(), gradient, noted: statistics.into_noted() }
    }

    /// Some of the instances and their orders.
    pub(super) fn taken(&self, instances: &[usize]) -> (Vec<Prepared>, Vec<i32>) {
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
    fn vary(&self, number: BatchNumber, instances: &[usize], prepared: &mut [Prepared], orders: &mut [i32]) {
        let seed = Seed::new(self.config.seed).child("symmetries").nth(number.epoch as u64);
        let mut rng = seed.nth(number.batch as u64).rng();
        let orders = orders.chunks_exact_mut(self.num_jobs);
        for ((&index, prepared), row) in instances.iter().zip(prepared).zip(orders) {
            let mut order: Vec<JobId> = row.iter().map(|&job| job as JobId).collect();
            self.problems[index].problem().vary(&mut prepared.features, &mut order, &mut rng);
            row.iter_mut().zip(order).for_each(|(job, varied)| *job = varied as i32);
        }
    }
}

impl<B: AutodiffBackend> Learner for BehaviourCloning<B> {
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
        let Lesson { loss, gradient, noted } = self.lesson(&prepared, orders);
        self.policy.note(noted);
        self.loss = self.loss.clone() + loss;
        self.policy.learn(gradient, rate, self.config.gradient_clip);
        Ok(())
    }

    fn losses(&self) -> Result<Vec<f32>, TrainingError> {
        to_vec(self.loss.clone())
    }

    fn set_losses(&mut self, losses: &[f32]) {
        self.loss = Tensor::from_data(TensorData::new(losses.to_vec(), [1]), &self.device);
    }

    fn policy(&self) -> &dyn Pupil {
        &self.policy
    }

    fn pupils_mut(&mut self) -> Vec<&mut dyn Pupil> {
        vec![&mut self.policy]
    }
}
