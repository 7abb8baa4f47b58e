//! The network in burn against its twins, its gradient against differences, and trainings that are interrupted.

use std::collections::HashMap;
use std::sync::Arc;

use burn::backend::{Autodiff, Flex};
use burn::tensor::{Int, Tensor, TensorData};
use pfss_core::generate::{Distribution, Generated};
use pfss_core::{Instance, JobId, Permutation, Seed};
use rand::RngExt;
use rand::seq::SliceRandom;
use serde_json::Map;

use super::actor_critic::{ActorCritic, costs_of, drawn_orders};
use super::behaviour_cloning::BehaviourCloning;
use super::network::{Batch, Lookup, Network, Prepared, Statistics};
use super::parameters::Layout;
use super::{
    BurnPolicy, CostScale, Device, Fresh, Lessons, Method, Training, TrainingConfig, TrainingError, to_vec,
};
use crate::network::tests::random_weights;
use crate::{
    Aggregation, EncoderKind, LabelledSet, NetworkConfig, Normalization, Policy, ProblemInstance, Weights,
    reference,
};

const ENCODERS: [EncoderKind; 3] = [EncoderKind::Ggcn, EncoderKind::Lstm, EncoderKind::Transformer];

fn labelled(count: usize, n: usize, m: usize, seed: u64) -> LabelledSet {
    labelled_below(2.0, count, n, m, seed)
}

/// With times below `most`: random weights make large logits of large times, all of them clipped.
fn labelled_below(most: f64, count: usize, n: usize, m: usize, seed: u64) -> LabelledSet {
    let mut rng = Seed::new(seed).stream("set");
    let labels = (0..count).map(|_| {
        let times = (0..n * m).map(|_| rng.random_range(0.0..most)).collect();
        let mut order: Vec<JobId> = (0..n as JobId).collect();
        order.shuffle(&mut rng);
        (Instance::new("", m, times).unwrap().into(), Permutation::new(order, n).unwrap())
    });
    LabelledSet::new(labels.collect(), Map::new()).unwrap()
}

fn in_one_row(weights: &Weights, tensors: &[(String, Vec<usize>)]) -> Vec<f32> {
    tensors.iter().flat_map(|(name, _)| weights.get(name).iter().copied()).collect()
}

fn flow_shop(instance: &ProblemInstance) -> &Instance<f64> {
    instance.get().unwrap()
}

#[test]
fn inference_is_burns_forward_pass() {
    for (case, normalization) in
        [Normalization::Batch, Normalization::Layer, Normalization::None].into_iter().enumerate()
    {
        for (encoder, aggregation) in [
            (EncoderKind::Ggcn, Aggregation::Mean),
            (EncoderKind::Ggcn, Aggregation::Sum),
            (EncoderKind::Ggcn, Aggregation::Max),
            (EncoderKind::Lstm, Aggregation::Mean),
            (EncoderKind::Transformer, Aggregation::Mean),
        ] {
            let config = NetworkConfig {
                width: 48,
                heads: 4,
                encoder,
                aggregation,
                normalization,
                ..NetworkConfig::new(4)
            };
            let weights = random_weights(config, case as u64);
            let set = labelled_below(0.3, 5, 12, 4, case as u64);
            let policy = Policy::new(&weights);
            let instances: Vec<ProblemInstance> =
                set.items().iter().map(|item| item.instance.clone()).collect();
            let found = BurnPolicy::new(&weights).log_probabilities(&instances).unwrap();
            for (instance, found) in instances.iter().zip(&found) {
                let own: Vec<JobId> = (0..12).collect();
                let expected = policy.log_probabilities(instance, &own).unwrap();
                for (found, expected) in found.iter().zip(expected.iter().flatten()) {
                    assert!(*expected == f32::NEG_INFINITY || (found - expected).abs() < 1e-4);
                }
            }
        }
    }
}

