//! The pages of all plans: an overview, a page per part of the paper, and the trainings of the models.

use std::fmt::Write;

use pfss_render::RenderError;

use super::checks::doubts;
use super::document::section;
use super::models;
use super::reading::fill;
use crate::reproduction::{Plan, Summary};

/// A page and the name of its file.
pub struct Page {
    /// The name, such as `comparative.md`.
    pub file: &'static str,
    /// The text, as Markdown.
    pub text: String,
}

/// Plans that share a page.
struct Chapter {
    file: &'static str,
    title: &'static str,
    plans: &'static [&'static str],
}

const CHAPTERS: [Chapter; 6] = [
    Chapter {
        file: "comparative.md",
        title: "Comparative study",
        plans: &["comparative-gamma-m5", "literal-gamma", "comparative-normal-m5", "comparative-gamma-m10"],
    },
    Chapter {
        file: "benchmarks.md",
        title: "Benchmarks of the literature",
        plans: &["benchmarks-taillard", "benchmarks-vrf"],
    },
    Chapter { file: "time.md", title: "What time it takes", plans: &["time-complexity", "time-cost"] },
    Chapter {
        file: "ablations.md",
        title: "Parts of the network",
        plans: &["ablation", "job-differences", "aggregation", "normalisation"],
    },
    Chapter { file: "exact.md", title: "Exact optima", plans: &["exact-vs-neh"] },
    Chapter { file: "tours.md", title: "Tours", plans: &["tsp"] },
];

/// The pages of these plans: the numbers that there are, and the command for those that are missing.
///
/// # Errors
/// [`RenderError`] when a table cannot be written.
pub fn pages(plans: &[Plan], summaries: &[Summary]) -> Result<Vec<Page>, RenderError> {
    let mut pages = vec![Page { file: "overview.md", text: overview(plans, summaries) }];
    for chapter in &CHAPTERS {
        pages.push(Page { file: chapter.file, text: page(chapter, plans, summaries)? });
    }
    let measured = plans.iter().filter_map(|plan| Some((plan, find(plan, summaries)?)));
    pages.push(Page { file: "models.md", text: format!("# Models\n\n{}", models::trainings(measured)) });
    Ok(pages)
}

fn find<'a>(plan: &Plan, summaries: &'a [Summary]) -> Option<&'a Summary> {
    summaries.iter().find(|summary| summary.plan == plan.name)
}

/// What there is, how to read it, and what follows from it.
fn overview(plans: &[Plan], summaries: &[Summary]) -> String {
    let mut text = String::from(HEAD);
    text.push_str("\n## Where to find what\n\n");
    for chapter in &CHAPTERS {
        let of_chapter = plans.iter().filter(|plan| chapter.plans.contains(&plan.name.as_str()));
        let parts: Vec<String> = of_chapter.map(|plan| format!("{} ({})", plan.title, plan.paper)).collect();
        let _ = writeln!(text, "* [{}]({}): {}.", chapter.title, chapter.file, parts.join("; "));
    }
    text.push_str("* [Models](models.md): the command of every training.\n");
    let conclusions: Vec<String> = plans
        .iter()
        .filter(|plan| !plan.conclusion.is_empty())
        .filter_map(|plan| Some(fill(plan.conclusion.trim(), plan, find(plan, summaries)?)))
        .collect();
    if !conclusions.is_empty() {
        text.push_str("\n## What to conclude\n\n");
        for conclusion in conclusions {
            let _ = writeln!(text, "* {}", conclusion.replace('\n', "\n  "));
        }
    }
    text.push_str(READING);
    text
}

/// The plans of a chapter, one after the other.
fn page(chapter: &Chapter, plans: &[Plan], summaries: &[Summary]) -> Result<String, RenderError> {
    let mut text = format!("# {}\n\n{GENERATED}", chapter.title);
    for plan in plans.iter().filter(|plan| chapter.plans.contains(&plan.name.as_str())) {
        text.push('\n');
        match find(plan, summaries) {
            Some(summary) => text.push_str(&section(plan, summary, "images/", "models.md")?),
            None => text.push_str(&missing(plan)),
        }
    }
    Ok(text)
}

/// A plan without numbers.
fn missing(plan: &Plan) -> String {
    let Plan { name, title, paper, caption, .. } = plan;
    let caption = caption.trim();
    let mut text = format!(
        "## {title} ({paper})\n\n{caption}\n\nNot measured yet: `pfss reproduce {name}` measures it.\n"
    );
    let doubts = doubts(plan, None);
    for doubt in &doubts {
        let _ = write!(text, "\n* {}", doubt.sentence);
    }
    text.push_str(if doubts.is_empty() { "" } else { "\n" });
    text
}

const GENERATED: &str = "\
Written by `pfss reproduce docs` from `experiments/results`. [How to read the tables](overview.md#how-to-read-the-tables).
";

const HEAD: &str = "\
# The paper's tables and figures, measured again

\"Learning to Optimize Permutation Flow Shop Scheduling via Graph-based Imitation Learning\", cell by cell: what the paper prints, what this
program measures, and where the printed numbers cannot be right.

These pages are generated: every number comes from a file in `experiments/results`, and a test compares the two. Plans and printed values
are in `experiments`. To measure again:

```text
pfss reproduce list                        the plans
pfss reproduce exact-vs-neh                one table; a second call goes on where the first was interrupted
pfss reproduce all -o results              all of them: CSV, Markdown, LaTeX, SVG and JSON for each (hours)
pfss reproduce all --quick                 everything at a tiny scale, in a minute
pfss reproduce docs                        these pages, from experiments/results/*.json
```
";

const READING: &str = "
## How to read the tables

* A cell is the mean over the instances of the mean over the seeds. All seeds have the same instances. Methods that draw no random numbers run once.
* A gap is the mean of ratios to the baseline, as in the paper's code, with a 95 % bootstrap interval over the instances (2,000 resamples).
  Most printed gaps are ratios of the printed means; that ratio stands beside it.
* Time is the sum over the instances, on one thread each, without loading the program or a model. The paper's is that of Python programs, and of policies on a GPU.
  All times of a plan are of one machine; a row that was measured on another machine has a dash there.
* \"in the time of\": the search was given the mean time that the named policy took for an instance of the group. Only these rows, and those with a
  limit in seconds (see the caption), depend on the speed of the machine.
* The lower bound is the larger of the one-machine and two-machine bounds: no order can be below it.
* The remark judges every row by one rule. The printed mean makespan and the printed gap to the baseline (or, where no gap is printed, the gap of the printed means)
  are compared with the measured ones. A difference of more than three standard errors, after rounding, is not chance. The variance of the difference is
  `2 e\u{b2} + (1 + 1/k) s\u{b2}`. Here `e` is the standard error over the instances (for gaps that of the ratios, because both methods saw the same instances; zero
  where both used the instances of a benchmark), and `s` is the standard deviation of the means of our `k` seeds or trainings. Where the difference counts as chance only because of `s`,
  the remark says \"within the spread of trainings\" (or seeds). Three trainings say little about `s`, and one says nothing: such rows say \"one training\", and `s` is left out.
* Texts that compare two methods name the groups by tests: Wilcoxon's signed-rank test, one-sided in both directions, 5 %, seeds and trainings averaged per instance first, Holm's
  correction over all groups of the pair. They hold for these models on such instances, not for what another training would give; not all rows had the same
  number of epochs ([Models](models.md)).
* The rows behind every table are in `experiments/results/NAME.rows.csv.xz`; `pfss reproduce docs` computes the numbers from them again and compares.
";
