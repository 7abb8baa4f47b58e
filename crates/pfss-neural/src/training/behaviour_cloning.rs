//! Imitation of an expert: teacher-forced cross-entropy over all steps at once (section 4.3 of the paper).

use std::collections::HashMap;

use burn::tensor::backend::AutodiffBackend;
use burn::tensor::{Int, Tensor, TensorData};
use pfss_core::{Rng, Seed};
use rand::RngExt;
use rayon::prelude::*;

use super::learner::{BatchNumber, Learn, LearnInstances, Pupil};
use super::module::Module;
use super::network::{Batch, Lookup, Network, Prepared, Statistics};
use super::{TrainingConfig, TrainingError, to_vec};
use crate::{LabelledSet, ModelError, ProblemKind};

pub(super) struct BehaviourCloning<B: AutodiffBackend> {
    config: TrainingConfig,
    lookup: Lookup,
    device: B::Device,
    num_jobs: usize,
    instances: Vec<Prepared>,
    orders: Vec<Vec<i32>>,
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
        config: &TrainingConfig,
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
            instances,
            orders: orders.collect(),
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
    pub(super) fn taken(&self, instances: &[u64]) -> (Vec<Prepared>, Vec<i32>) {
        let prepared = instances.iter().map(|&index| self.instances[index as usize].clone());
        let orders = instances.iter().flat_map(|&index| self.orders[index as usize].iter().copied());
        (prepared.collect(), orders.collect())
    }
}

impl<B: AutodiffBackend> LearnInstances for BehaviourCloning<B> {
    fn step(&mut self, number: BatchNumber, instances: &[u64], rate: f64) -> Result<(), TrainingError> {
        let (mut prepared, mut orders) = self.taken(instances);
        if self.config.network.problem == ProblemKind::Tsp {
            let seed = Seed::new(self.config.seed).child("symmetries").nth(number.epoch as u64);
            let mut rng = seed.nth(number.batch as u64).rng();
            for (instance, order) in prepared.iter_mut().zip(orders.chunks_exact_mut(self.num_jobs)) {
                turn(&mut instance.features, order, &mut rng);
            }
        }
        let Lesson { loss, gradient, noted } = self.lesson(&prepared, orders);
        self.policy.note(noted);
        self.loss = self.loss.clone() + loss;
        self.policy.learn(gradient, rate, self.config.gradient_clip);
        Ok(())
    }
}

impl<B: AutodiffBackend> Learn for BehaviourCloning<B> {
    fn losses(&self) -> Result<Vec<f32>, TrainingError> {
        to_vec(self.loss.clone())
    }

    fn set_losses(&mut self, losses: &[f32]) {
        self.loss = Tensor::from_data(TensorData::new(losses.to_vec(), [1]), &self.device);
    }

    fn pupils(&self) -> Vec<&dyn Pupil> {
        vec![&self.policy]
    }

    fn pupils_mut(&mut self) -> Vec<&mut dyn Pupil> {
        vec![&mut self.policy]
    }
}

/// A tour is the same from each of its cities on and in both directions, and in a map that is mirrored: one of these at
/// random, so that a network sees an instance in many forms.
fn turn(coordinates: &mut [f32], order: &mut [i32], rng: &mut Rng) {
    order.rotate_left(rng.random_range(0..order.len()));
    if rng.random::<bool>() {
        order.reverse();
    }
    let swap = rng.random::<bool>();
    let flip = [rng.random::<bool>(), rng.random::<bool>()];
    let mut most = [0.0f32; 2];
    for point in coordinates.as_chunks::<2>().0 {
        most = [most[0].max(point[0]), most[1].max(point[1])];
    }
    for point in coordinates.as_chunks_mut::<2>().0 {
        for axis in 0..2 {
            if flip[axis] {
                point[axis] = most[axis] - point[axis];
            }
        }
        if swap {
            point.swap(0, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::tsp::{Metric, TspInstance, tour_length};

    #[test]
    fn a_turned_map_has_the_same_tour() {
        let map = TspInstance::uniform(9, Seed::new(2), 0).unwrap();
        let length = tour_length(&map, &[0, 3, 1, 2, 4, 8, 7, 5, 6]);
        let mut rng = Seed::new(5).rng();
        for _ in 0..20 {
            let mut order = [0, 3, 1, 2, 4, 8, 7, 5, 6];
            let mut rows: Vec<f32> = map.points().iter().flatten().map(|&x| x as f32).collect();
            turn(&mut rows, &mut order, &mut rng);
            let points = rows.as_chunks::<2>().0.iter().map(|&[x, y]| [f64::from(x), f64::from(y)]).collect();
            let turned = TspInstance::new("", points, Metric::Euclidean).unwrap();
            assert!((tour_length(&turned, &order.map(|city| city as u32)) - length).abs() < 1e-5);
        }
    }
}
