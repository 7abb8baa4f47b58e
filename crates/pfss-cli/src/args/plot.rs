//! Arguments of `pfss plot`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{PlanArgs, SourceArgs};

/// Arguments of `pfss plot`.
#[derive(Args, Debug)]
pub(crate) struct PlotArgs {
    #[command(subcommand)]
    pub(crate) kind: PlotKind,
}

/// What to draw.
#[derive(Debug, Subcommand)]
pub(crate) enum PlotKind {
    /// A schedule: machines as rows, jobs as bars
    Gantt(GanttArgs),
    /// The best makespan and the lower bound (dashed) against time, from traces of `pfss solve --trace`
    Convergence(ConvergenceArgs),
    /// Deviations per group and algorithm, from one row per run
    Boxplot(BoxplotArgs),
}

/// What all plots take.
#[derive(Args, Debug)]
pub(crate) struct PictureArgs {
    /// The picture, .svg or .html; `-` prints SVG
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The heading
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// The width in pixels
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(320..=20_000))]
    pub(crate) width: Option<u32>,
}

/// Arguments of `pfss plot gantt`.
#[derive(Args, Debug)]
pub(crate) struct GanttArgs {
    /// A file, `-`, or a name (ta001 to ta120, VFR100_20_1); FILE#2 or FILE#NAME picks one of several
    pub(crate) instance: String,
    /// A file (a list of jobs, or a pfss.result/1), `-`, or a list such as 2,0,1
    pub(crate) order: String,
    /// Job numbers count from 1
    #[arg(long)]
    pub(crate) one_based: bool,
    /// Leave the jobs' names out of the bars
    #[arg(long)]
    pub(crate) no_labels: bool,
    /// Do not outline a critical path
    #[arg(long)]
    pub(crate) no_critical_path: bool,
    #[command(flatten)]
    pub(crate) picture: PictureArgs,
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

/// Arguments of `pfss plot convergence`.
#[derive(Args, Debug)]
pub(crate) struct ConvergenceArgs {
    /// Traces of `pfss solve --trace`: CSV files with the columns time_s, makespan (or value, or length) and, where there is one, bound
    #[arg(required = true, value_name = "TRACE.csv")]
    pub(crate) traces: Vec<PathBuf>,
    /// Let time run evenly instead of by factors of ten
    #[arg(long)]
    pub(crate) linear_time: bool,
    #[command(flatten)]
    pub(crate) picture: PictureArgs,
}

/// Arguments of `pfss plot boxplot`.
#[derive(Args, Debug)]
pub(crate) struct BoxplotArgs {
    /// A CSV file with the columns algorithm, rpd, and group or instance
    #[arg(value_name = "RUNS.csv")]
    pub(crate) runs: PathBuf,
    #[command(flatten)]
    pub(crate) picture: PictureArgs,
}
