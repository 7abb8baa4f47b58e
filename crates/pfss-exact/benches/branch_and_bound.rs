//! Branched nodes per second on 20x10, beside a plain search of the same tree: the proof that Taillard's instances 11
//! and 20 have no order below their optimum.

#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pfss_core::generate::taillard_benchmark;
use pfss_core::{Instance, JobId, Limits, MachineId, Permutation, Run, Seed};
use pfss_exact::branch_and_bound::TreeSearch;

/// A node with plain numbers.
#[derive(Clone)]
struct Node {
    front: Vec<u32>,
    back: Vec<u32>,
    left: Vec<u32>,
    open: Vec<JobId>,
}

impl Node {
    fn root(instance: &Instance<u32>) -> Self {
        let m = instance.num_machines();
        let open: Vec<JobId> = (0..instance.num_jobs() as JobId).collect();
        let left = (0..m).map(|machine| open.iter().map(|&job| instance.time(job, machine)).sum()).collect();
        Self { front: vec![0; m], back: vec![0; m], left, open }
    }

    /// The one-machine bound of the child that places `job`.
    fn bound(&self, instance: &Instance<u32>, job: JobId, at_back: bool) -> u32 {
        let m = self.front.len();
        let (own, other) = if at_back { (&self.back, &self.front) } else { (&self.front, &self.back) };
        let (mut free, mut bound) = (0, 0);
        for step in 0..m {
            let machine: MachineId = if at_back { m - 1 - step } else { step };
            let start = own[machine].max(free);
            bound = bound.max(start + self.left[machine] + other[machine]);
            free = start + instance.time(job, machine);
        }
        bound
    }

    fn child(&self, instance: &Instance<u32>, job: JobId, at_back: bool) -> Self {
        let mut child = self.clone();
        let m = self.front.len();
        let own = if at_back { &mut child.back } else { &mut child.front };
        let mut free = 0;
        for step in 0..m {
            let machine = if at_back { m - 1 - step } else { step };
            free = own[machine].max(free) + instance.time(job, machine);
            own[machine] = free;
        }
        for (machine, left) in child.left.iter_mut().enumerate() {
            *left -= instance.time(job, machine);
        }
        child.open.retain(|&open| open != job);
        child
    }
}

/// Branches all nodes below `limit`, depth first; returns how many.
fn plain_search(instance: &Instance<u32>, node: &Node, limit: u32) -> u64 {
    let children = |at_back: bool| -> Vec<(u32, JobId)> {
        let bounds = node.open.iter().map(|&job| (node.bound(instance, job, at_back), job));
        bounds.filter(|&(bound, _)| bound < limit).collect()
    };
    let (front, back) = (children(false), children(true));
    let sum = |children: &[(u32, JobId)]| children.iter().map(|&(bound, _)| u64::from(bound)).sum::<u64>();
    let at_back = (back.len(), std::cmp::Reverse(sum(&back))) < (front.len(), std::cmp::Reverse(sum(&front)));
    let mut chosen = if at_back { back } else { front };
    assert!(node.open.len() > 1 || chosen.is_empty(), "there is an order below the optimum");
    chosen.sort_unstable();
    1 + chosen
        .into_iter()
        .map(|(_, job)| plain_search(instance, &node.child(instance, job, at_back), limit))
        .sum::<u64>()
}

fn vector_search(instance: &Instance<u32>, limit: u32) -> u64 {
    let run = Run::new(Seed::new(1), Limits::default());
    run.offer(&Permutation::identity(instance.num_jobs()), limit);
    let search = TreeSearch::new(instance, 1);
    search.run_for(u64::MAX, &run);
    assert!(search.is_finished() && run.best_cost() == limit);
    search.nodes()
}

fn nodes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("branch and bound, branched nodes of 20x10");
    group.sample_size(10);
    for (number, optimum) in [(11, 1582), (20, 1591)] {
        let instance = taillard_benchmark(number).unwrap();
        group.throughput(Throughput::Elements(vector_search(&instance, optimum)));
        group.bench_function(format!("ta{number:03}, lanes"), |bencher| {
            bencher.iter(|| black_box(vector_search(&instance, optimum)));
        });
        let root = Node::root(&instance);
        group.throughput(Throughput::Elements(plain_search(&instance, &root, optimum)));
        group.bench_function(format!("ta{number:03}, plain"), |bencher| {
            bencher.iter(|| black_box(plain_search(&instance, &root, optimum)));
        });
    }
    group.finish();
}

criterion_group!(benches, nodes);
criterion_main!(benches);
