//! One pass of beam search: the time per pass and the children priced per second, each at both ends.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pfss_core::{Limits, Run, Seed, generate::taillard_benchmark};
use pfss_heuristics::beam::{BeamSearch, Guide, PassSettings};

fn passes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("beam-pass");
    group.sample_size(10);
    for (number, width, upper) in [(51, 1000, 3900), (101, 300, 11_250), (111, 100, 26_100)] {
        let instance = taillard_benchmark(number).unwrap();
        let mut search = BeamSearch::new(&instance);
        let run = Run::new(Seed::new(1), Limits::default());
        let settings =
            PassSettings { width, guide: Guide::Walpha, penalise_one_sided: true, prune_at: upper, upper };
        let children = search.pass(&settings, &run).children;
        group.throughput(Throughput::Elements(children));
        group.bench_function(format!("ta{number:03} width {width}"), |bencher| {
            bencher.iter(|| black_box(search.pass(&settings, &run)));
        });
    }
    group.finish();
}

criterion_group!(benches, passes);
criterion_main!(benches);
