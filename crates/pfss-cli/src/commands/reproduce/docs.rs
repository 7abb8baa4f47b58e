//! `pfss reproduce docs`: the page of all results, and the measured blocks of the other pages.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use pfss_experiments::pages;
use pfss_experiments::reproduction::render::{document, pictures};
use pfss_experiments::reproduction::{Summary, plans};
use pfss_io::atomic;

use crate::args::ReproduceArgs;
use crate::console::Console;
use crate::exit::Exit;

/// Writes the page and its pictures from the files with the results.
pub(super) fn run(args: &ReproduceArgs, console: Console) -> anyhow::Result<Exit> {
    let page = args.output.clone().unwrap_or_else(|| PathBuf::from("docs/reproduction.md"));
    let results = args.results.as_deref().unwrap_or(Path::new("experiments/results"));
    let plans = plans()?;
    let mut summaries = Vec::new();
    for plan in &plans {
        summaries.extend(read(&results.join(format!("{}.json", plan.name)))?);
    }
    let images = page.parent().unwrap_or(Path::new("")).join("images/reproduction");
    for plan in &plans {
        let Some(summary) = summaries.iter().find(|summary: &&Summary| summary.plan == plan.name) else {
            continue;
        };
        for picture in pictures(plan, summary)? {
            std::fs::create_dir_all(&images)
                .with_context(|| format!("{}: cannot make the folder", images.display()))?;
            atomic::write(&images.join(picture.file), picture.svg.as_bytes())?;
        }
    }
    atomic::write(&page, document(&plans, &summaries)?.as_bytes())?;
    console.say(&format!("{}: {} of {} plans have results", page.display(), summaries.len(), plans.len()));
    if args.output.is_none() {
        let pages = pages::write(Path::new(""))?;
        console.say(&format!("{pages} pages with measured blocks are filled from experiments/measured"));
    }
    Ok(Exit::Success)
}

/// The results in a file; `None` where there is none.
fn read(path: &Path) -> anyhow::Result<Option<Summary>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("{}: cannot read", path.display())),
    };
    let summary = Summary::from_json(&text)
        .with_context(|| format!("{}: not the results of a plan", path.display()))?;
    if summary.origin.quick {
        bail!("{}: results of a quick run mean nothing; run the plan without --quick", path.display());
    }
    Ok(Some(summary))
}
