//! A plan as Markdown and LaTeX, and the document of all plans.

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
    let commands = models::commands(std::iter::once((plan, summary)));
    let mut text = section(plan, summary, images)?;
    if !commands.is_empty() {
        let _ = write!(text, "\n{MODELS}{commands}");
    }
    Ok(text)
}

/// A plan without the commands of its models.
fn section(plan: &Plan, summary: &Summary, images: &str) -> Result<String, RenderError> {
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
    if let Some(names) = models::names(plan, summary) {
        let _ = write!(text, "\nModels, made by the commands [below](#models): {names}.\n");
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
            Some(summary) => text.push_str(&section(plan, summary, "images/reproduction/")?),
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
    let measured = plans.iter().filter_map(|plan| Some((plan, find(plan)?)));
    let commands = models::commands(measured);
    if !commands.is_empty() {
        let _ = write!(text, "\n{MODELS}{commands}");
    }
    Ok(text)
}

const MODELS: &str = "\
## Models

Each model with its commands, the first stage first. `#` tells how many epochs were made and which one was kept, that with the least gap on the validation
instances. Where a training was stopped by hand, give the same command and stop it (Ctrl-C) after that epoch: the rate of an epoch may depend on how many
are planned. The other seeds of a row are `NAME-seed2` and `NAME-seed3`.
";

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
  All times of a plan are of one machine; a row of another machine has a dash there.
* \"in the time of\": the search was given the mean time that the named policy took for an instance of the group. These rows alone depend on the clock,
  and those with a limit in seconds, which the caption tells.
* The lower bound is the larger of the one-machine and two-machine bounds: no order can be below it.
* The remark holds every row to one rule. The mean makespan in print, and the gap to the baseline (where no gap is printed, that of the printed means), are
  each compared with the measured ones; beyond three standard errors of the difference, after rounding, it is not chance. The variance of the difference is
  `2 e\u{b2} + (1 + 1/k) s\u{b2}`: `e` is the standard error over the instances (for gaps of the ratios, as both methods saw the same instances; nothing
  where both have the instances of a benchmark), `s` the standard deviation of the means of our `k` seeds or trainings. Where only `s` makes it chance,
  the remark says \"within the spread of trainings\" (or seeds). Three trainings tell little of `s`, and one nothing: such rows say \"one training\", and their error leaves it out.
* Texts that compare two methods name the groups by tests: Wilcoxon's signed-rank test, one-sided both ways, 5 %, seeds and trainings averaged per instance first, Holm's
  correction over all groups of the pair. They speak of these models on such instances, not of what another training would give; rows had different
  numbers of epochs ([Models](#models)).
* The rows behind every table are in `experiments/results/NAME.rows.csv.xz`; `pfss reproduce docs` makes the numbers from them again and compares.
";
