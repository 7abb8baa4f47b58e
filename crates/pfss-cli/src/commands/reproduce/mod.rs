//! `pfss reproduce`: the paper's tables and figures, beside the printed values.

mod docs;
mod files;
mod list;
#[cfg(feature = "train")]
mod train;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use pfss_core::CancelFlag;
use pfss_experiments::reproduction::{
    GroupRuns, Measurement, Models, Origin, Plan, Reproduction, Stage, Summary, plan, plan_names, plans,
};
use pfss_experiments::{Journal, Provenance};

use super::bench::torn_line;
use super::hands::with_hands;
use super::unused::refuse;
use crate::args::ReproduceArgs;
use crate::console::{Console, tell};
use crate::exit::Exit;
use crate::machine::cores;
use crate::{date, interrupt, output, source};

/// A plan after its runs.
struct Measured {
    summary: Summary,
    runs: Vec<GroupRuns>,
}

/// Runs the plans that are asked for, or tells about them.
pub(super) fn run(args: &ReproduceArgs, console: Console) -> anyhow::Result<Exit> {
    refuse_unused(args)?;
    match args.names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["list"] => return list::run(),
        ["docs"] => return docs::run(args, console),
        _ => {}
    }
    if let Some(("train", names)) = args.names.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        return train_models(args, names, console);
    }
    if let Some(alone) = args.names.iter().find(|name| matches!(name.as_str(), "list" | "docs" | "train")) {
        let place = if alone == "train" { "stands first" } else { "stands alone" };
        bail!("`{alone}` {place}; the plans are: {}", plan_names().join(", "));
    }
    let models = args.models.as_deref().unwrap_or(Path::new("models"));
    fill(&chosen(&args.names)?, args, models, &interrupt::install()?, console)
}

/// Trains the models of plans, and fills the tables with quick ones.
#[cfg(feature = "train")]
fn train_models(args: &ReproduceArgs, names: &[String], console: Console) -> anyhow::Result<Exit> {
    if names.is_empty() {
        bail!("train: the models of which plans? They are: {}, and `all`", plan_names().join(", "));
    }
    let plans = chosen(names)?;
    let models = train::folder(args.models.as_deref(), args.quick, &tables(args));
    let training = train::ModelTraining {
        folder: &models,
        quick: args.quick,
        at_once: args.at_once.map_or(1, usize::from),
        options: &args.options,
    };
    let cancel = interrupt::install()?;
    match training.run(&plans, &cancel, console)? {
        Exit::Success if args.quick => fill(&plans, args, &models, &cancel, console),
        exit => Ok(exit),
    }
}

#[cfg(not(feature = "train"))]
fn train_models(_: &ReproduceArgs, _: &[String], _: Console) -> anyhow::Result<Exit> {
    bail!("{}", super::train::CANNOT)
}

/// The folder for the results.
fn tables(args: &ReproduceArgs) -> PathBuf {
    args.output.clone().unwrap_or_else(|| {
        PathBuf::from(if args.quick { "results/reproduction-quick" } else { "results/reproduction" })
    })
}

/// Makes the runs of these plans, and their tables.
fn fill(
    plans: &[Plan],
    args: &ReproduceArgs,
    models: &Path,
    cancel: &CancelFlag,
    console: Console,
) -> anyhow::Result<Exit> {
    let folder = tables(args);
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("{}: cannot make the folder", folder.display()))?;
    let mut failures = 0;
    for plan in plans {
        let Some(measured) = measure(plan, args, models, &folder, cancel, console)? else {
            console.warn(&format!("{}: interrupted; the same command goes on from there", plan.name));
            return Ok(Exit::Interrupted);
        };
        failures += report(plan, &measured, &folder, console)?;
    }
    Ok(if failures == 0 { Exit::Success } else { Exit::Negative })
}

/// Options that only runs of plans, or only the page, have a use for.
fn refuse_unused(args: &ReproduceArgs) -> anyhow::Result<()> {
    let of_runs = [
        ("--quick", args.quick),
        ("--seed", !args.seeds.is_empty()),
        ("-j", args.threads.is_some()),
        ("--models", args.models.is_some()),
        ("--data", !args.data.is_empty()),
    ];
    let (of_page, output) = (("--results", args.results.is_some()), ("-o", args.output.is_some()));
    let of_training =
        [("--at-once", args.at_once.is_some()), ("options behind `--`", !args.options.is_empty())];
    let only_docs = "only `docs` reads results; -o says where those of a plan go";
    match args.names.first().map(String::as_str) {
        Some("list") => {
            let all = [&of_runs[..], &of_training, &[of_page, output]].concat();
            refuse(&all, "`list` only tells the names")
        }
        Some("docs") => {
            refuse(&[&of_runs[..], &of_training].concat(), "`docs` runs nothing; it reads results")
        }
        Some("train") if args.quick => refuse(&[of_page], only_docs),
        Some("train") => {
            let of_tables = [of_runs[1], of_runs[2], of_runs[4], output];
            refuse(
                &of_tables,
                "`train` fills no table without --quick; options behind `--` go to the trainings",
            )?;
            refuse(&[of_page], only_docs)
        }
        _ => {
            refuse(&of_training, "only `train` trains models")?;
            refuse(&[of_page], only_docs)
        }
    }
}

