//! A plan as Markdown and LaTeX.

use std::fmt::Write;

use pfss_render::RenderError;

use super::checks::doubts;
use super::matrix::matrix;
use super::models;
use super::origin::origin;
use super::pictures::{Picture, pictures};
use super::reading::fill;
use super::tables::{Titled, plan_tables, tables};
use crate::reproduction::{Plan, Summary};

/// A plan and its numbers as Markdown. Pictures are looked up in `images`, a path relative to the document.
///
/// # Errors
/// [`RenderError`] when a table cannot be written.
pub fn markdown(plan: &Plan, summary: &Summary, images: &str) -> Result<String, RenderError> {
    let mut text = begin(plan, summary)?;
    text.push_str(&shown(tables(plan, summary)?));
    text.push_str(&shown_pictures(plan, summary, images)?);
    text.push_str(&notes(plan, summary));
    if let Some(trainings) = models::trainings(std::iter::once((plan, summary)))? {
        let _ = write!(text, "\n## Models\n\n{}", trainings.to_markdown());
    }
    Ok(text)
}

/// A plan at a glance; all numbers are in the file `numbers`.
pub(super) fn section(
    plan: &Plan,
    summary: &Summary,
    images: &str,
    numbers: &str,
) -> Result<String, RenderError> {
    let mut text = begin(plan, summary)?;
    text.push_str(&shown(plan_tables(plan, summary)?));
    text.push_str(&shown_pictures(plan, summary, images)?);
    let _ = write!(text, "\n[All numbers]({numbers})\n");
    Ok(text)
}

/// Heading, caption, reading and matrix.
fn begin(plan: &Plan, summary: &Summary) -> Result<String, RenderError> {
    let mut text = format!("## {} ({})\n\n{}\n", plan.title, plan.paper, plan.caption.trim());
    if summary.origin.quick {
        text.push_str("\nA quick run at a tiny scale: these numbers only show that the plan works.\n");
    } else if !plan.reading.is_empty() {
        let _ = write!(text, "\n{}\n", fill(plan.reading.trim(), plan, summary));
    }
    text.push_str(&shown(matrix(plan, summary)?));
    for group in summary.groups.iter().filter(|group| group.skipped.is_some()) {
        let label = plan.group(&group.group).map_or(group.group.as_str(), |group| &group.label);
        let _ = write!(text, "\nLeft out, {label}: {}.\n", group.skipped.as_deref().unwrap_or_default());
    }
    Ok(text)
}

fn shown(tables: impl IntoIterator<Item = Titled>) -> String {
    let table = |titled: Titled| format!("\n{}:\n\n{}", sentence(&titled.title), titled.table.to_markdown());
    tables.into_iter().map(table).collect()
}

fn shown_pictures(plan: &Plan, summary: &Summary, images: &str) -> Result<String, RenderError> {
    let picture = |picture: Picture| format!("\n![{}]({images}{})\n", picture.title, picture.file);
    Ok(pictures(plan, summary)?.into_iter().map(picture).collect())
}

/// The tables' marks, what cannot be right, and where the numbers come from.
fn notes(plan: &Plan, summary: &Summary) -> String {
    let mut text = String::new();
    if let Some(ours) =
        plan.method(&plan.ours).filter(|ours| summary.cells.iter().any(|cell| cell.method == ours.id))
    {
        let _ = write!(
            text,
            "\n• the orders of \"{}\" are shorter than this row's (Wilcoxon signed-rank test, one-sided, 5 %, seeds averaged per instance, Holm's correction over the rows).\n",
            ours.label
        );
    }
    let found = doubts(plan, Some(summary));
    if !found.is_empty() {
        text.push_str("\nWhere the printed numbers do not fit:\n\n");
        for doubt in found {
            let _ = writeln!(text, "* {}", doubt.sentence);
        }
    }
    let _ = write!(text, "\n{}{}\n", origin(summary), times(summary));
    text
}

/// Which times are shown where rows of several machines came together.
fn times(summary: &Summary) -> String {
    match summary.timed_on() {
        Some(shown) if summary.machines.len() > 1 => {
            let (cpu, workers) = (&shown.cpu, shown.workers);
            format!(
                " Times are shown of {cpu}, {workers} at a time, alone: other machines measured the rest."
            )
        }
        _ => String::new(),
    }
}

/// A plan's tables as LaTeX, with the packages `booktabs` and `graphicx`.
///
/// # Errors
/// [`RenderError`] when a table cannot be written.
pub fn latex(plan: &Plan, summary: &Summary) -> Result<String, RenderError> {
    let mut text = format!("% {}\n", origin(summary));
    for titled in matrix(plan, summary)?.into_iter().chain(tables(plan, summary)?) {
        let caption = escape(&format!("{}. {}.", plan.title, sentence(&titled.title)));
        let tabular = titled.table.to_latex().replace('•', "$\\bullet$").replace('–', "--");
        let _ = write!(
            text,
            "\\begin{{table}}\n\\centering\n\\caption{{{caption}}}\n\\resizebox{{\\linewidth}}{{!}}{{%\n{tabular}}}\n\\end{{table}}\n"
        );
    }
    Ok(text)
}

fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if matches!(c, '&' | '%' | '$' | '#' | '_' | '{' | '}') {
            escaped.push('\\');
        }
        match c {
            '^' => escaped.push_str("\\textasciicircum{}"),
            c => escaped.push(c),
        }
    }
    escaped
}

fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}
