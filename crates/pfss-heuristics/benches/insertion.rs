//! Insertion pricing against its plain twin, NEH, and one iteration of iterated greedy.
//!
//! Throughput is in evaluations: places of a job that are priced.

#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pfss_core::generate::taillard_benchmark;
use pfss_core::{JobId, Limits, Run, Seed, makespan};
use pfss_heuristics::iterated_greedy::IteratedGreedySearch;
use pfss_heuristics::{IteratedGreedyConfig, JobOrder, TieRule, construct};

const INSTANCES: [usize; 3] = [51, 101, 111];

fn pricing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("price every job at every other place");
    for number in INSTANCES {
        let instance = taillard_benchmark(number).unwrap();
        let n = instance.num_jobs();
        let order: Vec<JobId> = (0..n as JobId).collect();
        group.throughput(Throughput::Elements((n * n) as u64));
        let mut pricer = instance.pricer();
        pricer.load(&order);
        group.bench_function(BenchmarkId::new("wavefront", instance.name()), |bencher| {
            bencher.iter(|| (0..n).map(|position| pricer.price_removed(position)).min());
        });
        if number == INSTANCES[0] {
            group.bench_function(BenchmarkId::new("plain makespan", instance.name()), |bencher| {
                bencher.iter(|| {
                    let mut least = u32::MAX;
                    for position in 0..n {
                        for place in 0..n {
                            let mut moved = order.clone();
                            let job = moved.remove(position);
                            moved.insert(place, job);
                            least = least.min(makespan(&instance, &moved));
                        }
                    }
                    black_box(least)
                });
            });
        }
    }
    group.finish();
}

fn neh(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("neh");
    for number in INSTANCES {
        let instance = taillard_benchmark(number).unwrap();
        let run = Run::new(Seed::new(1), Limits::default());
        for tie in [TieRule::First, TieRule::Ff] {
            let jobs = JobOrder::Usual.or_usual(tie).jobs(&instance, &mut run.stream("neh-order"));
            group.bench_function(BenchmarkId::new(tie.as_str(), instance.name()), |bencher| {
                bencher.iter(|| {
                    let mut pricer = instance.pricer();
                    construct(&mut pricer, &instance, &jobs, 0, tie, &run);
                    pricer.cost()
                });
            });
        }
    }
    group.finish();
}

fn iterated_greedy(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("one iteration of iterated greedy");
    for number in INSTANCES {
        let instance = taillard_benchmark(number).unwrap();
        let run = Run::new(Seed::new(1), Limits::default());
        let start: Vec<JobId> = (0..instance.num_jobs() as JobId).collect();
        let config = IteratedGreedyConfig::default();
        let mut search = IteratedGreedySearch::new(&instance, config, run.stream("bench"), &start, &run);
        group.bench_function(instance.name(), |bencher| bencher.iter(|| search.iterate(&run)));
    }
    group.finish();
}

criterion_group!(benches, pricing, neh, iterated_greedy);
criterion_main!(benches);
