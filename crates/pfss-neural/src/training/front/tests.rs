//! The bidirectional scorer in burn against its twins, and trainings that are interrupted.

use std::sync::Arc;

use burn::backend::{Autodiff, Flex};
use burn::tensor::Tensor;
use pfss_core::{Instance, JobId, Permutation, Seed, makespan};
use rand::RngExt;
use serde_json::Map;

use super::network::{FrontNetwork, HostStates};
use super::rollout::Shops;
use super::training::FrontLearner;
use super::{FrontLessons, FrontSource, FrontTraining, FrontTrainingConfig, Rollouts};
use crate::LabelledSet;
use crate::front::{End, Finish, FrontConfig, FrontPolicy, FrontState, FrontWeights, reference};
use crate::training::blocks::Sums;
use crate::training::parameters::Layout;
use crate::training::{Device, TrainingError, to_vec};

fn shop(n: usize, m: usize, seed: u64) -> Instance<f64> {
    let mut rng = Seed::new(seed).rng();
    Instance::new("", m, (0..n * m).map(|_| rng.random_range(0.1..2.0)).collect()).unwrap()
}

/// A state with a job at each end.
fn state(n: usize, m: usize, seed: u64) -> FrontState {
    let mut state = FrontState::of(&shop(n, m, seed));
    state.place(1, End::Front);
    state.place(3, End::Back);
    state
}

fn small() -> FrontConfig {
    FrontConfig { hidden: 6, width: 10, ..FrontConfig::default() }
}

/// Some states, with a job at the front and another at the back taught.
fn states(of: &[FrontState]) -> HostStates {
    let (n, m, r) = (of[0].num_jobs(), of[0].num_machines(), of[0].remaining().len());
    let mut states = HostStates { size: (n, m, r), count: of.len(), ..HostStates::default() };
    for (index, state) in of.iter().enumerate() {
        for end in End::BOTH {
            state.features(end, &mut states.features);
        }
        let taught = |action: usize| if action == index || action == 2 * r - 1 { 1.0 } else { 0.0 };
        states.taught.extend((0..2 * r).map(taught));
        states.weights.push(1.0 - 0.4 * index as f32);
    }
    states
}

fn row(weights: &FrontWeights) -> Vec<f32> {
    weights.config().tensors().iter().flat_map(|(name, _)| weights.get(name).iter().copied()).collect()
}

#[test]
fn inference_is_burns_forward_pass() {
    let weights = FrontWeights::random(FrontConfig::default(), 3).unwrap();
    let policy = FrontPolicy::new(&weights);
    for (n, m) in [(6, 1), (9, 5), (12, 20)] {
        let of: Vec<FrontState> = (0..3).map(|seed| state(n, m, seed)).collect();
        let tensor = Tensor::<Flex, 1>::from_floats(&row(&weights)[..], &Default::default());
        let tensors = Layout::new(&weights.config().tensors()).split(&tensor);
        let network = FrontNetwork { config: weights.config(), tensors: &tensors, sums: Sums::Blocks };
        let loaded = states(&of).load(&Default::default());
        let found = to_vec(network.log_probabilities(loaded.features, loaded.size)).unwrap();
        let r = n - 2;
        for (state, found) in of.iter().zip(found.chunks_exact(2 * r)) {
            for (place, [front, back]) in policy.log_probabilities(state).into_iter().enumerate() {
                assert!((found[place] - front).abs() < 1e-4, "{} {front}", found[place]);
                assert!((found[r + place] - back).abs() < 1e-4, "{} {back}", found[r + place]);
            }
        }
    }
}

/// The loss in double precision.
fn exact_loss(weights: &FrontWeights, of: &[FrontState], states: &HostStates) -> f64 {
    let r = states.size.2;
    let losses = of.iter().enumerate().map(|(index, state)| {
        let logits = reference::logits(weights, state);
        let total: f64 = logits.iter().flatten().map(|logit| logit.exp()).sum();
        let taught = &states.taught[index * 2 * r..(index + 1) * 2 * r];
        let likely = |(place, both): (usize, &[f64; 2])| {
            let share = |end: usize| f64::from(taught[end * r + place]) * both[end].exp() / total;
            share(0) + share(1)
        };
        let likely: f64 = logits.iter().enumerate().map(likely).sum();
        -f64::from(states.weights[index]) * likely.ln()
    });
    losses.sum::<f64>() / of.len() as f64
}

