//! A plan as Markdown and LaTeX.

use std::fmt::Write;

use pfss_render::RenderError;

use super::checks::doubts;
use super::models;
use super::origin::origin;
use super::pictures::pictures;
use super::reading::fill;
use super::tables::tables;
use crate::reproduction::{Plan, Summary};

/// A plan and its numbers as Markdown. Pictures are looked up in `images`, a path relative to the document.
///
/// # Errors
/// [`RenderError`] when a table cannot be written.
pub fn markdown(plan: &Plan, summary: &Summary, images: &str) -> Result<String, RenderError> {
    let trainings = models::trainings(std::iter::once((plan, summary)));
    let mut text = section(plan, summary, images, "#models")?;
    if !trainings.is_empty() {
        let _ = write!(text, "\n## Models\n\n{trainings}");
    }
    Ok(text)
}

/// A plan without the commands of its models, which are found at `models`, a link.
pub(super) fn section(
    plan: &Plan,
    summary: &Summary,
    images: &str,
    models: &str,
) -> Result<String, RenderError> {
    let mut text = format!("## {} ({})\n\n{}\n", plan.title, plan.paper, plan.caption.trim());
    if summary.origin.quick {
        text.push_str("\nA quick run at a tiny scale: these numbers only show that the plan works.\n");
    } else if !plan.reading.is_empty() {
        let _ = write!(text, "\n{}\n", fill(plan.reading.trim(), plan, summary));
    }
    for titled in tables(plan, summary)? {
        let _ = write!(text, "\n{}:\n\n{}", sentence(&titled.title), titled.table.to_markdown());
    }
    for picture in pictures(plan, summary)? {
        let _ = write!(text, "\n![{}]({images}{})\n", picture.title, picture.file);
    }
    text.push_str(&notes(plan, summary, models));
    Ok(text)
}

/// The table's marks, what cannot be right, what is missing, and where the numbers come from.
fn notes(plan: &Plan, summary: &Summary, models: &str) -> String {
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
    for group in summary.groups.iter().filter(|group| group.skipped.is_some()) {
        let label = plan.group(&group.group).map_or(group.group.as_str(), |group| &group.label);
        let _ = write!(text, "\nLeft out, {label}: {}.\n", group.skipped.as_deref().unwrap_or_default());
    }
    let found = doubts(plan, Some(summary));
    if !found.is_empty() {
        text.push_str("\nWhere the printed numbers do not fit:\n\n");
        for doubt in found {
            let _ = writeln!(text, "* {}", doubt.sentence);
        }
    }
    if let Some(names) = models::names(plan, summary) {
        let _ = write!(text, "\nModels: {names}. [How they were trained]({models}).\n");
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
    for titled in tables(plan, summary)? {
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
