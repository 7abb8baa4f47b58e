//! Inference beside its slow twin, and orders beside what they promise.

use pfss_core::simd::Instructions;
use pfss_core::{Instance, JobId, Seed};
use rand::RngExt;
use rand::seq::SliceRandom;

use super::{Statistics, encode, follow};
use crate::network::tests::random_weights;
use crate::{Aggregation, Decoding, EncoderKind, Glimpse, ModelError, NetworkConfig, Normalization, Policy};

/// Times below 0.3: random weights would make large logits of larger ones, all of them clipped.
fn instance(n: usize, m: usize, seed: u64) -> Instance<f64> {
    let mut rng = Seed::new(seed).stream("instance");
    Instance::new("", m, (0..n * m).map(|_| rng.random_range(0.0f64..0.3)).collect()).unwrap()
}

#[test]
fn inference_is_the_papers_network_in_every_variant() {
    for (case, (n, m, width, layers, heads)) in
        [(1, 1, 8, 1, 2), (2, 3, 8, 2, 1), (7, 5, 12, 3, 3), (23, 5, 128, 3, 8), (11, 4, 40, 4, 5)]
            .into_iter()
            .enumerate()
    {
        let graph = |aggregation| (EncoderKind::Ggcn, aggregation, Glimpse::Open);
        let rival = |encoder| (encoder, Aggregation::Mean, Glimpse::Open);
        for (encoder, aggregation, glimpse) in [
            (EncoderKind::Ggcn, Aggregation::Mean, Glimpse::All),
            graph(Aggregation::Mean),
            graph(Aggregation::Sum),
            graph(Aggregation::Max),
            rival(EncoderKind::Lstm),
            rival(EncoderKind::Transformer),
        ] {
            for normalization in [Normalization::Batch, Normalization::Layer, Normalization::None] {
                let config = NetworkConfig {
                    width,
                    layers,
                    heads,
                    encoder,
                    aggregation,
                    normalization,
                    glimpse,
                    ..NetworkConfig::new(m)
                };
                let weights = random_weights(config, case as u64);
                let instance = instance(n, m, case as u64);
                let mut order: Vec<JobId> = (0..n as JobId).collect();
                order.shuffle(&mut Seed::new(case as u64).rng());
                let expected = follow(
                    &weights,
                    &encode(&weights, &[&instance], Statistics::Running).unwrap()[0],
                    &order,
                );
                let mut first: Option<Vec<Vec<f32>>> = None;
                for instructions in Instructions::available() {
                    let found =
                        Policy::with(&weights, instructions).log_probabilities(&instance, &order).unwrap();
                    for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
                        let close = (f64::from(*found) - expected).abs() < 1e-4 * expected.abs().max(1.0);
                        assert!(
                            close || *found == f32::NEG_INFINITY && *expected == f64::NEG_INFINITY,
                            "{found} {expected}"
                        );
                    }
                    // The same bits on every path.
                    assert_eq!(*first.get_or_insert_with(|| found.clone()), found);
                }
            }
        }
    }
}

#[test]
fn one_instance_gets_the_same_order_with_any_number_of_threads() {
    for encoder in [EncoderKind::Ggcn, EncoderKind::Lstm, EncoderKind::Transformer] {
        let policy = Policy::new(&random_weights(NetworkConfig { encoder, ..NetworkConfig::new(5) }, 3));
        let instance = instance(70, 5, 9);
        let alone = policy.greedy(&instance).unwrap();
        for threads in [1, 2, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| policy.greedy(&instance)).unwrap(), alone);
        }
    }
}

#[test]
fn decodings_give_orders_and_their_probabilities() {
    let policy = Policy::new(&random_weights(NetworkConfig { width: 32, ..NetworkConfig::new(3) }, 5));
    let instance = instance(9, 3, 2);
    let encoded = policy.encode(&instance).unwrap();
    let mut rng = Seed::new(1).rng();
    let greedy = policy.build(&encoded, &Decoding::Greedy, &mut rng);
    let narrow = policy.build(&encoded, &Decoding::Beam { width: 1 }, &mut rng);
    assert_eq!(greedy[0].order, narrow[0].order);
    let samples = policy.build(&encoded, &Decoding::Sample { samples: 20, temperature: 1.0 }, &mut rng);
    let wide = policy.build(&encoded, &Decoding::Beam { width: 30 }, &mut rng);
    assert_eq!((samples.len(), wide.len()), (21, 30));
    assert!(wide[0].log_probability >= greedy[0].log_probability - 1e-4);
    for rollout in samples.iter().chain(&wide) {
        let steps = policy.log_probabilities(&instance, &rollout.order).unwrap();
        let total: f32 = steps.iter().zip(&rollout.order).map(|(step, &job)| step[job as usize]).sum();
        assert!((total - rollout.log_probability).abs() < 1e-3);
        let mut sorted = rollout.order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..9).collect::<Vec<JobId>>());
    }
}

/// A chi-square test of the first job of 20,000 sampled orders.
#[test]
fn samples_follow_the_softmax() {
    let policy =
        Policy::new(&random_weights(NetworkConfig { width: 16, layers: 1, ..NetworkConfig::new(2) }, 8));
    let instance = instance(5, 2, 4);
    let encoded = policy.encode(&instance).unwrap();
    let mut rng = Seed::new(7).rng();
    let draws = 20_000;
    let samples = policy.build(&encoded, &Decoding::Sample { samples: draws, temperature: 1.0 }, &mut rng);
    let mut counts = [0.0f64; 5];
    samples[1..].iter().for_each(|rollout| counts[rollout.order[0] as usize] += 1.0);
    let likely = policy.log_probabilities(&instance, &[0]).unwrap();
    let statistic: f64 = counts
        .iter()
        .zip(&likely[0])
        .map(|(count, likely)| {
            let expected = f64::from(likely.exp()) * draws as f64;
            (count - expected).powi(2) / expected
        })
        .sum();
    // The 0.999 quantile with four degrees of freedom.
    assert!(statistic < 18.5, "{statistic}");
}

#[test]
fn another_number_of_machines_is_refused() {
    let policy = Policy::new(&random_weights(NetworkConfig { width: 16, ..NetworkConfig::new(3) }, 5));
    let error = policy.greedy(&instance(4, 2, 1)).unwrap_err();
    assert!(matches!(error, ModelError::Machines { expected: 3, found: 2 }));
    let problem = crate::ProblemKind::new("other", "others");
    let other =
        Policy::new(&random_weights(NetworkConfig { width: 16, problem, ..NetworkConfig::new(2) }, 5));
    let error = other.greedy(&instance(4, 2, 1)).unwrap_err().to_string();
    assert_eq!(error, "the model was trained for others, but was given flow shops");
}
