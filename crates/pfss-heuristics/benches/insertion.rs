//! Insertion pricing against its plain twin, NEH, and one iteration of iterated greedy.
//!
//! Throughput is in evaluations: places of a job that are priced.

#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pfss_core::generate::taillard_benchmark;
use pfss_core::timing::pricing::LinePricer;
use pfss_core::timing::{Attributes, JobAttributes, Line, Objective, Score};
use pfss_core::{JobId, Limits, Run, Seed, makespan};
use pfss_heuristics::iterated_greedy::IteratedGreedySearch;
use pfss_heuristics::planner::{self, arrange, suitable_rules};
use pfss_heuristics::{IteratedGreedyConfig, JobOrder, TieRule, construct};
use rand::RngExt;

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

/// Every job of 100 on 10 machines taken out and put back at its best place: by makespan, and by total tardiness.
fn insertion_pass(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("insertion pass, 100 x 10");
    let instance = taillard_benchmark(71).unwrap();
    let n = instance.num_jobs();
    let run = Run::new(Seed::new(1), Limits::default());
    group.throughput(Throughput::Elements((n * n) as u64));
    let order: Vec<JobId> = (0..n as JobId).collect();
    let mut pricer = instance.pricer();
    let jobs = JobOrder::Usual.jobs(&instance, &mut run.stream("neh-order"));
    construct(&mut pricer, &instance, &jobs, 0, TieRule::First, &run);
    group.bench_function("makespan", |bencher| {
        bencher.iter(|| {
            for &job in &order {
                let position = pricer.order().iter().position(|&other| other == job).unwrap();
                pricer.remove(position);
                let price = pricer.price(job);
                let place = (0..n).find(|&place| pricer.price_at(place) == price).unwrap();
                pricer.insert(job, place);
            }
        });
    });
    let mut rng = run.stream("due dates");
    let horizon = f64::from(pricer.cost());
    let jobs = order
        .iter()
        .map(|_| JobAttributes {
            due: Some((rng.random_range(0.2..1.0) * horizon).round()),
            ..JobAttributes::default()
        })
        .collect();
    let attributes =
        Attributes { jobs, objectives: vec![Objective::TotalTardiness], ..Attributes::default() };
    let line = Line::new(&instance, &attributes).unwrap();
    let mut pricer = LinePricer::new(&line);
    let by_due = arrange(&line, suitable_rules(&line)[0]);
    planner::construct(&mut pricer, &by_due, &Run::new(Seed::new(1), Limits::default()));
    group.bench_function("total tardiness", |bencher| {
        bencher.iter(|| {
            for &job in &order {
                let position = pricer.order().iter().position(|&other| other == job).unwrap();
                pricer.remove(position);
                let prices = pricer.price(job, 0..=n - 1, Score(u64::MAX));
                let least = prices.iter().min().unwrap();
                let place = prices.iter().rposition(|price| price == least).unwrap();
                pricer.insert(job, place);
            }
        });
    });
    group.finish();
}

criterion_group!(benches, pricing, neh, iterated_greedy, insertion_pass);
criterion_main!(benches);
