//! Weights of a beam's guide for one shape of instances.

use std::io::ErrorKind;
use std::path::Path;

use pfss_core::Seed;
use pfss_experiments::{Evolution, GuideFit};
use pfss_heuristics::beam::{Weighing, WeighingTable, WeighingTableError};

use crate::args::GuideArgs;
use crate::commands::generate::recipe_with;
use crate::commands::seed::seed_or_drawn;
use crate::commands::threads::thread_pool;
use crate::console::Console;
use crate::exit::Exit;
use crate::gate::FileGate;
use crate::interrupt;

/// Evolves the weights and writes them after every generation.
pub(super) fn run(args: &GuideArgs, console: Console) -> anyhow::Result<Exit> {
    FileGate::default().writes(&args.output)?;
    let mut table = table(&args.output)?;
    let fit = GuideFit {
        recipe: recipe_with(args.distribution, &args.parameters)?,
        num_jobs: args.jobs,
        num_machines: args.machines,
        instances: args.count.into(),
        trials: args.trials.into(),
        evaluations: args.evaluations,
        seed: Seed::new(seed_or_drawn(args.seed, console)),
    };
    let cancel = interrupt::install()?;
    let pool = thread_pool(args.threads)?;
    let shape = Evolution::new(fit, Weighing::WALPHA).shape()?;
    // What fits instances of a similar shape is a good start.
    let mut evolution = Evolution::new(fit, table.nearest(&shape).unwrap_or(Weighing::WALPHA));
    for number in 1..=args.generations {
        let Some(generation) = pool.install(|| evolution.step(&cancel))? else {
            return Ok(Exit::Interrupted);
        };
        table.insert(shape, evolution.weighing());
        pfss_io::atomic::write(&args.output, table.to_csv().as_bytes())?;
        console.say(&format!(
            "generation {number:3}: {:+.3} % against walpha, on instances not seen before; the best trial {:+.3} %",
            generation.change, generation.best
        ));
    }
    Ok(Exit::Success)
}

/// The table that is there, or an empty one.
fn table(path: &Path) -> anyhow::Result<WeighingTable> {
    match WeighingTable::read(path) {
        Err(WeighingTableError::Read { source, .. }) if source.kind() == ErrorKind::NotFound => {
            Ok(WeighingTable::default())
        }
        table => Ok(table?),
    }
}