/// The policy that comes along, on instances like those that it was trained on. Where both disagree, two jobs must
/// have been equally likely up to rounding.
#[test]
fn a_thousand_greedy_orders_are_those_of_burn() {
    let model = include_bytes!("../../../../models/gamma-m5/model.safetensors");
    let weights = Weights::from_bytes(model).unwrap();
    let policy = Policy::new(&weights);
    let draw = |index| match Distribution::gamma().nth(20, 5, Seed::new(7), index).unwrap() {
        Generated::Real(instance) => instance,
        Generated::Integer(_) => unreachable!(),
    };
    let instances: Vec<Instance<f64>> = (0..1000).map(draw).collect();
    let found = BurnPolicy::new(&weights).greedy(&instances).unwrap();
    let mut ties = 0;
    for (instance, found) in instances.iter().zip(&found) {
        let order = policy.greedy(instance).unwrap();
        if let Some(step) = order.iter().zip(found).position(|(a, b)| a != b) {
            let likely = &policy.log_probabilities(instance, &order).unwrap()[step];
            let (own, other) = (likely[order[step] as usize], likely[found[step] as usize]);
            assert!((own - other).abs() < 1e-4, "step {step}: {own} {other}");
            ties += 1;
        }
    }
    assert!(ties <= 2, "{ties}");
}

/// The loss in double precision.
fn exact_loss(weights: &Weights, set: &LabelledSet) -> f64 {
    let instances: Vec<&ProblemInstance> = set.items().iter().map(|item| &item.instance).collect();
    let encoded = reference::encode(weights, &instances, true);
    let steps = encoded.iter().zip(set.items()).flat_map(|(jobs, item)| {
        let steps = reference::follow(weights, jobs, &item.order);
        steps.into_iter().zip(item.order.iter()).map(|(row, &job)| -row[job as usize]).collect::<Vec<f64>>()
    });
    steps.sum::<f64>() / (instances.len() * set.num_jobs()) as f64
}

/// Compares a gradient with differences of the loss, for every seventh parameter, so that every tensor has its turn.
pub(super) fn compare_gradient(row: &[f32], gradient: &[f32], loss: &dyn Fn(&[f32]) -> f64, what: &str) {
    let slope = |index: usize, step: f32| -> f64 {
        let moved = |by: f32| {
            let mut row = row.to_vec();
            row[index] += by;
            (loss(&row), row[index])
        };
        let ((above, up), (below, down)) = (moved(step), moved(-step));
        (above - below) / f64::from(up - down)
    };
    for index in (0..row.len()).step_by(7) {
        let found = f64::from(gradient[index]);
        let wide = slope(index, 1e-3);
        let tolerance = 1e-3 * wide.abs().max(0.05);
        // A kink (a maximum, a ReLU) within the step moves the difference; a smaller step finds it.
        if (wide - found).abs() > tolerance {
            let narrow = slope(index, 2f32.powi(-14));
            assert!((narrow - found).abs() < tolerance, "{index}: {found} {narrow} {what}");
        }
    }
}

fn with_row(config: &NetworkConfig, row: &[f32], weights: &Weights) -> Weights {
    let mut tensors = Layout::new(&config.tensors()).named(row);
    let running = config.running().into_iter();
    tensors.extend(running.map(|(name, _)| (name.clone(), weights.get(&name).to_vec())));
    Weights::new(config.clone(), tensors).unwrap()
}

