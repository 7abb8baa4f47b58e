//! The network in burn against its twins, its gradient against differences, and trainings that are interrupted.

use burn::backend::{Autodiff, Flex};
use burn::tensor::Tensor;
use pfss_core::generate::{Distribution, Generated};
use pfss_core::{Instance, JobId, Permutation, Seed};
use rand::RngExt;
use rand::seq::SliceRandom;
use serde_json::Map;

use super::behaviour_cloning::Learner;
use super::encoder::Lookup;
use super::parameters::Layout;
use super::{BehaviourCloning, BurnPolicy, Device, TrainingConfig, TrainingError, to_vec};
use crate::network::tests::random_weights;
use crate::{Aggregation, LabelledSet, NetworkConfig, Normalization, Policy, Weights, reference};

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
        (Instance::new("", m, times).unwrap(), Permutation::new(order, n).unwrap())
    });
    LabelledSet::new(labels.collect(), Map::new()).unwrap()
}

fn in_one_row(weights: &Weights, tensors: &[(String, Vec<usize>)]) -> Vec<f32> {
    tensors.iter().flat_map(|(name, _)| weights.get(name).iter().copied()).collect()
}

/// The instance with its jobs in this order.
fn reordered(instance: &Instance<f64>, order: &[JobId]) -> Instance<f64> {
    let rows: Vec<&[f64]> = order.iter().map(|&job| instance.job(job)).collect();
    Instance::from_job_rows("", &rows).unwrap()
}

