//! The kernels beside their slow twin, and orders beside what they promise.

use std::sync::Arc;

use pfss_core::simd::Instructions;
use pfss_core::{Instance, JobId, Seed, makespan};
use proptest::prelude::*;
use rand::RngExt;

use super::reference::{features, logits};
use super::{End, Finish, FrontAdvisor, FrontConfig, FrontPolicy, FrontState, FrontWeights, Shortlist};
use crate::Decoding;

/// Weights whose logits are neither all alike nor all clipped.
pub(super) fn lively(config: FrontConfig, seed: u64) -> FrontWeights {
    let drawn = FrontWeights::random(config.clone(), seed).unwrap();
    let tensors = config.tensors().into_iter().map(|(name, shape)| {
        let scale = if shape.len() > 1 { 1.7 } else { 1.0 };
        let shift = if name == "norm.bias" { 0.1 } else { 0.0 };
        let values = drawn.get(&name).iter().map(|value| value * scale + shift).collect();
        (name, values)
    });
    FrontWeights::new(config.clone(), tensors.collect()).unwrap()
}

/// A random state of `n` jobs on `m` machines with `r` left.
fn random_state(n: usize, m: usize, r: usize, seed: u64) -> FrontState {
    let mut rng = Seed::new(seed).rng();
    let times = (0..n * m).map(|_| -rng.random_range(0.001f32..1.0).ln()).collect();
    let mut state = FrontState::new(times, m).unwrap();
    while state.remaining().len() > r {
        let job = state.remaining()[rng.random_range(0..state.remaining().len())];
        let end = End::BOTH[usize::from(rng.random::<bool>())];
        assert!(state.place(job, end));
    }
    state
}

const SIZES: [(usize, usize, usize); 14] = [
    (1, 1, 1),
    (1, 5, 1),
    (2, 1, 2),
    (7, 3, 4),
    (8, 2, 8),
    (9, 4, 9),
    (16, 5, 16),
    (17, 20, 17),
    (20, 5, 1),
    (20, 5, 2),
    (33, 10, 25),
    (40, 7, 33),
    (60, 1, 41),
    (300, 4, 100),
];

#[test]
fn features_are_as_defined() {
    for (n, m, r) in SIZES {
        let state = random_state(n, m, r, 3);
        for end in End::BOTH {
            let mut fast = Vec::new();
            state.features(end, &mut fast);
            let slow = features(&state, end).concat().concat();
            assert_eq!(fast.len(), slow.len());
            for (index, (fast, slow)) in fast.iter().zip(slow).enumerate() {
                let error = (f64::from(*fast) - slow).abs();
                assert!(error < 3e-6 * slow.abs().max(1.0), "{n}x{m}, {r} left, feature {}", index % 16);
            }
        }
    }
}

#[test]
fn scores_are_as_defined_and_the_same_on_every_path() {
    let odd = FrontConfig { hidden: 19, width: 37, clip: 3.0 };
    for (config, seed) in [(FrontConfig::default(), 1), (odd, 2)] {
        let weights = lively(config, seed);
        let mut spread = 0.0f64;
        for (n, m, r) in SIZES {
            let state = random_state(n, m, r, seed + 10);
            let slow = logits(&weights, &state);
            let fast =
                |instructions: &Instructions| FrontPolicy::with(&weights, *instructions).logits(&state);
            let results: Vec<Vec<[f32; 2]>> = Instructions::available().iter().map(fast).collect();
            assert!(results.iter().all(|result| *result == results[0]), "{n}x{m}, {r} left");
            assert_eq!(results[0].len(), r);
            for (fast, slow) in results[0].concat().iter().zip(slow.concat()) {
                let error = (f64::from(*fast) - slow).abs();
                assert!(error < 1e-4, "{n}x{m}, {r} left: {fast} instead of {slow}");
                spread = spread.max((slow - f64::from(results[0][0][0])).abs());
            }
        }
        assert!(spread > 0.1, "the test's weights see no differences");
    }
}

