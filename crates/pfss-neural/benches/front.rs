//! One greedy order of the built-in policy `front`: usual sizes, and how its time grows.
//!
//! The work of scoring a job at both ends is about 2 (4,608 m + 49,152) multiply-adds.

#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pfss_core::simd::Instructions;
use pfss_core::{Instance, Seed};
use pfss_neural::{FrontPolicy, FrontWeights};
use rand::RngExt;

/// How long the finish takes depends on the instance.
const INSTANCES: usize = 16;

fn instance(n: usize, m: usize, number: usize) -> Instance<u32> {
    let mut rng = Seed::new(1).nth(number as u64).rng();
    Instance::new("", m, (0..n * m).map(|_| rng.random_range(1..100)).collect()).unwrap()
}

fn greedy(criterion: &mut Criterion, name: &str, paths: &[Instructions], sizes: &[(usize, usize)]) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(300));
    let weights =
        FrontWeights::from_bytes(include_bytes!("../../../models/front/model.safetensors")).unwrap();
    for &instructions in paths {
        let policy = FrontPolicy::with(&weights, instructions);
        for &(n, m) in sizes {
            let instances: Vec<_> = (0..INSTANCES).map(|number| instance(n, m, number)).collect();
            let mut turns = instances.iter().cycle();
            group.throughput(Throughput::Elements(policy.multiply_adds(n, m) as u64));
            group.bench_function(BenchmarkId::new(instructions.name(), format!("{n}x{m}")), |bencher| {
                bencher.iter(|| turns.next().map(|instance| black_box(policy.greedy(instance))));
            });
        }
    }
    group.finish();
}

fn sizes(criterion: &mut Criterion) {
    let vector =
        Instructions::available().into_iter().filter(|&instructions| instructions != Instructions::Portable);
    let paths: Vec<Instructions> = vector.collect();
    let paths = if paths.is_empty() { vec![Instructions::Portable] } else { paths };
    greedy(criterion, "front, greedy", &paths, &[(20, 5), (50, 10), (100, 20)]);
    greedy(criterion, "front, greedy", &[Instructions::detect()], &[(500, 20)]);
}

fn growth(criterion: &mut Criterion) {
    greedy(
        criterion,
        "front, jobs",
        &[Instructions::detect()],
        &[(25, 5), (50, 5), (100, 5), (200, 5), (400, 5)],
    );
    greedy(criterion, "front, machines", &[Instructions::detect()], &[(50, 1), (50, 5), (50, 20), (50, 60)]);
}

criterion_group!(benches, sizes, growth);
criterion_main!(benches);
