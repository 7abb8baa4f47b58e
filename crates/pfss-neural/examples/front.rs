//! Greedy orders of a front policy with random weights, to count instructions and to take times.
//!
//! `front JOBS MACHINES [PATH [REPEATS]]`; `scripts/count-instructions` runs it under valgrind.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::hint::black_box;
use std::time::Instant;

use pfss_core::simd::Instructions;
use pfss_core::{Instance, JobId, Seed};
use pfss_neural::{FrontConfig, FrontPolicy, FrontWeights};
use rand::RngExt;

#[inline(never)]
fn counted_greedy(policy: &FrontPolicy, instance: &Instance<u32>) -> Vec<JobId> {
    policy.greedy(instance)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |at: usize, otherwise: usize| arguments.get(at).map_or(otherwise, |text| text.parse().unwrap());
    let (n, m, repeats) = (number(0, 20), number(1, 5), number(3, 1));
    let named = arguments.get(2).and_then(|name| Instructions::named(name));
    let instructions = named.unwrap_or_else(Instructions::detect);
    let mut rng = Seed::new(1).rng();
    let instance = Instance::new("", m, (0..n * m).map(|_| rng.random_range(1..100)).collect()).unwrap();
    let policy = FrontPolicy::with(&FrontWeights::random(FrontConfig::default(), 1).unwrap(), instructions);
    let least = (0..repeats)
        .map(|_| {
            let clock = Instant::now();
            black_box(counted_greedy(&policy, &instance));
            clock.elapsed()
        })
        .min();
    println!("{n} x {m} {instructions}, the fastest of {repeats} in {:.3?}", least.unwrap_or_default());
}
