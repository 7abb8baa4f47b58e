//! Greedy inference: how the cost grows with the number of jobs. Beside training's forward pass it is measured in
//! pfss-training.

#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use pfss_core::generate::{Distribution, Generated};
use pfss_core::{Instance, Seed};
use pfss_neural::{NetworkConfig, Policy, Weights};
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

fn growth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("one greedy order, 2 threads, 5 machines");
    group.sample_size(10).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let policy = Policy::new(&Weights::random(NetworkConfig::new(5), 1).unwrap());
    for n in [100, 200, 500, 1000, 2000, 5000] {
        let instances = instances(1, n, 5);
        group.bench_function(BenchmarkId::from_parameter(n), |bencher| {
            bencher.iter(|| pool.install(|| black_box(greedy(&policy, &instances))));
        });
    }
    group.finish();
}

criterion_group!(benches, growth);
criterion_main!(benches);