#[test]
fn inference_is_burns_forward_pass() {
    for (case, normalization) in
        [Normalization::Batch, Normalization::Layer, Normalization::None].into_iter().enumerate()
    {
        for aggregation in [Aggregation::Mean, Aggregation::Sum, Aggregation::Max] {
            let config =
                NetworkConfig { width: 48, heads: 4, aggregation, normalization, ..NetworkConfig::new(4) };
            let weights = random_weights(config, case as u64);
            let set = labelled_below(0.3, 5, 12, 4, case as u64);
            let policy = Policy::new(&weights);
            let instances: Vec<Instance<f64>> =
                set.items().iter().map(|item| reordered(&item.instance, &item.order)).collect();
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
    let instances: Vec<Instance<f64>> =
        set.items().iter().map(|item| reordered(&item.instance, &item.order)).collect();
    let encoded = reference::encode(weights, &instances.iter().collect::<Vec<_>>(), true);
    let own: Vec<JobId> = (0..set.num_jobs() as JobId).collect();
    let steps = encoded.iter().flat_map(|jobs| {
        let steps = reference::follow(weights, jobs, &own);
        steps.into_iter().enumerate().map(|(step, row)| -row[step]).collect::<Vec<f64>>()
    });
    steps.sum::<f64>() / (instances.len() * own.len()) as f64
}

#[test]
fn the_gradient_of_the_whole_loss_is_that_of_finite_differences() {
    for normalization in [Normalization::Batch, Normalization::Layer, Normalization::None] {
        for (aggregation, lookup) in [
            (Aggregation::Mean, Lookup::Index),
            (Aggregation::Sum, Lookup::Product),
            (Aggregation::Max, Lookup::Index),
        ] {
            let config =
                NetworkConfig { width: 6, heads: 2, aggregation, normalization, ..NetworkConfig::new(3) };
            let weights = random_weights(config.clone(), 11);
            let set = labelled(3, 6, 3, 5);
            let training = TrainingConfig::new(config.clone(), 1);
            let mut learner = Learner::<Autodiff<Flex>>::new(&training, &set, lookup);
            let row = in_one_row(&weights, &config.tensors());
            learner.weights = Tensor::from_floats(&row[..], &Default::default());
            let found = learner.gradient(&[0, 1, 2]);
            let (loss, gradient) = (to_vec(found.loss).unwrap()[0], to_vec(found.gradient).unwrap());
            assert!((f64::from(loss) - exact_loss(&weights, &set)).abs() < 1e-5);
            let moved = |index: usize, by: f32| -> f64 {
                let mut row = row.clone();
                row[index] += by;
                let mut tensors = Layout::new(&config.tensors()).named(&row);
                let running = config.running().into_iter();
                tensors.extend(running.map(|(name, _)| (name.clone(), weights.get(&name).to_vec())));
                exact_loss(&Weights::new(config.clone(), tensors).unwrap(), &set)
            };
            // Every seventh parameter, so that every tensor has its turn.
            for index in (0..row.len()).step_by(7) {
                let step = 1e-3;
                let (up, down) = (row[index] + step, row[index] - step);
                let slope = (moved(index, step) - moved(index, -step)) / f64::from(up - down);
                let found = f64::from(gradient[index]);
                let tolerance = 1e-3 * slope.abs().max(0.05);
                // A kink (a maximum, a ReLU) within the step moves the difference; a smaller step finds it.
                if (slope - found).abs() > tolerance {
                    let step = 2f32.powi(-14);
                    let (up, down) = (row[index] + step, row[index] - step);
                    let slope = (moved(index, step) - moved(index, -step)) / f64::from(up - down);
                    assert!((slope - found).abs() < tolerance, "{index}: {found} {slope} {normalization:?}");
                }
            }
        }
    }
}

fn small(seed: u64) -> TrainingConfig {
    let network = NetworkConfig { width: 16, heads: 2, layers: 2, ..NetworkConfig::new(3) };
    TrainingConfig { epochs: 3, batch_size: 8, learning_rate: 1e-3, ..TrainingConfig::new(network, seed) }
}

fn finish(mut training: BehaviourCloning, validation: &LabelledSet) -> BehaviourCloning {
    while !training.is_finished() {
        while training.batch() < training.batches() {
            training.step();
        }
        training.finish_epoch(validation).unwrap();
    }
    training
}

#[test]
fn an_interrupted_training_ends_with_the_same_weights() {
    let (set, validation) = (labelled(40, 7, 3, 1), labelled(10, 7, 3, 2));
    let whole = finish(BehaviourCloning::new(small(3), &set, Device::Cpu).unwrap(), &validation);
    for stop in 0..15 {
        let mut training = BehaviourCloning::new(small(3), &set, Device::Cpu).unwrap();
        for _ in 0..stop {
            training.step();
            if training.batch() == training.batches() && stop % 2 == 0 {
                training.finish_epoch(&validation).unwrap();
            }
        }
        let bytes = training.checkpoint().unwrap();
        let resumed = BehaviourCloning::resume(small(3), &set, Device::Cpu, &bytes).unwrap();
        let resumed = finish(resumed, &validation);
        assert_eq!(resumed.weights().unwrap(), whole.weights().unwrap());
        let curve = |training: &BehaviourCloning| -> Vec<(f64, f64)> {
            training.history().iter().map(|epoch| (epoch.loss, epoch.makespan)).collect()
        };
        assert_eq!(curve(&resumed), curve(&whole));
    }
    // More threads sum in the same order.
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let other = pool.install(|| {
            finish(BehaviourCloning::new(small(3), &set, Device::Cpu).unwrap(), &validation)
                .weights()
                .unwrap()
        });
        assert_eq!(other, whole.weights().unwrap());
    }
    let other = finish(BehaviourCloning::new(small(4), &set, Device::Cpu).unwrap(), &validation);
    assert_ne!(other.weights().unwrap(), whole.weights().unwrap());
}

#[test]
fn checkpoints_of_other_trainings_are_refused() {
    let set = labelled(16, 5, 3, 1);
    let training = BehaviourCloning::new(small(1), &set, Device::Cpu).unwrap();
    let bytes = training.checkpoint().unwrap();
    let resume = |config, set: &LabelledSet, bytes: &[u8]| {
        BehaviourCloning::resume(config, set, Device::Cpu, bytes).map(|_| ())
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
            order.sort_by(|&a, &b| item.instance.time(a, 0).total_cmp(&item.instance.time(b, 0)));
            (item.instance.clone(), Permutation::new(order, 6).unwrap())
        });
        LabelledSet::new(labels.collect(), Map::new()).unwrap()
    };
    let network = NetworkConfig { width: 32, heads: 4, layers: 2, ..NetworkConfig::new(2) };
    let config =
        TrainingConfig { epochs: 6, batch_size: 32, learning_rate: 3e-3, ..TrainingConfig::new(network, 1) };
    let training = BehaviourCloning::new(config, &sorted(640, 1), Device::Cpu).unwrap();
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
    let refuse = |config: TrainingConfig| BehaviourCloning::new(config, &set, Device::Cpu).err().unwrap();
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