#[test]
fn probabilities_sum_to_one() {
    let policy = FrontPolicy::new(&lively(FrontConfig::default(), 5));
    let state = random_state(30, 5, 21, 1);
    let likely = policy.log_probabilities(&state);
    let sum: f32 = likely.concat().iter().map(|x| x.exp()).sum();
    assert!(likely.len() == 21 && (sum - 1.0).abs() < 1e-5);
}

#[test]
fn many_jobs_need_little_memory() {
    let weights = lively(FrontConfig { hidden: 16, width: 16, clip: 10.0 }, 5);
    let state = random_state(20_000, 2, 19_990, 1);
    let likely = FrontPolicy::new(&weights).log_probabilities(&state);
    let sum: f64 = likely.concat().iter().map(|&x| f64::from(x).exp()).sum();
    assert!((sum - 1.0).abs() < 1e-3, "{sum}");
}

pub(super) fn instance(n: usize, m: usize, seed: u64) -> Instance<u32> {
    let mut rng = Seed::new(seed).rng();
    Instance::new("", m, (0..n * m).map(|_| rng.random_range(1..100)).collect()).unwrap()
}

pub(super) fn is_order(order: &[JobId], n: usize) -> bool {
    let mut jobs = order.to_vec();
    jobs.sort_unstable();
    jobs.iter().copied().eq(0..n as JobId)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Both ends use the same sums in the same order: not a bit differs.
    #[test]
    fn a_mirrored_instance_gets_the_mirrored_order(n in 1usize..30, m in 1usize..8, seed in 0u64..1000) {
        let policy = FrontPolicy::new(&lively(FrontConfig { hidden: 16, width: 32, clip: 10.0 }, seed));
        let state = random_state(n, m, n.div_ceil(2), seed);
        let times = &state.shop().times;
        let mirrored = times.chunks_exact(m).flat_map(|row| row.iter().rev().copied()).collect();
        let mut mirror = FrontState::new(mirrored, m).unwrap();
        // The same jobs in the same order, at the other ends: a step of either is known from the lists of both.
        let mut again = FrontState::new(times.clone(), m).unwrap();
        for (end, other) in [(End::Front, End::Back), (End::Back, End::Front)] {
            for &job in state.placed(end) {
                prop_assert!(mirror.place(job, other) && again.place(job, end));
            }
        }
        let swapped: Vec<[f32; 2]> = policy.logits(&mirror).iter().map(|&[front, back]| [back, front]).collect();
        prop_assert_eq!(policy.logits(&again), swapped);
    }

    #[test]
    fn orders_are_whole_and_the_same_on_every_path(
        n in 1usize..14, m in 1usize..6, seed in 0u64..1000, jobs in 0usize..6,
    ) {
        let finish = Finish { jobs, nodes: 50 };
        let weights = lively(FrontConfig { hidden: 16, width: 16, clip: 10.0 }, seed);
        let instance = instance(n, m, seed);
        let build = |instructions: &Instructions, decoding: Decoding| {
            let policy = FrontPolicy::with(&weights, *instructions).with_finish(finish);
            policy.build(&instance, &decoding, &mut Seed::new(1).rng())
        };
        for decoding in [
            Decoding::Greedy,
            Decoding::Sample { samples: 3, temperature: 1.0 },
            Decoding::Sample { samples: 3, temperature: 0.5 },
            Decoding::Beam { width: 4 },
        ] {
            let results: Vec<_> = Instructions::available().iter().map(|instructions| build(instructions, decoding)).collect();
            prop_assert!(results.iter().all(|result| *result == results[0]));
            prop_assert!(!results[0].is_empty());
            prop_assert!(results[0].iter().all(|rollout| is_order(&rollout.order, n)));
            prop_assert!(results[0].iter().all(|rollout| rollout.log_probability <= 1e-5));
        }
        let greedy = &build(&Instructions::Portable, Decoding::Greedy)[0];
        prop_assert_eq!(&FrontPolicy::new(&weights).with_finish(finish).greedy(&instance), &greedy.order);
        // Sums of logarithms round: two steps that are all but equally likely may change places.
        let narrow = &build(&Instructions::Portable, Decoding::Beam { width: 1 })[0];
        let differ = (narrow.log_probability - greedy.log_probability).abs();
        prop_assert!(narrow.order == greedy.order || differ < 1e-4, "{:?} {:?} {differ}", narrow.order, greedy.order);
    }
}

