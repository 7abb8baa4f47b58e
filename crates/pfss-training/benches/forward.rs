//! Greedy inference beside training's forward pass of the same network: a thousand small instances, a hundred of 100 jobs and
//! one of 1,000 jobs.

#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use pfss_core::generate::{Distribution, Generated};
use pfss_core::{Instance, Seed};
use pfss_neural::{NetworkConfig, Policy, Weights};
use pfss_training::ForwardPass;
use rayon::prelude::*;

fn instances(count: u64, n: usize, m: usize) -> Vec<Instance<f64>> {
    let draw = |index| match Distribution::gamma().nth(n, m, Seed::new(1), index).unwrap() {
        Generated::Real(instance) => instance,
        Generated::Integer(_) => unreachable!(),
    };
    (0..count).map(draw).collect()
}

/// All instances, several at a time where there are several.
fn greedy(policy: &Policy, instances: &[Instance<f64>]) -> usize {
    instances.par_iter().map(|instance| policy.greedy(instance).unwrap().len()).sum()
}

fn batches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("greedy orders, 2 threads");
    group.sample_size(10).measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1));
    rayon::ThreadPoolBuilder::new().num_threads(2).build_global().unwrap();
    for (count, n, m) in [(1000, 20, 5), (100, 100, 5), (1, 1000, 20)] {
        let weights = Weights::random(NetworkConfig::new(m), 1).unwrap();
        let policy = Policy::new(&weights);
        let instances = instances(count, n, m);
        let name = format!("{count} x {n} jobs, {m} machines");
        group.bench_function(BenchmarkId::new("pfss", &name), |bencher| {
            bencher.iter(|| black_box(greedy(&policy, &instances)));
        });
        let forward = ForwardPass::new(&weights);
        group.bench_function(BenchmarkId::new("training", &name), |bencher| {
            bencher.iter(|| black_box(forward.greedy(&instances).unwrap().len()));
        });
    }
    group.finish();
}

criterion_group!(benches, batches);
criterion_main!(benches);