#[test]
fn the_gradient_is_that_of_finite_differences() {
    let weights = FrontWeights::random(small(), 5).unwrap();
    let of: Vec<FrontState> = (0..3).map(|seed| state(6, 3, seed)).collect();
    let states = states(&of);
    let config = FrontTrainingConfig { network: small(), ..FrontTrainingConfig::new(1) };
    let row = row(&weights);
    let exact = |row: &[f32]| {
        let tensors = Layout::new(&small().tensors()).named(row);
        exact_loss(&FrontWeights::new(small(), tensors).unwrap(), &of, &states)
    };
    for sums in [Sums::Whole, Sums::Blocks] {
        let mut learner = FrontLearner::<Autodiff<Flex>>::new(&config, sums);
        learner.policy.weights = Tensor::from_floats(&row[..], &Default::default());
        let (loss, gradient) = learner.lesson(states.clone().load(&Default::default()));
        let (loss, gradient) = (to_vec(loss).unwrap()[0], to_vec(gradient).unwrap());
        assert!((f64::from(loss) - exact(&row)).abs() < 1e-4);
        crate::training::tests::compare_gradient(&row, &gradient, &exact, "front");
    }
}

/// Orders drawn on the device, replayed on the host: the same features in each state, and the same makespans.
#[test]
fn orders_drawn_as_tensors_are_those_of_the_plain_states() {
    let weights = FrontWeights::random(FrontConfig::default(), 3).unwrap();
    let tensor = Tensor::<Flex, 1>::from_floats(&row(&weights)[..], &Default::default());
    let tensors = Layout::new(&weights.config().tensors()).split(&tensor);
    let network = FrontNetwork { config: weights.config(), tensors: &tensors, sums: Sums::Blocks };
    for (n, m) in [(2, 3), (7, 1), (9, 5), (6, 12)] {
        let shops: Vec<Instance<f64>> = (0..2).map(|seed| shop(n, m, seed)).collect();
        let starts: Vec<FrontState> = shops.iter().map(FrontState::of).collect();
        let samples = 3;
        let loaded = Shops::<Flex>::load(&starts, samples, &Default::default()).unwrap();
        let kept: Vec<usize> = (2..=n).collect();
        let drawn = loaded.draw(&network, Seed::new(4), &kept, Finish::NONE).unwrap();
        let makespans = to_vec(drawn.makespans).unwrap();
        let mut replays: Vec<(FrontState, Vec<JobId>)> =
            (0..2 * samples).map(|row| (starts[row / samples].clone(), (0..n as JobId).collect())).collect();
        let mut wanted = Vec::new();
        for states in drawn.states {
            let r = states.size.2;
            let features = to_vec(states.features).unwrap();
            let taught = to_vec(states.taught).unwrap();
            wanted = to_vec(states.weights).unwrap();
            for (row, (state, left)) in replays.iter_mut().enumerate() {
                let mut expected = Vec::new();
                for end in End::BOTH {
                    state.features(end, &mut expected);
                }
                let each = m * 16;
                for (place, job) in (0..2 * r).map(|place| (place, left[place % r])) {
                    let other = state.remaining().iter().position(|&other| other == job).unwrap();
                    let other = other + if place < r { 0 } else { r };
                    let found = &features[(row * 2 * r + place) * each..][..each];
                    for (found, expected) in found.iter().zip(&expected[other * each..][..each]) {
                        assert!((found - expected).abs() < 1e-4, "{n}x{m}: {found} {expected}");
                    }
                }
                let taught = &taught[row * 2 * r..(row + 1) * 2 * r];
                let action = taught.iter().position(|&taught| taught == 1.0).unwrap();
                assert_eq!(taught.iter().sum::<f32>(), 1.0);
                let job = left.remove(action % r);
                assert!(state.place(job, if action < r { End::Front } else { End::Back }));
            }
        }
        for (row, (state, left)) in replays.iter_mut().enumerate() {
            state.place(left[0], End::Front);
            let shop = &shops[row / samples];
            let exact = makespan(shop, &state.order()) / shop.mean_time();
            assert!((f64::from(makespans[row]) - exact).abs() < 1e-3, "{n}x{m}");
        }
        for (of, wanted) in makespans.chunks(samples).zip(wanted.chunks(samples)) {
            assert!(wanted.iter().sum::<f32>().abs() < 1e-3);
            for i in 1..samples {
                assert_eq!(of[i] < of[0], wanted[i] > wanted[0]);
            }
        }
    }
}

