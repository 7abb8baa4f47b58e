//! Losses and their gradients in double precision.

use std::collections::HashMap;
use std::rc::Rc;

use pfss_neural::reference::{self, Statistics::OfBatch};
use pfss_neural::{LabelledSet, NetworkConfig, Normalization, ProblemInstance, Weights};

use super::{fresh, kinds, labelled, trained_row};
use crate::engine::{Backend, Cpu};
use crate::finite_differences::compare_gradient;
use crate::learner::Learner;
use crate::parameters::Layout;
use crate::policy::actor_critic::ActorCritic;
use crate::policy::behaviour_cloning::BehaviourCloning;
use crate::policy::critic::critic_tensors;
use crate::policy::network::{Batch, Prepared};
use crate::policy::{Method, PolicyTrainingConfig};

/// The loss in double precision.
fn exact_loss(weights: &Weights, set: &LabelledSet) -> f64 {
    let instances: Vec<&ProblemInstance> = set.items().iter().map(|item| &item.instance).collect();
    let encoded = reference::encode(weights, &instances, OfBatch).unwrap();
    let steps = encoded.iter().zip(set.items()).flat_map(|(jobs, item)| {
        let steps = reference::follow(weights, jobs, &item.order);
        steps.into_iter().zip(item.order.iter()).map(|(row, &job)| -row[job as usize]).collect::<Vec<f64>>()
    });
    steps.sum::<f64>() / (instances.len() * set.num_jobs()) as f64
}

fn with_row(config: &NetworkConfig, row: &[f32], weights: &Weights) -> Weights {
    let mut tensors = Layout::new(&config.tensors()).named(row);
    let running = config.running().into_iter();
    tensors.extend(running.map(|(name, _)| (name.clone(), weights.get(&name).to_vec())));
    Weights::new(config.clone(), tensors).unwrap()
}

#[test]
fn the_gradient_of_the_whole_loss_is_that_of_finite_differences() {
    for config in kinds(&NetworkConfig { width: 6, heads: 2, ..NetworkConfig::new(3) }) {
        let weights = Weights::random(config.clone(), 11).unwrap();
        let set = labelled(3, 6, 3, 5);
        let training = PolicyTrainingConfig::new(config.clone(), 1);
        let cpu = Rc::new(Cpu::new());
        let mut learner = BehaviourCloning::new(&training, &set, Rc::clone(&cpu)).unwrap();
        let row = trained_row(&weights);
        learner.policy.weights = cpu.upload(&row, row.len());
        let (instances, orders) = learner.taken(&[0, 1, 2]);
        learner.lesson(&instances, &orders);
        let (loss, gradient) =
            (learner.losses().unwrap()[0], cpu.download(&learner.policy.gradient).unwrap());
        assert!((f64::from(loss) - exact_loss(&weights, &set)).abs() < 1e-5);
        let exact = |row: &[f32]| exact_loss(&with_row(&config, row, &weights), &set);
        compare_gradient(
            &row,
            &gradient,
            &exact,
            &format!("{:?} {:?}", config.encoder, config.normalization),
        );
    }
}

/// The critic's loss in double precision: the twin's encoder, and two maps of the mean embedding.
fn exact_critic_loss(
    config: &NetworkConfig,
    critic: &HashMap<String, Vec<f32>>,
    weights: &Weights,
    instances: &[ProblemInstance],
    costs: &[f32],
) -> f64 {
    // The twin wants a decoder too; it is not used.
    let all = config.tensors().into_iter().chain(config.running()).map(|(name, _)| {
        let values = critic.get(&name).map_or_else(|| weights.get(&name).to_vec(), Clone::clone);
        (name, values)
    });
    let twin = Weights::new(config.clone(), all.collect()).unwrap();
    let encoded = reference::encode(&twin, &instances.iter().collect::<Vec<_>>(), OfBatch).unwrap();
    let d = config.width;
    let map = |name: &str, input: &[f64]| -> Vec<f64> {
        let rows = critic[&format!("value.{name}.weight")].chunks_exact(d);
        let bias = &critic[&format!("value.{name}.bias")];
        let dot = |row: &[f32]| row.iter().zip(input).map(|(w, x)| f64::from(*w) * x).sum::<f64>();
        rows.zip(bias).map(|(row, bias)| dot(row) + f64::from(*bias)).collect()
    };
    let error = |(jobs, cost): (&Vec<reference::Row>, &f32)| {
        let mean: Vec<f64> =
            (0..d).map(|i| jobs.iter().map(|job| job[i]).sum::<f64>() / jobs.len() as f64).collect();
        let hidden: Vec<f64> = map("hidden", &mean).into_iter().map(|x| x.max(0.0)).collect();
        (map("output", &hidden)[0] - f64::from(*cost)).powi(2)
    };
    encoded.iter().zip(costs).map(error).sum::<f64>() / costs.len() as f64
}

#[test]
fn the_critics_gradient_is_that_of_finite_differences() {
    for normalization in [Normalization::Batch, Normalization::Layer] {
        let config = NetworkConfig { width: 6, heads: 2, normalization, ..NetworkConfig::new(3) };
        let weights = Weights::random(config.clone(), 4).unwrap();
        let set = labelled(4, 6, 3, 9);
        let instances: Vec<ProblemInstance> = set.items().iter().map(|item| item.instance.clone()).collect();
        let training = PolicyTrainingConfig {
            method: Method::ActorCritic,
            ..PolicyTrainingConfig::new(config.clone(), 1)
        };
        let cpu = Rc::new(Cpu::new());
        let learner = ActorCritic::new(&training, &fresh(6, 3, 4), Rc::clone(&cpu));
        let row = cpu.download(&learner.critic.weights).unwrap();
        let prepared: Vec<Prepared> =
            instances.iter().map(|instance| Prepared::new(&config, instance).unwrap()).collect();
        let batch = Batch::load(&config, &prepared, 6, &*cpu);
        let costs = [1.2f32, 0.4, 0.9, 2.0];
        learner.criticise(&batch, &costs);
        let layout = Layout::new(&critic_tensors(&config));
        let exact =
            |row: &[f32]| exact_critic_loss(&config, &layout.named(row), &weights, &instances, &costs);
        let loss = learner.losses().unwrap()[1];
        assert!((f64::from(loss) - exact(&row)).abs() < 1e-5);
        compare_gradient(&row, &cpu.download(&learner.critic.gradient).unwrap(), &exact, "critic");
    }
}