#[test]
fn mirrored_greedy_orders_are_reversed() {
    let whole = FrontPolicy::new(&lively(FrontConfig::default(), 7));
    let policy = whole.clone().with_finish(Finish::NONE);
    let finished = whole.with_finish(Finish { jobs: 6, nodes: 10_000 });
    for seed in 0..5 {
        let instance = instance(15, 4, seed);
        let mut order = policy.greedy(&instance.reversed());
        order.reverse();
        let alone = makespan(&instance, &order);
        assert_eq!(order, policy.greedy(&instance));
        // The best order of the last jobs may be one of several, but is as long from both sides.
        let mirrored = makespan(&instance.reversed(), &finished.greedy(&instance.reversed()));
        let finished = makespan(&instance, &finished.greedy(&instance));
        assert_eq!(finished, mirrored);
        assert!(finished <= alone);
    }
}

#[test]
fn a_finish_starts_where_the_network_stops() {
    let policy = FrontPolicy::new(&lively(FrontConfig { hidden: 16, width: 16, clip: 10.0 }, 3));
    let mut shorter = 0;
    for (seed, jobs) in (0..20).flat_map(|seed| [2, 5, 7].map(|jobs| (seed, jobs))) {
        let instance = instance(14, 5, seed);
        let alone = policy.clone().with_finish(Finish::NONE).greedy(&instance);
        let finished = policy.clone().with_finish(Finish { jobs, nodes: 10_000 }).greedy(&instance);
        // The jobs around a window of that many stay where the network placed them.
        let same = |end: &[JobId], other: &[JobId]| end.iter().zip(other).take_while(|(a, b)| a == b).count();
        let front = same(&alone, &finished);
        let reversed = |order: &[JobId]| order.iter().rev().copied().collect::<Vec<_>>();
        let back = same(&reversed(&alone), &reversed(&finished));
        assert!(front + back >= instance.num_jobs() - jobs, "{alone:?} {finished:?}");
        assert!(makespan(&instance, &finished) <= makespan(&instance, &alone));
        shorter += usize::from(makespan(&instance, &finished) < makespan(&instance, &alone));
    }
    assert!(shorter > 10, "{shorter}");
}

#[test]
fn a_beam_gives_distinct_orders_by_makespan() {
    let policy = FrontPolicy::new(&lively(FrontConfig { hidden: 16, width: 16, clip: 10.0 }, 3));
    let instance = instance(4, 3, 1);
    let policy = policy.with_finish(Finish::NONE);
    let all = policy.build(&instance, &Decoding::Beam { width: 1000 }, &mut Seed::new(1).rng());
    assert_eq!(all.len(), 24, "a wide beam keeps every order once");
    let lengths: Vec<u32> = all.iter().map(|rollout| makespan(&instance, &rollout.order)).collect();
    assert!(lengths.is_sorted());
}

