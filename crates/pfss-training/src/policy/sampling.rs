//! Learning from many orders of each fresh instance: policy gradient against their mean cost (Kwon et al. 2020, POMO), or
//! imitation of the best of them (Corsini et al. 2024, self-labelling).

use std::rc::Rc;

use pfss_core::{JobId, Seed};

use super::actor_critic::{costs_of, drawn_orders};
use super::batches::Batches;
use super::config::{Method, PolicyTrainingConfig};
use super::lessons::Fresh;
use super::network::{Batch, Network, Statistics, mean_entropy, prepared};
use crate::TrainingError;
use crate::engine::{Backend, Matrix, Tape};
use crate::learner::{BatchNumber, Learner, Pupil, Told};
use crate::module::Module;

pub(super) struct Sampling<B: Backend> {
    config: PolicyTrainingConfig,
    backend: Rc<B>,
    fresh: Fresh,
    batches: Batches,
    pub(super) policy: Module<B>,
    /// The sum of the batches' losses.
    losses: Matrix<B>,
    /// Of an order of each instance of the last batch, and of how many jobs.
    entropies: (Matrix<B>, usize),
}

/// Orders to learn from, by instance and step, and how much the loss falls where each instance's becomes likelier.
type Lesson = (Vec<JobId>, Vec<f32>);

impl<B: Backend> Sampling<B> {
    pub(super) fn new(config: &PolicyTrainingConfig, fresh: &Fresh, backend: Rc<B>) -> Self {
        let (network, seed) = (&config.network, Seed::new(config.seed));
        Self {
            fresh: fresh.clone(),
            batches: Batches::new(fresh.instances, config.batch_size),
            policy: Module::new(&backend, &network.tensors(), &network.running(), seed),
            losses: backend.upload(&[0.0], 1),
            entropies: (backend.upload(&[0.0], 1), 1),
            config: config.clone(),
            backend,
        }
    }

    /// What is learnt from the orders that were drawn, each with the costs of all instances.
    fn lessons(&self, drawn: Vec<(Vec<JobId>, Vec<f32>)>, n: usize) -> Vec<Lesson> {
        let (count, samples) = (drawn[0].1.len(), drawn.len());
        if self.config.method == Method::SelfLabelling {
            return vec![best_of(&drawn, n)];
        }
        let share = 1.0 / samples as f32;
        let mean: Vec<f32> =
            (0..count).map(|at| share * drawn.iter().map(|(_, costs)| costs[at]).sum::<f32>()).collect();
        let weights = |costs: Vec<f32>| -> Vec<f32> {
            costs.iter().zip(&mean).map(|(cost, mean)| share * (cost - mean) / count as f32).collect()
        };
        drawn.into_iter().map(|(orders, costs)| (orders, weights(costs))).collect()
    }
}

/// The first of the cheapest orders of each instance, to be imitated.
fn best_of(drawn: &[(Vec<JobId>, Vec<f32>)], n: usize) -> Lesson {
    let count = drawn[0].1.len();
    let best = |at: usize| drawn.iter().min_by(|a, b| a.1[at].total_cmp(&b.1[at]));
    let row = |at: usize| best(at).into_iter().flat_map(move |(orders, _)| &orders[at * n..(at + 1) * n]);
    ((0..count).flat_map(row).copied().collect(), vec![-1.0 / (count * n) as f32; count])
}

impl<B: Backend> Learner for Sampling<B> {
    fn batches(&self) -> usize {
        self.batches.count()
    }

    fn step(&mut self, number: BatchNumber, rate: f64) -> Result<(), TrainingError> {
        let (config, samples) = (&self.config, self.config.samples);
        let instances = self.fresh.batch(&self.batches, number)?;
        let (prepared, n) = prepared(&config.network, &instances)?;
        let batch = Batch::load(&config.network, &prepared, n, &*self.backend);
        let tape = Tape::new(&self.backend);
        self.policy.begin();
        let tensors = self.policy.tensors(&tape);
        let statistics = Statistics::of_batch();
        let network =
            Network { config: &config.network, tape: &tape, tensors: &tensors, statistics: &statistics };
        let jobs = network.encode(&batch);
        let seed = Seed::new(config.seed).child("orders").nth(number.epoch as u64).nth(number.batch as u64);
        let drawn = {
            // Drawing needs no gradient.
            let tensors = tensors.plain();
            let plain = Network { tape: &Tape::plain(&self.backend), tensors: &tensors, ..network };
            let draw = |sample: usize| {
                let orders =
                    drawn_orders(&plain, &jobs.plain(), n, seed.nth(sample as u64), (sample, samples))?;
                let costs = costs_of(&instances, &orders, n, config.cost);
                Ok((orders, costs))
            };
            (0..samples).map(draw).collect::<Result<Vec<_>, TrainingError>>()?
        };
        let mut results = Vec::new();
        for (orders, weights) in self.lessons(drawn, n) {
            let pointed = network.teacher_forced(&network.in_order(&jobs, &orders, n), n);
            let weights = self.backend.upload(&weights, 1);
            self.backend.add_dot(&weights, &pointed.likely.value, &self.losses, 0);
            self.entropies = (pointed.entropy, n);
            results.push((pointed.likely, weights));
        }
        tape.back(results);
        self.policy.note(&statistics.into_noted());
        self.policy.learn(rate, self.config.gradient_clip);
        Ok(())
    }

    fn told(&self) -> Result<Told, TrainingError> {
        let entropy = mean_entropy(&*self.backend, &self.entropies.0, self.entropies.1)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_cheapest_orders_is_the_label() {
        let drawn = [
            (vec![0, 1, 0, 1], vec![5.0, 3.0]),
            (vec![1, 0, 1, 0], vec![4.0, 3.0]),
            (vec![0, 1, 1, 0], vec![4.0, 9.0]),
        ];
        assert_eq!(best_of(&drawn, 2), (vec![1, 0, 0, 1], vec![-0.25; 2]));
    }
}
