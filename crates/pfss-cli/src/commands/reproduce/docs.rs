//! `pfss reproduce docs`: the pages of all results, and the measured blocks of other pages.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use pfss_experiments::pages;
use pfss_experiments::reproduction::render::{pages as result_pages, pictures};
use pfss_experiments::reproduction::{Plan, Summary, plans, read_rows};
use pfss_io::{atomic, xz};

use super::files::rows_name;
use crate::args::ReproduceArgs;
use crate::console::Console;
use crate::exit::Exit;

/// Writes the pages and their pictures from the files with the results.
pub(super) fn run(args: &ReproduceArgs, console: Console) -> anyhow::Result<Exit> {
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from("docs/results/reproduction"));
    let results = args.results.as_deref().unwrap_or(Path::new("experiments/results"));
    let plans = plans()?;
    let mut summaries = Vec::new();
    for plan in &plans {
        let path = results.join(format!("{}.json", plan.name));
        let Some(mut summary) = read(&path)? else { continue };
        if let Some(again) = of_rows(plan, &summary, &results.join(rows_name(plan)))?
            && let Some(difference) = summary.difference(&again)
        {
            console.say(&format!("{}: made again from its rows ({difference})", path.display()));
            atomic::write(&path, again.to_json()?.as_bytes())?;
            summary = again;
        }
        summaries.push(summary);
    }
    let images = folder.join("images");
    for folder in [&images, &folder.join("tables")] {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{}: cannot make the folder", folder.display()))?;
    }
    for plan in &plans {
        let Some(summary) = summaries.iter().find(|summary: &&Summary| summary.plan == plan.name) else {
            continue;
        };
        for picture in pictures(plan, summary)? {
            atomic::write(&images.join(picture.file), picture.svg.as_bytes())?;
        }
    }
    for page in result_pages(&plans, &summaries)? {
        atomic::write(&folder.join(&page.file), page.text.as_bytes())?;
    }
    console.say(&format!("{}: {} of {} plans have results", folder.display(), summaries.len(), plans.len()));
    if args.output.is_none() {
        let pages = pages::write(Path::new(""))?;
        console.say(&format!("{pages} pages with measured blocks are filled from experiments/measured"));
    }
    Ok(Exit::Success)
}

/// The summary of the kept rows; results without rows are taken as they are.
fn of_rows(plan: &Plan, summary: &Summary, path: &Path) -> anyhow::Result<Option<Summary>> {
    let compressed = match std::fs::read(path) {
        Ok(compressed) => compressed,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("{}: cannot read", path.display())),
    };
    let wrong = || format!("{}: not the rows of a plan", path.display());
    let text = String::from_utf8(xz::decompress(&compressed).with_context(wrong)?).with_context(wrong)?;
    let rows = read_rows(&text, &plan.groups).map_err(anyhow::Error::msg).with_context(wrong)?;
    Ok(Some(summary.from_rows(plan, rows)))
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