/// The plans of these names, each once, in the order of the paper.
fn chosen(names: &[String]) -> anyhow::Result<Vec<Plan>> {
    if names.iter().any(|name| name == "all") {
        return Ok(plans()?);
    }
    let mut chosen: Vec<Plan> = Vec::new();
    for name in names {
        if !chosen.iter().any(|plan| plan.name == *name) {
            chosen.push(plan(name)?);
        }
    }
    Ok(chosen)
}

/// Makes the runs that are missing; `None` when interrupted.
fn measure(
    plan: &Plan,
    args: &ReproduceArgs,
    models: &Path,
    folder: &Path,
    cancel: &CancelFlag,
    console: Console,
) -> anyhow::Result<Option<Measured>> {
    let path = folder.join(format!("{}.csv", plan.name));
    let mut journal: Journal<Measurement> = Journal::open(&path)?;
    if let Some(torn) = journal.torn() {
        console.warn(&torn_line(&path, torn));
    }
    let models = Models::in_folder(models);
    let data: Vec<PathBuf> = args.data.iter().cloned().chain(source::default_folders()).collect();
    let seeds = if args.seeds.is_empty() { &plan.seeds } else { &args.seeds };
    let provenance = Provenance::here(env!("PFSS_COMMIT"));
    let workers = args.threads.map_or_else(cores, usize::from);
    let reproduction = Reproduction {
        plan,
        seeds,
        quick: args.quick,
        models: &models,
        data: &data,
        workers,
        provenance: provenance.clone(),
        cancel: cancel.clone(),
        hands: None,
    };
    let tells = console.shows_progress() || console.is_verbose();
    let tell_stage = |stage: Stage<'_>| {
        if tells && stage.open > 0 {
            tell(&format!("{}, {}: {} ({} runs)", stage.plan, stage.group, stage.method, stage.open));
        }
    };
    let runs = with_hands(args.threads, cancel, console, |hands| {
        Reproduction { hands, ..reproduction }.run(&mut journal, &tell_stage)
    })?;
    let Some(runs) = runs else { return Ok(None) };
    let origin = Origin {
        version: provenance.version,
        commit: provenance.commit,
        cpu: provenance.cpu,
        workers,
        command: command(plan, args),
        date: date::today(),
        seeds: seeds.clone(),
        data_seed: plan.data_seed,
        quick: args.quick,
    };
    let summary = Summary::new(plan, &runs, &models, origin);
    Ok(Some(Measured { summary, runs }))
}

/// The command that makes the same numbers; where files lie does not change them.
fn command(plan: &Plan, args: &ReproduceArgs) -> String {
    let mut command = format!("pfss reproduce {}", plan.name);
    if args.quick {
        command.push_str(" --quick");
    }
    if !args.seeds.is_empty() {
        let seeds: Vec<String> = args.seeds.iter().map(u64::to_string).collect();
        command.push_str(&format!(" --seed {}", seeds.join(",")));
    }
    if let Some(threads) = args.threads {
        command.push_str(&format!(" -j {threads}"));
    }
    command
}

/// Writes the files, prints the tables, warns of what is missing; tells how many cells failed.
fn report(plan: &Plan, measured: &Measured, folder: &Path, console: Console) -> anyhow::Result<usize> {
    let summary = &measured.summary;
    let skipped: Vec<&str> = summary.groups.iter().filter_map(|group| group.skipped.as_deref()).collect();
    if let (Some(reason), true) = (skipped.first(), skipped.len() == summary.groups.len()) {
        console.warn(&format!("{} is left out: {reason}", plan.name));
        return Ok(0);
    }
    files::write(plan, summary, &measured.runs, folder)?;
    output::print(&(pfss_experiments::reproduction::render::markdown(plan, summary, "")? + "\n"))?;
    let missing = summary.missing_models();
    if !missing.is_empty() {
        console.warn(&format!(
            "{0}: no model {1}; `pfss reproduce train {0}` trains them, and scripts/models brings those back that the \
             project's history has",
            plan.name,
            missing.join(", ")
        ));
    }
    for cell in summary.failures() {
        let reason = cell.absent.as_deref().unwrap_or_default();
        console.warn(&format!("{}, {}, {}: {reason}", plan.name, cell.group, cell.method));
    }
    Ok(summary.failures().count())
}
