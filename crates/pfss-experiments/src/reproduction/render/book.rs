//! The pages of all plans: an overview with the verdicts, a page per part of the paper, and all numbers as CSV files.

use std::fmt::Write;

use pfss_render::{Alignment, RenderError, Table};

use super::checks::doubts;
use super::document::section;
use super::models;
use super::reading::fill;
use super::tables::all_groups;
use crate::reproduction::{Plan, Summary, claims};

/// A page and the name of its file.
pub struct Page {
    /// The name, such as `comparative.md` or `tables/tsp.csv`.
    pub file: String,
    /// The text.
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
    let page = |file: &str, text: String| Page { file: file.to_string(), text };
    let mut pages = vec![page("overview.md", overview(plans, summaries)?)];
    for chapter in &CHAPTERS {
        pages.push(page(chapter.file, chapter_page(chapter, plans, summaries)?));
    }
    let measured: Vec<(&Plan, &Summary)> =
        plans.iter().filter_map(|plan| Some((plan, find(plan, summaries)?))).collect();
    for (plan, summary) in &measured {
        if let Some(table) = all_groups(plan, summary)? {
            pages.push(page(&numbers(plan), table.to_csv()));
        }
    }
    if let Some(table) = models::trainings(measured.iter().copied())? {
        pages.push(page(TRAININGS, table.to_csv()));
    }
    pages.push(page(DOUBTS, all_doubts(plans, summaries)?.to_csv()));
    pages.push(page(ORIGINS, origins(&measured)?.to_csv()));
    Ok(pages)
}

/// The file with all numbers of a plan.
fn numbers(plan: &Plan) -> String {
    format!("tables/{}.csv", plan.name)
}

const TRAININGS: &str = "tables/trainings.csv";
const DOUBTS: &str = "tables/doubts.csv";
const ORIGINS: &str = "tables/origins.csv";

fn find<'a>(plan: &Plan, summaries: &'a [Summary]) -> Option<&'a Summary> {
    summaries.iter().find(|summary| summary.plan == plan.name)
}

/// The verdicts, what there is, and how to read it.
fn overview(plans: &[Plan], summaries: &[Summary]) -> Result<String, RenderError> {
    let mut verdicts = Table::new([
        ("the paper says", Alignment::Left),
        ("where", Alignment::Left),
        ("measured here", Alignment::Left),
        ("verdict", Alignment::Left),
        ("plan", Alignment::Left),
    ]);
    for claim in claims().unwrap_or_default() {
        let plan = plans.iter().find(|plan| plan.name == claim.plan);
        let measured = plan.and_then(|plan| Some(fill(&claim.measured, plan, find(plan, summaries)?)));
        let measured = measured.unwrap_or_else(|| "not measured".to_string());
        verdicts.push_row([
            claim.claim,
            claim.paper,
            measured,
            claim.verdict.words().to_string(),
            claim.plan,
        ])?;
    }
    let mut text = format!("{HEAD}\n{}\n## Pages\n\n", verdicts.to_markdown());
    for chapter in &CHAPTERS {
        let of_chapter = plans.iter().filter(|plan| chapter.plans.contains(&plan.name.as_str()));
        let parts: Vec<&str> = of_chapter.map(|plan| plan.paper.as_str()).collect();
        let _ = writeln!(text, "* [{}]({}): {}", chapter.title, chapter.file, parts.join("; "));
    }
    let _ = write!(
        text,
        "* As CSV files: [every training]({TRAININGS}), [printed numbers that do not fit]({DOUBTS}), [what measured which plan]({ORIGINS}), and all numbers of each table beside it\n{READING}"
    );
    Ok(text)
}

/// The plans of a chapter, one after the other.
fn chapter_page(chapter: &Chapter, plans: &[Plan], summaries: &[Summary]) -> Result<String, RenderError> {
    let mut text = format!("# {}\n\n{GENERATED}", chapter.title);
    for plan in plans.iter().filter(|plan| chapter.plans.contains(&plan.name.as_str())) {
        text.push('\n');
        match find(plan, summaries) {
            Some(summary) => text.push_str(&section(plan, summary, "images/", &numbers(plan))?),
            None => {
                let Plan { name, title, paper, caption, .. } = plan;
                let _ = writeln!(
                    text,
                    "## {title} ({paper})\n\n{}\n\nNot measured yet: `pfss reproduce {name}` measures it.",
                    caption.trim()
                );
            }
        }
    }
    Ok(text)
}

/// Where printed numbers do not fit, in all plans.
fn all_doubts(plans: &[Plan], summaries: &[Summary]) -> Result<Table, RenderError> {
    let mut table = Table::new([("plan", Alignment::Left), ("what does not fit", Alignment::Left)]);
    for plan in plans {
        for doubt in doubts(plan, find(plan, summaries)) {
            table.push_row([plan.name.clone(), doubt.sentence])?;
        }
    }
    Ok(table)
}

/// Which program measured which plan, when and on what.
fn origins(measured: &[(&Plan, &Summary)]) -> Result<Table, RenderError> {
    let mut table = Table::new(
        ["plan", "command", "date", "version", "commit", "processor", "at a time", "seeds"]
            .map(|name| (name, Alignment::Left)),
    );
    for (plan, summary) in measured {
        let origin = &summary.origin;
        let seeds: Vec<String> = origin.seeds.iter().map(u64::to_string).collect();
        table.push_row([
            plan.name.clone(),
            origin.command.clone(),
            origin.date.clone(),
            origin.version.clone(),
            origin.commit.clone(),
            origin.cpu.clone(),
            origin.workers.to_string(),
            seeds.join(" "),
        ])?;
    }
    Ok(table)
}

const GENERATED: &str = "\
Written by `pfss reproduce docs`. [How to read the tables](overview.md#how-to-read-the-tables).
";

const HEAD: &str = "\
# The paper, measured again

\"Learning to Optimize Permutation Flow Shop Scheduling via Graph-based Imitation Learning\" (L. Li, S. Liang, Z. Zhu, C. Ding, H. Zha, B. Wu; AAAI 2024, arXiv:2210.17178): what it claims, and what came out here.
`pfss reproduce PLAN` measures a row's plan again, and `pfss reproduce train PLAN` trains its models.
";

const READING: &str = "
## How to read the tables

* Brackets hold what the paper prints. An asterisk behind them: the difference is more than three standard errors (`2 e\u{b2} + (1 + 1/k) s\u{b2}`; `e` of the instances,
  none where both used a benchmark's; `s` of our `k` trainings or seeds) after rounding.
* A gap is the mean of the ratios to the baseline, in percent; \u{b1} is the standard deviation over trainings with other seeds. CSV files have 95 % bootstrap intervals (2,000 resamples).
* Time is the sum over a group's instances, one thread each, without loading the program or a model. The paper's is that of Python programs, with policies on a GPU. A dash stands for times of another machine.
* \"In the time of\": the search had the mean time that the named policy took.
* The lower bound is the larger of the one-machine and two-machine bounds: no order can be below it.
* Sentences that compare two methods that were trained several times compare trainings with the same seed and say what all of them agree on: five that agree by chance have one in 32. Others name the groups where Wilcoxon's
  signed-rank test over the instances (one-sided, 5 %, Holm's correction) decides.
* Every number comes from rows in `experiments/results`; a test compares the pages with them.
";