#[test]
fn the_gradient_of_the_whole_loss_is_that_of_finite_differences() {
    for normalization in [Normalization::Batch, Normalization::Layer, Normalization::None] {
        for (encoder, aggregation, lookup) in [
            (EncoderKind::Ggcn, Aggregation::Mean, Lookup::Index),
            (EncoderKind::Ggcn, Aggregation::Sum, Lookup::Product),
            (EncoderKind::Ggcn, Aggregation::Max, Lookup::Index),
            (EncoderKind::Lstm, Aggregation::Mean, Lookup::Index),
            (EncoderKind::Transformer, Aggregation::Mean, Lookup::Index),
        ] {
            let config = NetworkConfig {
                width: 6,
                heads: 2,
                encoder,
                aggregation,
                normalization,
                ..NetworkConfig::new(3)
            };
            let weights = random_weights(config.clone(), 11);
            let set = labelled(3, 6, 3, 5);
            let training = TrainingConfig::new(config.clone(), 1);
            let mut learner = BehaviourCloning::<Autodiff<Flex>>::new(&training, &set, lookup).unwrap();
            let row = in_one_row(&weights, &config.tensors());
            learner.policy.weights = Tensor::from_floats(&row[..], &Default::default());
            let (instances, orders) = learner.taken(&[0, 1, 2]);
            let found = learner.lesson(&instances, orders);
            let (loss, gradient) = (to_vec(found.loss).unwrap()[0], to_vec(found.gradient).unwrap());
            assert!((f64::from(loss) - exact_loss(&weights, &set)).abs() < 1e-5);
            let exact = |row: &[f32]| exact_loss(&with_row(&config, row, &weights), &set);
            compare_gradient(&row, &gradient, &exact, &format!("{encoder:?} {normalization:?}"));
        }
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
    let encoded = reference::encode(&twin, &instances.iter().collect::<Vec<_>>(), true);
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
        let weights = random_weights(config.clone(), 4);
        let set = labelled(4, 6, 3, 9);
        let instances: Vec<ProblemInstance> = set.items().iter().map(|item| item.instance.clone()).collect();
        let training =
            TrainingConfig { method: Method::ActorCritic, ..TrainingConfig::new(config.clone(), 1) };
        let first = instances[0].clone();
        let draw = Arc::new(move |_| Ok(first.clone()));
        let learner = ActorCritic::<Autodiff<Flex>>::new(&training, draw, Lookup::Index);
        let row = to_vec(learner.critic.weights.clone()).unwrap();
        let prepared: Vec<Prepared> =
            instances.iter().map(|instance| Prepared::new(&config, instance).unwrap()).collect();
        let batch = Batch::<Autodiff<Flex>>::load(&prepared, 6, &Default::default());
        let costs = [1.2f32, 0.4, 0.9, 2.0];
        let given = Tensor::<Flex, 1>::from_floats(costs, &Default::default());
        let criticism = learner.criticise(&batch, &given);
        let layout = Layout::new(&config.critic_tensors());
        let exact =
            |row: &[f32]| exact_critic_loss(&config, &layout.named(row), &weights, &instances, &costs);
        let loss = to_vec(criticism.loss).unwrap()[0];
        assert!((f64::from(loss) - exact(&row)).abs() < 1e-5);
        compare_gradient(&row, &to_vec(criticism.gradient).unwrap(), &exact, "critic");
    }
}

/// A chi-square test of the first two jobs of many orders drawn by burn, beside the softmax of the policy.
#[test]
fn drawn_orders_follow_the_softmax() {
    for encoder in ENCODERS {
        let network = NetworkConfig { width: 16, heads: 2, layers: 1, encoder, ..NetworkConfig::new(2) };
        // Without batch statistics, so that an instance is the same alone and many times.
        let config = NetworkConfig { normalization: Normalization::Layer, ..network };
        let weights = random_weights(config.clone(), 8);
        let instance = reference::instance(5, 2, 4);
        let draws = 8000;
        let prepared = vec![Prepared::new(&config, &instance).unwrap(); draws];
        let batch = Batch::<Flex>::load(&prepared, 5, &Default::default());
        let row = in_one_row(&weights, &config.tensors());
        let row = Tensor::<Flex, 1>::from_floats(&row[..], &Default::default());
        let tensors = Layout::new(&config.tensors()).split(&row);
        let statistics = Statistics::of_batch();
        let network =
            Network { config: &config, tensors: &tensors, statistics: &statistics, lookup: Lookup::Index };
        let orders = drawn_orders(&network, network.encode(&batch), Seed::new(3)).into_data();
        let orders: Vec<i64> = orders.iter::<i64>().collect();
        let mut counts = [[0.0f64; 5]; 5];
        orders.chunks_exact(5).for_each(|order| counts[order[0] as usize][order[1] as usize] += 1.0);
        let policy = Policy::new(&weights);
        let mut statistic = 0.0;
        for first in 0..5 {
            let likely = policy.log_probabilities(&instance, &[first, (first + 1) % 5]).unwrap();
            for second in (0..5).filter(|&second| second != first as usize) {
                let log = likely[0][first as usize] + likely[1][second];
                let expected = f64::from(log.exp()) * draws as f64;
                assert!(expected > 5.0, "too rare for the test: {expected}");
                statistic += (counts[first as usize][second] - expected).powi(2) / expected;
            }
        }
        // The 0.999 quantile with 19 degrees of freedom.
        assert!(statistic < 43.8, "{encoder:?}: {statistic}");
    }
}

