//! A plan as Markdown and LaTeX, and the document of all plans.

use std::fmt::Write;

use pfss_render::RenderError;

use super::checks::doubts;
use super::pictures::pictures;
use super::reading::fill;
use super::tables::tables;
use crate::reproduction::{Plan, Summary};

/// A plan and its numbers as Markdown. Pictures are looked up in `images`, a path relative to the document.
///
/// # Errors
/// [`RenderError`] when a table cannot be written.
pub fn markdown(plan: &Plan, summary: &Summary, images: &str) -> Result<String, RenderError> {
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
    text.push_str(&notes(plan, summary));
    Ok(text)
}

/// The table's marks, what cannot be right, what is missing, and where the numbers come from.
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
    let commands = commands(plan, summary);
    if !commands.is_empty() {
        text.push_str("\nThe models are made by:\n\n```text\n");
        for command in commands {
            let _ = writeln!(text, "{command}");
        }
        text.push_str("```\n");
    }
    let _ = write!(text, "\n{}\n", origin(summary));
    text
}

/// The commands that made the plan's models and how many epochs these had, or what the plan proposes for models without
/// a record; each once.
fn commands(plan: &Plan, summary: &Summary) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (model, proposed) in plan.models() {
        let seeds = format!("{model}-seed");
        let known =
            summary.models.iter().filter(|known| known.model == model || known.model.starts_with(&seeds));
        let made = known.flat_map(|known| {
            let last = known.commands.len().saturating_sub(1);
            known.commands.iter().enumerate().map(move |(index, command)| match known.epochs {
                epochs if epochs > 0 && index == last => format!("{command}  # {epochs} epochs"),
                _ => command.clone(),
            })
        });
        let mut made: Vec<String> = made.collect();
        if made.is_empty() {
            made.push(proposed);
        }
        for line in made {
            if !line.is_empty() && !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}

/// What made the numbers.
pub(super) fn origin(summary: &Summary) -> String {
    let origin = &summary.origin;
    let seeds: Vec<String> = origin.seeds.iter().map(u64::to_string).collect();
    format!(
        "`{}` on {}, version {}, commit {}, {}, {} at a time with one thread each; seeds {}, instances drawn with seed {}.",
        origin.command,
        origin.date,
        origin.version,
        origin.commit,
        if origin.cpu.is_empty() { "unknown processor" } else { &origin.cpu },
        origin.workers,
        seeds.join(", "),
        origin.data_seed
    )
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

/// The document of all plans: the numbers that there are, and the command for those that are missing.
///
/// # Errors
/// [`RenderError`] when a table cannot be written.
pub fn document(plans: &[Plan], summaries: &[Summary]) -> Result<String, RenderError> {
    let mut text = String::from(HEAD);
    let find = |plan: &Plan| summaries.iter().find(|summary| summary.plan == plan.name);
    let conclusions: Vec<String> = plans
        .iter()
        .filter(|plan| !plan.conclusion.is_empty())
        .filter_map(|plan| Some(fill(plan.conclusion.trim(), plan, find(plan)?)))
        .collect();
    if !conclusions.is_empty() {
        text.push_str("\n## What to conclude\n\n");
        for conclusion in conclusions {
            let _ = writeln!(text, "* {}", conclusion.replace('\n', "\n  "));
        }
    }
    for plan in plans {
        text.push('\n');
        match find(plan) {
            Some(summary) => text.push_str(&markdown(plan, summary, "images/reproduction/")?),
            None => {
                let name = &plan.name;
                let _ = write!(
                    text,
                    "## {} ({})\n\n{}\n\nNot measured yet: `pfss reproduce {name}` measures it.\n",
                    plan.title,
                    plan.paper,
                    plan.caption.trim()
                );
                for doubt in doubts(plan, None) {
                    let _ = write!(text, "\n* {}", doubt.sentence);
                }
                text.push_str(if doubts(plan, None).is_empty() { "" } else { "\n" });
            }
        }
    }
    Ok(text)
}

const HEAD: &str = "\
# The paper's tables and figures, measured again

\"Learning to Optimize Permutation Flow Shop Scheduling via Graph-based Imitation Learning\", cell by cell: what it prints, what this code
gives, and where the printed numbers cannot be right.

```text
pfss reproduce list                        the plans
pfss reproduce exact-vs-neh                one table; a second call goes on where the first was interrupted
pfss reproduce all -o results              all of them: CSV, Markdown, LaTeX, SVG and JSON for each
pfss reproduce all --quick                 everything at a tiny scale, in a minute
pfss reproduce docs                        this page, from experiments/results/*.json
```

This page is generated: every number comes from a file in `experiments/results`, and a test compares the two. Plans and printed values
are in `experiments`.

How to read the tables:

* A cell is the mean over the instances of the mean over the seeds. The same instances serve all seeds. Methods without chance run once.
* A gap is the mean of ratios to the baseline, as in the paper's code, with a 95 % bootstrap interval over the instances (2,000 resamples).
  Most printed gaps are ratios of the printed means; that ratio stands beside it.
* Time is the sum over the instances, on one thread each, without loading the program or a model. The paper's is that of Python programs, of policies on a GPU.
* \"in the time of\": the search was given the mean time that the named policy took for an instance of the group. These rows alone depend on the clock.
* The lower bound is the larger of the one-machine and two-machine bounds: no order can be below it.
* Printed makespans are compared with the measured ones by the standard error of a difference of two means; three are called chance.
";
