//! One level and one pass of beam search. Throughput is in nodes of a level, and in children of a pass; each child
//! is priced at both ends.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pfss_core::simd::Instructions;
use pfss_core::tree::{BLOCK, Columns, End, Nodes, Pricer, Score, Scoring, Tree, Weighting};
use pfss_core::{JobId, Limits, Run, Seed, generate::taillard_benchmark};
use pfss_heuristics::beam::{BeamSearch, PassSettings};
use rand::seq::index::sample;

fn passes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("beam-pass");
    group.sample_size(10);
    for (number, width, upper) in [(51, 1000, 3900), (101, 300, 11_250), (111, 100, 26_100)] {
        let instance = taillard_benchmark(number).unwrap();
        let mut search = BeamSearch::new(&instance);
        let run = Run::new(Seed::new(1), Limits::default());
        let settings = PassSettings { prune_at: upper, upper, ..PassSettings::new(width) };
        let children = search.pass(&settings, &run).children;
        group.throughput(Throughput::Elements(children));
        group.bench_function(format!("ta{number:03} width {width}"), |bencher| {
            bencher.iter(|| black_box(search.pass(&settings, &run)));
        });
    }
    group.finish();
}

/// A level in the middle of the tree: all children of its nodes are priced and scored, the best one of each becomes
/// a node.
fn levels(criterion: &mut Criterion) {
    const WIDTH: usize = 1000;
    let mut group = criterion.benchmark_group("beam-level");
    group.sample_size(10);
    for number in [51, 101, 111] {
        let instance = taillard_benchmark(number).unwrap();
        let tree = Tree::<u16>::new(&instance);
        let columns = Columns::all(&tree);
        let mut rng = Seed::new(1).rng();
        let (n, m) = (instance.num_jobs(), instance.num_machines());
        let mut level = Nodes::new(m);
        level.clear(columns.num_blocks());
        for _ in 0..WIDTH {
            let mut path = Nodes::new(m);
            path.clear(columns.num_blocks());
            path.push_root(&tree);
            for (depth, job) in sample(&mut rng, n, n / 2).into_iter().enumerate() {
                path.push_child_of(&tree, depth, job as JobId, job, End::BOTH[depth % 2]);
            }
            let last = sample(&mut rng, n, n).into_iter().find(|&job| path.get(n / 2).is_open(job)).unwrap();
            level.push_child(&tree, path.get(n / 2), last as JobId, last, End::Front);
        }
        let mut pricer = Pricer::new(Instructions::detect());
        let mut next = Nodes::new(m);
        let score = Score::Blend { bound: 0.5, idle: 0.0, product: 0.5 };
        let scoring = Scoring { weighting: Weighting::Share, score, threshold: f32::INFINITY };
        group.throughput(Throughput::Elements(WIDTH as u64));
        group.bench_function(format!("ta{number:03} width {WIDTH}"), |bencher| {
            bencher.iter(|| {
                next.clear(columns.num_blocks());
                for index in 0..level.len() {
                    let node = level.get(index);
                    pricer.price(&columns, node, u16::MAX);
                    let end = pricer.narrower_end();
                    let (kept, scores) = pricer.score(&tree, &columns, node, end, scoring, 1.0);
                    let open = |&lane: &usize| kept[lane / BLOCK] >> (lane % BLOCK) & 1 == 1;
                    let best = (0..n).filter(open).min_by(|&x, &y| scores[x].total_cmp(&scores[y])).unwrap();
                    next.push_child(&tree, node, best as JobId, best, end);
                }
                black_box(next.len())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, levels, passes);
criterion_main!(benches);
