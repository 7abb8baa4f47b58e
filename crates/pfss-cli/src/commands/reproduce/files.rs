//! The files of a plan.

use std::path::Path;

use pfss_experiments::reproduction::render::{latex, markdown, pictures};
use pfss_experiments::reproduction::{Plan, Summary};
use pfss_io::atomic;

/// Writes Markdown, LaTeX, pictures and the summary beside the rows.
pub(super) fn write(plan: &Plan, summary: &Summary, folder: &Path) -> anyhow::Result<()> {
    let path = |ending: &str| folder.join(format!("{}.{ending}", plan.name));
    atomic::write(&path("md"), markdown(plan, summary, "")?.as_bytes())?;
    atomic::write(&path("tex"), latex(plan, summary)?.as_bytes())?;
    for picture in pictures(plan, summary)? {
        atomic::write(&folder.join(picture.file), picture.svg.as_bytes())?;
    }
    atomic::write(&path("json"), summary.to_json()?.as_bytes())?;
    Ok(())
}
