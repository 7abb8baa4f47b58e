//! Orders that are drawn as tensors.

use burn::backend::Flex;
use burn::tensor::Tensor;
use pfss_core::{Instance, JobId, Seed, makespan};
use pfss_neural::{End, Finish, FrontConfig, FrontPolicy, FrontState, FrontWeights};

use super::shop;
use crate::blocks::Sums;
use crate::device::to_vec;
use crate::front::network::FrontNetwork;
use crate::front::rollout::Shops;
use crate::parameters::{Layout, in_one_row};

/// Orders drawn on the device, replayed on the host: the same features in each state, and the same makespans.
#[test]
fn orders_drawn_as_tensors_are_those_of_the_plain_states() {
    let weights = FrontWeights::random(FrontConfig::default(), 3).unwrap();
    let tensor = Tensor::<Flex, 1>::from_floats(&in_one_row(&weights)[..], &Default::default());
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
    let tensor = Tensor::<Flex, 1>::from_floats(&in_one_row(&weights)[..], &Default::default());
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
    let tensor = Tensor::<Flex, 1>::from_floats(&in_one_row(&weights)[..], &Default::default());
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
