//! The mean length of shortest tours through uniform cities, each proven, and how long that takes.
//!
//! `cargo run --release -p pfss-tsp --example optimal_tours -- CITIES COUNT SEED THREADS`

use std::time::Instant;

use pfss_core::{Limits, Run, Seed, Status};
use pfss_tsp::{TspInstance, tsp_algorithm};
use rayon::prelude::*;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The length of a shortest tour, the seconds, and the nodes and disturbances it took.
struct Solved {
    length: f64,
    seconds: f64,
    evaluations: u64,
}

fn solve(num_cities: usize, seed: Seed, index: u64) -> Result<Solved, Failure> {
    let instance = TspInstance::uniform(num_cities, seed, index)?;
    let solver = tsp_algorithm("branch-and-bound")?.build(&pfss::Settings::new())?;
    let outcome = solver.solve(&instance, &Run::new(seed, Limits::default()))?;
    if outcome.status != Status::Optimal {
        return Err(format!("instance {index} is not proven").into());
    }
    let seconds = outcome.runtime.as_secs_f64();
    Ok(Solved { length: outcome.cost, seconds, evaluations: outcome.evaluations })
}

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Failure> {
    let mut numbers = [20, 1000, 1, 1];
    for (number, argument) in numbers.iter_mut().zip(std::env::args().skip(1)) {
        *number = argument.parse::<u64>()?;
    }
    let [num_cities, count, seed, threads] = numbers;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build()?;
    let clock = Instant::now();
    let solved: Vec<Solved> = pool.install(|| {
        let indices = (0..count).into_par_iter();
        indices.map(|index| solve(num_cities as usize, Seed::new(seed), index)).collect::<Result<_, _>>()
    })?;
    let wall = clock.elapsed().as_secs_f64();
    let mean = |value: fn(&Solved) -> f64| solved.iter().map(value).sum::<f64>() / count as f64;
    let mut seconds: Vec<f64> = solved.iter().map(|one| one.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    let at = |share: f64| 1000.0 * seconds[((count - 1) as f64 * share) as usize];
    println!("{count} instances of {num_cities} cities, seed {seed}, {threads} threads: {wall:.2} s");
    println!("mean length {:.5}", mean(|one| one.length));
    println!(
        "time per instance: mean {:.3} ms, median {:.3} ms, 90 % {:.3} ms, most {:.3} ms",
        1000.0 * mean(|one| one.seconds),
        at(0.5),
        at(0.9),
        at(1.0)
    );
    println!("evaluations: mean {:.0}", mean(|one| one.evaluations as f64));
    Ok(())
}
