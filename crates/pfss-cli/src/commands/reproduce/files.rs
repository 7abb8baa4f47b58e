//! The files of a plan.

use std::path::Path;

use anyhow::Context;
use pfss_experiments::reproduction::render::{latex, markdown, pictures};
use pfss_experiments::reproduction::{GroupRuns, Plan, Summary, rows_csv};
use pfss_io::{atomic, xz};

/// The name of the file with the rows that a summary was made from.
pub(super) fn rows_name(plan: &Plan) -> String {
    format!("{}.rows.csv.xz", plan.name)
}

/// Writes Markdown, LaTeX, pictures, the summary, and the rows that it was made from.
pub(super) fn write(plan: &Plan, summary: &Summary, runs: &[GroupRuns], folder: &Path) -> anyhow::Result<()> {
    let path = |ending: &str| folder.join(format!("{}.{ending}", plan.name));
    atomic::write(&path("md"), markdown(plan, summary, "")?.as_bytes())?;
    atomic::write(&path("tex"), latex(plan, summary)?.as_bytes())?;
    for picture in pictures(plan, summary)? {
        atomic::write(&folder.join(picture.file), picture.svg.as_bytes())?;
    }
    let rows = xz::compress(rows_csv(runs).as_bytes()).context("cannot compress the rows")?;
    atomic::write(&folder.join(rows_name(plan)), &rows)?;
    atomic::write(&path("json"), summary.to_json()?.as_bytes())?;
    Ok(())
}