fn small(seed: u64) -> TrainingConfig {
    let network = NetworkConfig { width: 16, heads: 2, layers: 2, ..NetworkConfig::new(3) };
    TrainingConfig { epochs: 3, batch_size: 8, learning_rate: 1e-3, ..TrainingConfig::new(network, seed) }
}

fn finish(mut training: Training, validation: &LabelledSet) -> Training {
    while !training.is_finished() {
        while training.batch() < training.batches() {
            training.step().unwrap();
        }
        training.finish_epoch(validation).unwrap();
    }
    training
}

#[test]
fn an_interrupted_training_ends_with_the_same_weights() {
    let (set, validation) = (labelled(40, 7, 3, 1), labelled(10, 7, 3, 2));
    let whole = finish(Training::new(small(3), &Lessons::Labelled(&set), Device::Cpu).unwrap(), &validation);
    for stop in 0..15 {
        let mut training = Training::new(small(3), &Lessons::Labelled(&set), Device::Cpu).unwrap();
        for _ in 0..stop {
            training.step().unwrap();
            if training.batch() == training.batches() && stop % 2 == 0 {
                training.finish_epoch(&validation).unwrap();
            }
        }
        let bytes = training.checkpoint().unwrap();
        let resumed = Training::resume(small(3), &Lessons::Labelled(&set), Device::Cpu, &bytes).unwrap();
        let resumed = finish(resumed, &validation);
        assert_eq!(resumed.weights().unwrap(), whole.weights().unwrap());
        let curve = |training: &Training| -> Vec<(f64, f64)> {
            training.history().iter().map(|epoch| (epoch.loss, epoch.cost)).collect()
        };
        assert_eq!(curve(&resumed), curve(&whole));
    }
    // More threads sum in the same order.
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let other = pool.install(|| {
            finish(Training::new(small(3), &Lessons::Labelled(&set), Device::Cpu).unwrap(), &validation)
                .weights()
                .unwrap()
        });
        assert_eq!(other, whole.weights().unwrap());
    }
    let other = finish(Training::new(small(4), &Lessons::Labelled(&set), Device::Cpu).unwrap(), &validation);
    assert_ne!(other.weights().unwrap(), whole.weights().unwrap());
}

#[test]
fn checkpoints_of_other_trainings_are_refused() {
    let set = labelled(16, 5, 3, 1);
    let training = Training::new(small(1), &Lessons::Labelled(&set), Device::Cpu).unwrap();
    let bytes = training.checkpoint().unwrap();
    let resume = |config, set: &LabelledSet, bytes: &[u8]| {
        Training::resume(config, &Lessons::Labelled(set), Device::Cpu, bytes).map(|_| ())
    };
    assert!(matches!(resume(small(2), &set, &bytes), Err(TrainingError::Different { .. })));
    let other = labelled(16, 5, 3, 2);
    assert!(matches!(resume(small(1), &other, &bytes), Err(TrainingError::Different { .. })));
    let longer = TrainingConfig { epochs: 9, ..small(1) };
    resume(longer, &set, &bytes).unwrap();
    for length in [0, 5, 100, bytes.len() - 1] {
        let error = resume(small(1), &set, &bytes[..length]);
        assert!(matches!(error, Err(TrainingError::Checkpoint { .. })));
    }
}

