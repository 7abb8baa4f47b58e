//! `pfss train label`: instances that an expert orders.

use std::path::Path;

use anyhow::{Context, bail};

use super::label_plan::{LabelPlan, Surroundings};
use super::lot::{Given, Lot, are_labels, read_set};
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
    let is_there = args.output.is_file();
    if is_there && !are_labels(&args.output) {
        bail!("{}: is there already and holds no labels; name another file", args.output.display());
    }
    let done = if is_there { Some(read_set(&args.output)?) } else { None };
    // What was begun, or is done, has its own seed.
    let its_seed = || done.as_ref().and_then(|set| set.record().get("seed")?.as_u64());
    let seed = args.seed.or_else(its_seed).or_else(|| parts::seed(&args.output));
    let seed = seed_or_drawn(seed, console);
    let plan = LabelPlan { lot, expert: &args.expert, count, seed };
    plan.check()?;
    let mut gate = FileGate::default();
    args.instances.iter().try_for_each(|argument| gate.reads(Path::new(argument)))?;
    match args.output.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => std::fs::create_dir_all(folder)
            .with_context(|| format!("{}: cannot create the folder", folder.display()))?,
        _ => {}
    }
    gate.writes(&args.output)?;
    let cancel = interrupt::install()?;
    let pool = thread_pool(args.threads)?;
    let set = with_hands(args.threads, &cancel, console, |hands| {
        let around = Surroundings { cancel: &cancel, console, hands };
        pool.install(|| plan.read_or_label("labels", &args.output, around))
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