#[test]
fn trajectories_lead_to_their_orders() {
    let policy = FrontPolicy::new(&lively(FrontConfig { hidden: 16, width: 16, clip: 10.0 }, 3));
    let start = FrontState::of(&instance(9, 3, 2));
    let mut rng = Seed::new(4).rng();
    for temperature in [1.0, 2.0] {
        let drawn = policy.sample(&start, temperature, &mut rng);
        let mut state = start.clone();
        let mut log_probability = 0.0;
        for &(job, end) in &drawn.actions {
            let place = state.remaining().iter().position(|&left| left == job).unwrap();
            if state.remaining().len() > 1 {
                log_probability += policy.log_probabilities(&state)[place][end as usize];
            }
            assert!(state.place(job, end));
        }
        assert_eq!(state.order(), drawn.rollout.order);
        assert!((log_probability - drawn.rollout.log_probability).abs() < 1e-4);
    }
}

#[test]
fn work_is_given_up_when_told_so() {
    let policy = FrontPolicy::new(&lively(FrontConfig { hidden: 16, width: 16, clip: 10.0 }, 3));
    let policy = policy.with_finish(Finish::NONE);
    let instance = instance(9, 3, 2);
    let mut rng = Seed::new(4).rng();
    assert_eq!(policy.greedy_while(&instance, &|| false), None);
    for decoding in [Decoding::Greedy, Decoding::Beam { width: 2 }] {
        assert!(policy.build_while(&instance, &decoding, &mut rng, &|| false).is_empty());
    }
    let asked = std::cell::Cell::new(0);
    let goes_on = || {
        asked.set(asked.get() + 1);
        asked.get() < 15
    };
    let decoding = Decoding::Sample { samples: 5, temperature: 1.0 };
    assert_eq!(policy.build_while(&instance, &decoding, &mut rng, &goes_on).len(), 1);
}

#[test]
fn an_advisor_sees_what_a_state_sees() {
    let mut rng = Seed::new(5).rng();
    let times: Vec<u32> = (0..15 * 4).map(|_| rng.random_range(1..100)).collect();
    let instance = Instance::new("", 4, times).unwrap();
    let policy = Arc::new(FrontPolicy::new(&lively(FrontConfig::default(), 1)));
    let mut advisor = FrontAdvisor::new(policy.clone(), &instance);
    let mut state = FrontState::of(&instance);
    let mean = instance.mean_time();
    while !state.remaining().is_empty() {
        let rows = [&state.front, &state.back, &state.work];
        let [front, back, work] = rows.map(|row| row.iter().map(|time| time * mean).collect::<Vec<f64>>());
        let advice = advisor.log_probabilities(&front, &back, &work, state.remaining()).to_vec();
        let expected = policy.log_probabilities(&state);
        assert_eq!(advice.len(), expected.len());
        for (one, other) in advice.concat().into_iter().zip(expected.concat()) {
            assert!((one - other).abs() < 1e-4, "{one} {other}");
        }
        let job = state.remaining()[rng.random_range(0..state.remaining().len())];
        assert!(state.place(job, End::BOTH[usize::from(rng.random::<bool>())]));
    }
    let zeros = [0.0; 4];
    assert!(advisor.log_probabilities(&zeros, &zeros, &zeros[..3], &[1]).is_empty());
    assert!(advisor.log_probabilities(&zeros, &zeros, &zeros, &[15]).is_empty());
    assert!(advisor.log_probabilities(&zeros, &zeros, &zeros, &[]).is_empty());
    assert_eq!(advisor.log_probabilities(&zeros, &zeros, &zeros, &[3, 9]).len(), 2);
}

#[test]
fn the_work_is_that_of_the_networks_maps() {
    let policy = FrontPolicy::new(&FrontWeights::random(FrontConfig::default(), 1).unwrap());
    let each = 4608.0 * 5.0 + 49_152.0;
    assert_eq!(policy.clone().with_finish(Finish::NONE).multiply_adds(20, 5), 420.0 * each);
    // Ten jobs are left to the search.
    assert_eq!(policy.multiply_adds(20, 5), 310.0 * each);
    let all = policy.clone().with_shortlist(Shortlist::NONE).multiply_adds(800, 5);
    assert!(policy.multiply_adds(800, 5) < 0.25 * all);
}
