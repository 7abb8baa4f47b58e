//! Branches below a given cost: `branch_and_bound NUMBER COST [CHILDREN] [THREADS]` proves that Taillard's instance
//! NUMBER has no order below COST, or finds one; prints nodes and time. For instruction counts and profiles.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::time::Instant;

use pfss_core::generate::taillard_benchmark;
use pfss_core::{Limits, Permutation, Run, Seed};
use pfss_exact::branch_and_bound::TreeSearch;

/// Apart, so that instructions can be counted inside it.
#[inline(never)]
fn counted_search(search: &TreeSearch<'_, u32>, run: &Run<'_, u32>) {
    search.search_with(run, || search.search(run));
}

fn main() {
    let arguments: Vec<u64> = std::env::args().skip(1).map(|text| text.parse().unwrap()).collect();
    let instance = taillard_benchmark(arguments[0] as usize).unwrap();
    let threads = arguments.get(3).copied().unwrap_or(1) as usize;
    let run = Run::new(Seed::new(1), Limits { evaluations: arguments.get(2).copied(), ..Limits::default() });
    run.offer(&Permutation::identity(instance.num_jobs()), arguments[1] as u32);
    let search = TreeSearch::new(&instance, threads);
    let start = Instant::now();
    counted_search(&search, &run);
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} nodes in {seconds:.3} s, {:.2} million per second; best {}, bound {}, {} searched",
        search.nodes(),
        search.nodes() as f64 / seconds / 1e6,
        run.best_cost(),
        run.bound(),
        search.searched()
    );
}