/// Orders drawn on the device up to their finish are never longer than with every job drawn, and as short as the best
/// order of the jobs that are left.
#[test]
fn the_search_for_the_last_jobs_starts_where_the_device_stops() {
    let weights = FrontWeights::random(FrontConfig::default(), 3).unwrap();
    let tensor = Tensor::<Flex, 1>::from_floats(&row(&weights)[..], &Default::default());
    let tensors = Layout::new(&weights.config().tensors()).split(&tensor);
    let network = FrontNetwork { config: weights.config(), tensors: &tensors, sums: Sums::Blocks };
    let (n, m, samples) = (8, 4, 5);
    let finish = Finish { jobs: 3, nodes: 1000 };
    let start = FrontState::of(&shop(n, m, 8));
    let loaded = Shops::<Flex>::load(std::slice::from_ref(&start), samples, &Default::default()).unwrap();
    let kept: Vec<usize> = (4..=n).collect();
    let alone = loaded.draw(&network, Seed::new(4), &kept, Finish::NONE).unwrap();
    let drawn = loaded.draw(&network, Seed::new(4), &kept, finish).unwrap();
    let (alone, makespans) = (to_vec(alone.makespans).unwrap(), to_vec(drawn.makespans).unwrap());
    let taught: Vec<Vec<f32>> =
        drawn.states.into_iter().map(|states| to_vec(states.taught).unwrap()).collect();
    for row in 0..samples {
        let (mut state, mut left) = (start.clone(), (0..n as JobId).collect::<Vec<_>>());
        for (r, taught) in (4..=n).rev().zip(&taught) {
            let action = taught[row * 2 * r..][..2 * r].iter().position(|&taught| taught == 1.0).unwrap();
            assert!(state.place(left.remove(action % r), if action < r { End::Front } else { End::Back }));
        }
        let length = |order: [usize; 3]| {
            let mut whole = state.placed(End::Front).to_vec();
            whole.extend(order.map(|place| left[place]));
            whole.extend(state.placed(End::Back).iter().rev());
            makespan(&shop(n, m, 8), &whole) / shop(n, m, 8).mean_time()
        };
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let least = orders.into_iter().map(length).fold(f64::INFINITY, f64::min);
        assert!((f64::from(makespans[row]) - least).abs() < 1e-3);
        assert!(makespans[row] < alone[row] + 1e-3);
    }
    assert!(makespans.iter().sum::<f32>() < alone.iter().sum::<f32>() - 1e-3);
}

/// The first actions of many orders of one instance, beside their probabilities.
#[test]
fn actions_are_drawn_as_often_as_they_are_likely() {
    let weights = FrontWeights::random(FrontConfig::default(), 3).unwrap();
    let tensor = Tensor::<Flex, 1>::from_floats(&row(&weights)[..], &Default::default());
    let tensors = Layout::new(&weights.config().tensors()).split(&tensor);
    let network = FrontNetwork { config: weights.config(), tensors: &tensors, sums: Sums::Blocks };
    let (n, samples) = (4, 4000);
    let start = FrontState::of(&shop(n, 3, 8));
    let likely = FrontPolicy::new(&weights).log_probabilities(&start);
    let loaded = Shops::<Flex>::load(&[start], samples, &Default::default()).unwrap();
    let drawn = loaded.draw(&network, Seed::new(5), &[n], Finish::NONE).unwrap();
    let taught = to_vec(drawn.states[0].taught.clone()).unwrap();
    let chi_square: f64 = (0..2 * n)
        .map(|action| {
            let seen: f32 = taught.iter().skip(action).step_by(2 * n).sum();
            let expected = f64::from(likely[action % n][action / n].exp()) * samples as f64;
            (f64::from(seen) - expected).powi(2) / expected
        })
        .sum();
    // One in a thousand of such sums with seven degrees of freedom is larger.
    assert!(chi_square < 24.3, "{chi_square}");
}

