//! Greedy inference beside burn's forward pass of the same network: a thousand small instances, a hundred of 100 jobs,
//! one of 1,000 jobs, and how the cost grows with the number of jobs.
//!
//! `cargo bench -p pfss-neural --features train`; without the feature, burn is left out.

#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use pfss_core::generate::{Distribution, Generated};
use pfss_core::{Instance, Seed};
use pfss_neural::{Policy, Weights};
use rayon::prelude::*;

const GAMMA_M5: &[u8] = include_bytes!("../../../models/gamma-m5/model.safetensors");

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
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for (count, n, m) in [(1000, 20, 5), (100, 100, 5), (1, 1000, 5)] {
        let weights = Weights::from_bytes(GAMMA_M5).unwrap();
        let policy = Policy::new(&weights);
        let instances = instances(count, n, m);
        let name = format!("{count} x {n} jobs, {m} machines");
        group.bench_function(BenchmarkId::new("pfss", &name), |bencher| {
            bencher.iter(|| pool.install(|| black_box(greedy(&policy, &instances))));
        });
        #[cfg(feature = "train")]
        {
            let burn = pfss_neural::training::BurnPolicy::new(&weights);
            group.bench_function(BenchmarkId::new("burn", &name), |bencher| {
                bencher.iter(|| pool.install(|| black_box(burn.greedy(&instances).unwrap().len())));
            });
        }
    }
    group.finish();
}

fn growth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("one greedy order, 2 threads, 5 machines");
    group.sample_size(10).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let policy = Policy::new(&Weights::from_bytes(GAMMA_M5).unwrap());
    for n in [100, 200, 500, 1000, 2000, 5000] {
        let instances = instances(1, n, 5);
        group.bench_function(BenchmarkId::from_parameter(n), |bencher| {
            bencher.iter(|| pool.install(|| black_box(greedy(&policy, &instances))));
        });
    }
    group.finish();
}

criterion_group!(benches, batches, growth);
criterion_main!(benches);
