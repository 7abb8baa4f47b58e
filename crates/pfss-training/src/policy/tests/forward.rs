//! The forward pass of training and what it draws, beside inference.

use std::rc::Rc;

use pfss_core::generate::{Distribution, Generated};
use pfss_core::{Instance, JobId, Seed};
use pfss_neural::{Aggregation, EncoderKind, NetworkConfig, Normalization, Policy, ProblemInstance, Weights};
use rand::RngExt;

use super::{ENCODERS, labelled_below, trained_row};
use crate::ForwardPass;
use crate::engine::{Backend, Cpu, Tape};
use crate::parameters::Layout;
use crate::policy::actor_critic::drawn_orders;
use crate::policy::network::{Batch, Network, Prepared, Statistics};

#[test]
fn inference_is_the_forward_pass_of_training() {
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
            let weights = Weights::random(config, case as u64).unwrap();
            let set = labelled_below(0.3, 5, 12, 4, case as u64);
            let policy = Policy::new(&weights);
            let instances: Vec<ProblemInstance> =
                set.items().iter().map(|item| item.instance.clone()).collect();
            let found = ForwardPass::new(&weights).log_probabilities(&instances).unwrap();
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

/// The trained policy `gamma-m5`, on instances like those that it was trained on. Where both disagree, two jobs must
/// have been equally likely up to rounding.
#[test]
fn a_thousand_greedy_orders_are_those_of_training() {
    let model = include_bytes!("../../../../../models/gamma-m5/model.safetensors");
    let weights = Weights::from_bytes(model).unwrap();
    let policy = Policy::new(&weights);
    let draw = |index| match Distribution::gamma().nth(20, 5, Seed::new(7), index).unwrap() {
        Generated::Real(instance) => instance,
        Generated::Integer(_) => unreachable!(),
    };
    let instances: Vec<Instance<f64>> = (0..1000).map(draw).collect();
    let found = ForwardPass::new(&weights).greedy(&instances).unwrap();
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

/// Times below 0.3: random weights would make large logits of larger ones, all of them clipped.
fn small_times(n: usize, m: usize, seed: u64) -> Instance<f64> {
    let mut rng = Seed::new(seed).stream("instance");
    Instance::new("", m, (0..n * m).map(|_| rng.random_range(0.0f64..0.3)).collect()).unwrap()
}

/// A chi-square test of the first two jobs of many orders drawn in training, beside the softmax of the policy.
#[test]
fn drawn_orders_follow_the_softmax() {
    for encoder in ENCODERS {
        let network = NetworkConfig { width: 16, heads: 2, layers: 1, encoder, ..NetworkConfig::new(2) };
        // Without batch statistics, so that an instance is the same alone and many times.
        let config = NetworkConfig { normalization: Normalization::Layer, ..network };
        let weights = Weights::random(config.clone(), 8).unwrap();
        let instance = small_times(5, 2, 4);
        let draws = 8000;
        let prepared = vec![Prepared::new(&config, &instance).unwrap(); draws];
        let cpu = Rc::new(Cpu::new());
        let batch = Batch::load(&config, &prepared, 5, &*cpu);
        let row = trained_row(&weights);
        let tape = Tape::plain(&cpu);
        let tensors = Layout::new(&config.tensors()).constants(&tape, &cpu.upload(&row, row.len()));
        let statistics = Statistics::of_batch();
        let network = Network { config: &config, tape: &tape, tensors: &tensors, statistics: &statistics };
        let orders = drawn_orders(&network, &network.encode(&batch), 5, Seed::new(3), (0, 1)).unwrap();
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