fn lessons() -> FrontLessons {
    let source = |n: usize, m: usize| {
        let label = |index: u64| {
            let shop = shop(n, m, index);
            // Jobs by their first time: a rule that the network can see.
            let mut order: Vec<JobId> = (0..n as JobId).collect();
            order.sort_by(|&a, &b| shop.time(a, 0).total_cmp(&shop.time(b, 0)));
            (shop.into(), Permutation::new(order, n).unwrap())
        };
        let set = LabelledSet::new((0..60).map(label).collect(), Map::new()).unwrap();
        FrontSource {
            labelled: Some(Arc::new(set)),
            draw: Arc::new(move |number| Ok(shop(n, m, 1000 + number))),
            weight: 1.0,
            description: format!("{n}x{m}"),
        }
    };
    FrontLessons { sources: vec![source(6, 3), source(8, 2)] }
}

fn config() -> FrontTrainingConfig {
    FrontTrainingConfig {
        network: FrontConfig { hidden: 16, width: 32, ..FrontConfig::default() },
        imitation_epochs: 2,
        gradient_epochs: 1,
        batches: 4,
        parts: 2,
        rows: 2000,
        instances: 4,
        samples: 4,
        ..FrontTrainingConfig::new(3)
    }
}

fn finish(mut training: FrontTraining, validation: &[LabelledSet]) -> FrontTraining {
    while !training.is_finished() {
        while training.batch() < training.config().batches {
            training.step().unwrap();
        }
        training.finish_epoch(validation).unwrap();
    }
    training
}

fn validation() -> Vec<LabelledSet> {
    lessons().sources.iter().map(|source| (**source.labelled.as_ref().unwrap()).clone()).collect()
}

#[test]
fn an_interrupted_training_ends_with_the_same_weights() {
    let validation = validation();
    let begin = || FrontTraining::new(config(), lessons(), Device::Cpu, None).unwrap();
    let whole = finish(begin(), &validation);
    for stop in [0, 3, 4, 9, 11] {
        let mut training = begin();
        for _ in 0..stop {
            if training.batch() == training.config().batches {
                training.finish_epoch(&validation).unwrap();
            }
            training.step().unwrap();
        }
        let bytes = training.checkpoint().unwrap();
        let resumed = FrontTraining::resume(config(), lessons(), Device::Cpu, &bytes).unwrap();
        let resumed = finish(resumed, &validation);
        assert_eq!(resumed.weights().unwrap(), whole.weights().unwrap());
        let other = FrontTrainingConfig { batches: 5, ..config() };
        let error = FrontTraining::resume(other, lessons(), Device::Cpu, &bytes).err().unwrap();
        assert!(matches!(error, TrainingError::Different { .. }));
    }
    let started =
        FrontTraining::new(config(), lessons(), Device::Cpu, Some(&whole.weights().unwrap())).unwrap();
    assert_eq!(started.weights().unwrap(), whole.weights().unwrap());
}

#[test]
fn a_simple_expert_is_learnt_and_then_left_behind() {
    for rollouts in [Rollouts::Host, Rollouts::Device] {
        learns(rollouts);
    }
}

fn learns(rollouts: Rollouts) {
    let longer = FrontTrainingConfig {
        imitation_epochs: 6,
        gradient_epochs: 6,
        batches: 20,
        instances: 16,
        samples: 8,
        imitation_rate: 5e-3,
        gradient_rate: 2e-3,
        rollouts,
        ..config()
    };
    let training = FrontTraining::new(longer, lessons(), Device::Cpu, None).unwrap();
    let training = finish(training, &validation());
    let history = training.history();
    // Two candidates of up to sixteen are right by chance; the losses of imitation fall below one.
    assert!(history[5].loss < 1.0 && history[5].loss < history[0].loss, "{history:?}");
    // The rule is no good one: trial finds shorter orders.
    assert!(history[11].gap < -1.0 && history[11].gap < history[5].gap, "{history:?}");
}
