//! The GPU beside the processor: `cargo test --release -p pfss-training --features cuda -- --ignored needs_gpu`.

use std::rc::Rc;
use std::time::Instant;

use pfss_core::Seed;
use pfss_neural::{EncoderKind, NetworkConfig, ProblemInstance};

use super::{ENCODERS, begin_on, fresh, kinds, labelled};
use crate::Device;
use crate::engine::{Backend, Cpu, Cuda, Tape};
use crate::learner::Learner;
use crate::policy::actor_critic::{ActorCritic, drawn_orders};
use crate::policy::behaviour_cloning::BehaviourCloning;
use crate::policy::network::{Batch, Network, Prepared, Statistics};
use crate::policy::{Method, PolicyLessons, PolicyTrainingConfig};

/// Loss and gradient of imitation.
fn imitation_on<B: Backend>(backend: B, config: &NetworkConfig) -> (f32, Vec<f32>) {
    let backend = Rc::new(backend);
    let set = labelled(40, 13, 3, 5);
    let training = PolicyTrainingConfig::new(config.clone(), 1);
    let mut learner = BehaviourCloning::new(&training, &set, Rc::clone(&backend)).unwrap();
    let all: Vec<usize> = (0..40).collect();
    let (instances, orders) = learner.taken(&all);
    learner.lesson(&instances, &orders);
    (learner.losses().unwrap()[0], backend.download(&learner.policy.gradient).unwrap())
}

/// Loss and gradient of a critic.
fn critic_on<B: Backend>(backend: B, config: &NetworkConfig) -> (f32, Vec<f32>) {
    let backend = Rc::new(backend);
    let training =
        PolicyTrainingConfig { method: Method::ActorCritic, ..PolicyTrainingConfig::new(config.clone(), 1) };
    let learner = ActorCritic::new(&training, &fresh(13, 3, 40), Rc::clone(&backend));
    let set = labelled(40, 13, 3, 5);
    let prepared: Vec<Prepared> =
        set.items().iter().map(|item| Prepared::new(config, &item.instance).unwrap()).collect();
    let batch = Batch::load(config, &prepared, 13, &*backend);
    let costs: Vec<f32> = (0..40).map(|index| 0.1 * index as f32).collect();
    learner.criticise(&batch, &costs);
    (learner.losses().unwrap()[1], backend.download(&learner.critic.gradient).unwrap())
}

/// Orders drawn for a batch.
fn orders_on<B: Backend>(backend: B, config: &NetworkConfig) -> Vec<u32> {
    let backend = Rc::new(backend);
    let training =
        PolicyTrainingConfig { method: Method::ActorCritic, ..PolicyTrainingConfig::new(config.clone(), 1) };
    let learner = ActorCritic::new(&training, &fresh(13, 3, 40), Rc::clone(&backend));
    let set = labelled(40, 13, 3, 5);
    let instances: Vec<ProblemInstance> = set.items().iter().map(|item| item.instance.clone()).collect();
    let prepared: Vec<Prepared> =
        instances.iter().map(|instance| Prepared::new(config, instance).unwrap()).collect();
    let batch = Batch::load(config, &prepared, 13, &*backend);
    let tape = Tape::plain(&backend);
    let tensors = learner.actor.tensors(&tape);
    let statistics = Statistics::of_batch();
    let network = Network { config, tape: &tape, tensors: &tensors, statistics: &statistics };
    drawn_orders(&network, &network.encode(&batch), 13, Seed::new(3), (0, 1)).unwrap()
}

fn compare(found: (f32, Vec<f32>), expected: (f32, Vec<f32>), what: &str) {
    assert!(
        (found.0 - expected.0).abs() < 1e-4 * expected.0.abs().max(1.0),
        "{what}: {} {}",
        found.0,
        expected.0
    );
    let norm = |row: &[f32]| row.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
    let apart: Vec<f32> = found.1.iter().zip(&expected.1).map(|(a, b)| a - b).collect();
    let error = norm(&apart) / norm(&expected.1);
    assert!(error < 1e-4, "{what}: {error}");
}

mod needs_gpu {
    use super::*;

    #[test]
    #[ignore = "needs a GPU"]
    fn gradients_are_those_of_the_processor() {
        for config in kinds(&NetworkConfig { width: 48, heads: 4, ..NetworkConfig::new(3) }) {
            let what = format!("{:?} {:?} {:?}", config.encoder, config.normalization, config.aggregation);
            compare(imitation_on(Cuda::new().unwrap(), &config), imitation_on(Cpu::new(), &config), &what);
            compare(critic_on(Cuda::new().unwrap(), &config), critic_on(Cpu::new(), &config), &what);
        }
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn orders_are_those_of_the_processor() {
        for encoder in ENCODERS {
            let config = NetworkConfig { width: 48, heads: 4, encoder, ..NetworkConfig::new(3) };
            let (found, expected) =
                (orders_on(Cuda::new().unwrap(), &config), orders_on(Cpu::new(), &config));
            let differ = found.chunks(13).zip(expected.chunks(13)).filter(|(a, b)| a != b).count();
            assert!(differ <= 1, "{encoder:?}: {differ}");
        }
    }

    /// Seconds for each of many steps.
    #[test]
    #[ignore = "needs a GPU, and measures"]
    fn seconds_per_step() {
        for (n, batch_size, m) in [(20, 128, 5), (20, 1024, 5), (50, 128, 5), (100, 128, 10)] {
            for encoder in [EncoderKind::Ggcn, EncoderKind::Lstm] {
                for method in [Method::BehaviourCloning, Method::ActorCritic] {
                    let network = NetworkConfig { encoder, ..NetworkConfig::new(m) };
                    let config =
                        PolicyTrainingConfig { method, batch_size, ..PolicyTrainingConfig::new(network, 1) };
                    let lessons = match method {
                        Method::BehaviourCloning => {
                            PolicyLessons::Labelled(labelled(40 * batch_size, n, m, 1))
                        }
                        Method::ActorCritic => PolicyLessons::Fresh(fresh(n, m, 40 * batch_size)),
                    };
                    for device in [Device::Cuda, Device::Cpu] {
                        if device == Device::Cpu && (n, batch_size) != (20, 128) {
                            continue;
                        }
                        let mut training = begin_on(config.clone(), &lessons, device);
                        let mut steps = |count: usize| {
                            let clock = Instant::now();
                            (0..count).for_each(|_| _ = training.step().unwrap());
                            training.weights().unwrap();
                            clock.elapsed().as_secs_f64() * 1e3 / count as f64
                        };
                        steps(5);
                        let time = steps(30);
                        println!("{device:?} {encoder:?} {method:?} {batch_size} x {n} x {m}: {time:.2} ms");
                    }
                }
            }
        }
    }
}
