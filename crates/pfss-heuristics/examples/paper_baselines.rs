//! Mean makespans of the paper's baselines on gamma instances, beside the printed values, as Markdown.
//!
//! Usage: `paper_baselines [COUNT] [SEED]` (default 1000 1).

#![allow(clippy::print_stdout)]

use std::error::Error;

use pfss_core::generate::gamma;
use pfss_core::{Instance, Limits, Run, Seed, Solver};
use pfss_heuristics::{
    IteratedLocalSearch, IteratedLocalSearchConfig, Neh, NehConfig, PaperIteratedGreedy,
    PaperIteratedGreedyConfig, PaperNeh, PaperNehConfig, RandomSearch, RandomSearchConfig, TieRule,
};

/// Jobs, then the printed means: random search, iterated local search, iterated greedy, NEH.
const PRINTED: [(usize, [f64; 4]); 3] =
    [(20, [34.1, 30.0, 29.3, 29.2]), (50, [72.5, 65.2, 63.5, 62.5]), (100, [132.4, 121.7, 119.2, 117.4])];

const NUM_MACHINES: usize = 5;

type Named = (&'static str, Box<dyn Solver<Instance<f64>>>);

fn solvers() -> Vec<Named> {
    let first = NehConfig { tie: TieRule::First, ..NehConfig::default() };
    vec![
        ("random-search", Box::new(RandomSearch::new(RandomSearchConfig::default()))),
        ("iterated-local-search", Box::new(IteratedLocalSearch::new(IteratedLocalSearchConfig::default()))),
        ("paper-iterated-greedy", Box::new(PaperIteratedGreedy::new(PaperIteratedGreedyConfig::default()))),
        ("paper-neh", Box::new(PaperNeh::new(PaperNehConfig::default()))),
        ("neh, tie=first", Box::new(Neh::new(first))),
        ("neh", Box::new(Neh::new(NehConfig::default()))),
    ]
}

/// Mean and its standard error.
fn mean(costs: &[f64]) -> (f64, f64) {
    let count = costs.len() as f64;
    let mean = costs.iter().sum::<f64>() / count;
    let variance = costs.iter().map(|cost| (cost - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, (variance / count).sqrt())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().map_or(Ok(1000), |text| text.parse())?;
    let seed: u64 = arguments.next().map_or(Ok(1), |text| text.parse())?;
    println!("{count} instances per size, gamma(0.5, 2), {NUM_MACHINES} machines, seed {seed}.\n");
    println!("| n | algorithm | printed | mean | standard error |");
    println!("|---:|---|---:|---:|---:|");
    for (num_jobs, printed) in PRINTED {
        let batch = Seed::new(seed).child(&format!("{num_jobs}x{NUM_MACHINES}"));
        for (index, (name, solver)) in solvers().into_iter().enumerate() {
            let mut costs = Vec::new();
            for k in 0..count {
                let instance = gamma((num_jobs, NUM_MACHINES), 0.5, 2.0, batch.nth(k))?;
                let run = Run::new(Seed::new(seed).nth(k), Limits::default());
                costs.push(solver.solve(&instance, &run)?.cost);
            }
            let (mean, error) = mean(&costs);
            let printed = printed.get(index).map_or_else(|| "-".to_string(), |value| format!("{value:.1}"));
            println!("| {num_jobs} | {name} | {printed} | {mean:.2} | {error:.2} |");
        }
    }
    Ok(())
}