/// A rule that the network can see: jobs by their first time. It must be learnt far better than chance.
#[test]
fn a_simple_expert_is_learnt() {
    let sorted = |count: usize, seed: u64| {
        let set = labelled(count, 6, 2, seed);
        let labels = set.items().iter().map(|item| {
            let mut order: Vec<JobId> = (0..6).collect();
            order.sort_by(|&a, &b| {
                flow_shop(&item.instance).time(a, 0).total_cmp(&flow_shop(&item.instance).time(b, 0))
            });
            (item.instance.clone(), Permutation::new(order, 6).unwrap())
        });
        LabelledSet::new(labels.collect(), Map::new()).unwrap()
    };
    let network = NetworkConfig { width: 32, heads: 4, layers: 2, ..NetworkConfig::new(2) };
    let config =
        TrainingConfig { epochs: 6, batch_size: 32, learning_rate: 3e-3, ..TrainingConfig::new(network, 1) };
    let training = Training::new(config, &Lessons::Labelled(&sorted(640, 1)), Device::Cpu).unwrap();
    let training = finish(training, &sorted(50, 2));
    let (first, last) = (&training.history()[0], &training.history()[5]);
    // By chance the loss is ln(720) / 6 = 1.10.
    assert!(last.loss < 0.35 && last.loss < first.loss, "{} {}", first.loss, last.loss);
    let policy = Policy::new(&training.weights().unwrap());
    let right = sorted(50, 3)
        .items()
        .iter()
        .filter(|item| policy.greedy(&item.instance).unwrap()[..] == item.order[..])
        .count();
    assert!(right > 20, "{right}");
}

#[test]
fn settings_that_cannot_be_are_refused() {
    let set = labelled(4, 5, 3, 1);
    let refuse =
        |config: TrainingConfig| Training::new(config, &Lessons::Labelled(&set), Device::Cpu).err().unwrap();
    for config in [
        TrainingConfig { epochs: 0, ..small(1) },
        TrainingConfig { batch_size: 0, ..small(1) },
        TrainingConfig { learning_rate: 0.0, ..small(1) },
        TrainingConfig { decay: 1.5, ..small(1) },
        TrainingConfig { gradient_clip: f32::NAN, ..small(1) },
    ] {
        assert!(matches!(refuse(config), TrainingError::Setting { .. }));
    }
    let wrong = TrainingConfig { network: NetworkConfig::new(4), ..small(1) };
    assert!(refuse(wrong).to_string().contains("trained for 4 machines"));
}

fn fresh(n: usize, m: usize, instances: usize) -> Fresh {
    let draw = move |index: u64| {
        let mut rng = Seed::new(77).nth(index).rng();
        let times = (0..n * m).map(|_| rng.random_range(0.0..2.0)).collect();
        Ok(Instance::new("", m, times).unwrap().into())
    };
    Fresh { draw: Arc::new(draw), instances, description: format!("{n} {m}") }
}

fn small_critic(encoder: EncoderKind) -> TrainingConfig {
    let config = small(3);
    TrainingConfig {
        method: Method::ActorCritic,
        network: NetworkConfig { encoder, ..config.network.clone() },
        epochs: 2,
        ..config
    }
}

#[test]
fn an_interrupted_actor_and_critic_end_with_the_same_weights() {
    let (fresh, validation) = (fresh(6, 3, 24), labelled(10, 6, 3, 2));
    let lessons = Lessons::Fresh(&fresh);
    for encoder in ENCODERS {
        let config = small_critic(encoder);
        let whole = finish(Training::new(config.clone(), &lessons, Device::Cpu).unwrap(), &validation);
        assert!(whole.history().iter().all(|epoch| epoch.critic_loss.is_some()));
        for stop in [0, 1, 3, 4] {
            let mut training = Training::new(config.clone(), &lessons, Device::Cpu).unwrap();
            for _ in 0..stop {
                if training.batch() == training.batches() {
                    training.finish_epoch(&validation).unwrap();
                }
                training.step().unwrap();
            }
            let bytes = training.checkpoint().unwrap();
            let resumed = Training::resume(config.clone(), &lessons, Device::Cpu, &bytes).unwrap();
            let resumed = finish(resumed, &validation);
            assert_eq!(resumed.weights().unwrap(), whole.weights().unwrap());
            let costs = |training: &Training| -> Vec<(f64, f64)> {
                training.history().iter().map(|epoch| (epoch.loss, epoch.cost)).collect()
            };
            assert_eq!(costs(&resumed), costs(&whole));
        }
        // A checkpoint of imitation is none of actor and critic.
        let set = labelled(16, 6, 3, 1);
        let other = Training::new(small(3), &Lessons::Labelled(&set), Device::Cpu).unwrap();
        let bytes = other.checkpoint().unwrap();
        let error = Training::resume(config, &lessons, Device::Cpu, &bytes).err().unwrap();
        assert!(matches!(error, TrainingError::Different { .. }));
    }
}

