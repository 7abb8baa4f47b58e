//! `pfss train label`: instances that an expert orders.

use anyhow::bail;

use super::label_plan::{LabelPlan, Surroundings};
use super::lot::{Given, Lot};
use super::parts;
use super::sample::Sample;
use crate::args::LabelArgs;
use crate::commands::hands::with_hands;
use crate::commands::seed::seed_or_drawn;
use crate::commands::threads::thread_pool;
use crate::console::Console;
use crate::exit::Exit;
use crate::gate::FileGate;
use crate::interrupt;

/// Labels drawn or given instances and writes the set.
pub(super) fn run(args: &LabelArgs, console: Console) -> anyhow::Result<Exit> {
    let console = console.with_progress(args.progress);
    let (lot, count) = match &args.instances[..] {
        [] => (Lot::Drawn(Sample::of(&args.sample)?), args.count),
        given => match &Given::read(given, console)?[..] {
            [] => bail!("{}: holds no instance", given.join(" ")),
            [all] => (Lot::Given(all.clone()), all.len()),
            _ => bail!("{}: instances of several sizes; a file of labels holds one size", given.join(" ")),
        },
    };
    // What was begun goes on with its own seed.
    let seed = args.seed.or_else(|| parts::seed(&args.output));
    let seed = seed_or_drawn(seed, console);
    let plan = LabelPlan { lot, expert: &args.expert, count, seed };
    plan.check()?;
    FileGate::default().writes(&args.output)?;
    let cancel = interrupt::install()?;
    let pool = thread_pool(args.threads)?;
    let set = with_hands(args.threads, &cancel, console, |hands| {
        let around = Surroundings { cancel: &cancel, console, hands };
        pool.install(|| plan.label("labels", &args.output, around))
    });
    let Some(set) = set? else { return Ok(Exit::Interrupted) };
    console.say(&format!(
        "{} instances of {}, mean cost {:.4}, in {}",
        set.items().len(),
        plan.lot.name(),
        set.mean_cost(),
        args.output.display()
    ));
    Ok(Exit::Success)
}