/// The scale is the instance's own, so that raw costs of a stretched instance grow with it and scaled ones do not.
#[test]
fn raw_costs_are_makespans_and_scaled_ones_have_no_unit() {
    let shop = reference::instance(6, 3, 1);
    let times: Vec<f64> = (0..6).flat_map(|job| shop.job(job).iter().map(|time| time * 40.0)).collect();
    let (small, large): (ProblemInstance, ProblemInstance) =
        (shop.into(), Instance::new("", 3, times).unwrap().into());
    let order: Vec<JobId> = (0..6).rev().collect();
    let rows: Vec<i64> = [&order[..], &order[..]].concat().iter().map(|&job| i64::from(job)).collect();
    let orders = Tensor::<Flex, 2, Int>::from_data(TensorData::new(rows, [2, 6]), &Default::default());
    let instances = [small.clone(), large];
    let raw = costs_of(&instances, orders.clone(), 6, CostScale::Raw).unwrap();
    let scaled = costs_of(&instances, orders, 6, CostScale::Scaled).unwrap();
    assert_eq!(raw[0], small.cost(&order) as f32);
    assert!((raw[1] - 40.0 * raw[0]).abs() < 1e-3);
    assert_eq!(scaled[0], (small.cost(&order) / small.typical_cost()) as f32);
    assert!((scaled[1] - scaled[0]).abs() < 1e-5);
    assert!(raw[1] > 2.0 * scaled[1], "{raw:?} {scaled:?}");
}

#[test]
fn a_record_without_a_scale_of_costs_is_of_scaled_ones() {
    let config = TrainingConfig { cost: CostScale::Raw, ..small_critic(EncoderKind::Lstm) };
    let mut record = serde_json::to_value(&config).unwrap();
    assert_eq!(record["cost"], "raw");
    assert_eq!(serde_json::from_value::<TrainingConfig>(record.clone()).unwrap(), config);
    record.as_object_mut().unwrap().remove("cost");
    assert_eq!(serde_json::from_value::<TrainingConfig>(record).unwrap().cost, CostScale::Scaled);
}

#[test]
fn a_method_wants_its_own_lessons() {
    let (set, fresh) = (labelled(4, 5, 3, 1), fresh(5, 3, 8));
    let cloning = Training::new(small(1), &Lessons::Fresh(&fresh), Device::Cpu).err().unwrap();
    assert!(matches!(cloning, TrainingError::Setting { name: "the method", .. }));
    let critic = small_critic(EncoderKind::Ggcn);
    assert!(Training::new(critic.clone(), &Lessons::Labelled(&set), Device::Cpu).is_err());
    let none = Fresh { instances: 0, ..fresh };
    assert!(Training::new(critic, &Lessons::Fresh(&none), Device::Cpu).is_err());
}

#[test]
fn an_actor_can_start_from_what_was_imitated() {
    let (set, fresh, validation) = (labelled(40, 6, 3, 1), fresh(6, 3, 24), labelled(10, 6, 3, 2));
    let imitated =
        finish(Training::new(small(3), &Lessons::Labelled(&set), Device::Cpu).unwrap(), &validation);
    let weights = imitated.weights().unwrap();
    let config = TrainingConfig { start: Some("imitated".to_string()), ..small_critic(EncoderKind::Ggcn) };
    let lessons = Lessons::Fresh(&fresh);
    let training = Training::new(config.clone(), &lessons, Device::Cpu).unwrap();
    let training = training.with_start(&weights).unwrap();
    assert_eq!(training.weights().unwrap(), weights);
    let bytes = training.checkpoint().unwrap();
    let resumed = Training::resume(config.clone(), &lessons, Device::Cpu, &bytes).unwrap();
    assert_eq!(resumed.weights().unwrap(), weights);
    let elsewhere = TrainingConfig { start: None, ..config };
    let error = Training::resume(elsewhere, &lessons, Device::Cpu, &bytes).err().unwrap();
    assert!(matches!(error, TrainingError::Different { .. }));
    let other = Training::new(small_critic(EncoderKind::Lstm), &lessons, Device::Cpu).unwrap();
    assert!(matches!(other.with_start(&weights), Err(TrainingError::Start { .. })));
}
