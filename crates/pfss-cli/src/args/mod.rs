//! The command line, as types. Doc comments are the help texts.

mod bench;
mod check;
mod eval;
mod generate;
mod network;
mod plan;
mod plot;
mod problem;
mod progress;
mod renamed;
mod reproduce;
#[cfg(feature = "serve")]
mod serve;
mod solve;
mod source;
mod train;
mod value;

pub(crate) use bench::{BenchArgs, BenchLimitArgs};
pub(crate) use check::CheckArgs;
pub(crate) use eval::EvalArgs;
#[cfg(feature = "tsp")]
pub(crate) use generate::GeneratorName;
pub(crate) use generate::{DistributionArgs, DistributionName, GenerateArgs};
#[cfg(feature = "train")]
pub(crate) use network::{AggregationName, GlimpseName, NormalizationName, ScaleName};
pub(crate) use network::{EncoderName, NetworkArgs};
pub(crate) use plan::PlanArgs;
pub(crate) use plot::{BoxplotArgs, ConvergenceArgs, GanttArgs, PictureArgs, PlotArgs, PlotKind};
pub(crate) use problem::ProblemName;
pub(crate) use progress::ProgressName;
pub(crate) use renamed::modern;
pub(crate) use reproduce::ReproduceArgs;
#[cfg(feature = "serve")]
pub(crate) use serve::ServeArgs;
pub(crate) use solve::{LimitArgs, OutputArgs, SolveArgs};
pub(crate) use source::SourceArgs;
#[cfg(feature = "train")]
pub(crate) use train::{CostName, DeviceName, RolloutsName, RunArgs, TrainPlanArgs};
pub(crate) use train::{
    CourseArgs, ExpertArgs, FrontArgs, GuideArgs, LabelArgs, PortfolioArgs, SampleArgs, TrainArgs, TrainKind,
};

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use pfss_io::Format;

/// The version and the commit it was built from.
pub(crate) const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("PFSS_COMMIT"), ")");

const EXAMPLES: &str = "\
Examples:
  pfss solve ta051                                a benchmark by name, ten seconds
  pfss solve jobs.csv -t 1m --gantt plan.html     your own data, with a chart
  pfss solve jobs.csv --objective total-tardiness --schedule plan.xlsx   due dates, and a plan for Excel
  pfss solve jobs.csv --json -o result.json       for programs
  pfss check jobs.csv result.json                 recompute a makespan
  pfss algorithms                                 what there is to choose from

Exit codes: 0 an answer, 1 a negative answer (check failed, target missed), 2 an error, 130 aborted.";

/// Solves permutation flow shops: in which order shall jobs pass the machines, so that all are done soonest?
#[derive(Debug, Parser)]
#[command(name = "pfss", version = VERSION, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) console: ConsoleArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What is told on standard error.
#[derive(Args, Debug)]
pub(crate) struct ConsoleArgs {
    /// Tell nothing but errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Tell more on standard error
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find a short schedule, with a proven lower bound and the gap to it
    Solve(Box<SolveArgs>),
    /// Recompute the makespan of an order; exit code 1 when the order or the claim is wrong
    Check(CheckArgs),
    /// Draw random instances
    Generate(GenerateArgs),
    /// Write instances in another format
    Convert(ConvertArgs),
    /// Draw a schedule or results as SVG or as one self-contained HTML page
    Plot(PlotArgs),
    /// List the algorithms, or describe one
    Algorithms(AlgorithmsArgs),
    /// Run algorithms on a benchmark: mean deviations from the best-known makespans, resumable
    Bench(Box<BenchArgs>),
    /// Learn a policy, from an expert's orders or by trial
    Train(Box<TrainArgs>),
    /// Measure policies and heuristics on the same instances
    Eval(Box<EvalArgs>),
    /// Measure the paper's tables and figures again, beside the printed values
    Reproduce(Box<ReproduceArgs>),
    /// Open a page to plan with, and an HTTP API for programs
    #[cfg(feature = "serve")]
    Serve(ServeArgs),
    /// Tell the version, the machine's features and the models found
    Info(InfoArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write manual pages, one per command (`man -l DIR/pfss-solve.1` shows one)
    Man {
        /// The folder to write them into
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

/// Arguments of `pfss convert`.
#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    /// A file, `-`, or a name (ta001 to ta120, VFR100_20_1); FILE#2 or FILE#NAME picks one of several
    pub(crate) instance: String,
    /// The format to write; taken from the ending of the output where it is .csv or .json
    #[arg(long, value_name = "FORMAT", value_parser = value::format())]
    pub(crate) to: Option<Format>,
    /// The file to write, or a folder (`DIR/`) for one file per instance; standard output when absent
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

/// Arguments of `pfss algorithms`.
#[derive(Args, Debug)]
pub(crate) struct AlgorithmsArgs {
    /// The algorithm to describe
    #[arg(value_parser = value::algorithm())]
    pub(crate) name: Option<String>,
    /// The problem
    #[arg(long, default_value = "flow-shop", value_parser = value::with_tours::<ProblemName>())]
    pub(crate) problem: ProblemName,
    /// The algorithms for instances that carry more than times (due dates, set-ups, other objectives, ...)
    #[arg(long, conflicts_with = "problem")]
    pub(crate) planning: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `pfss info`.
#[derive(Args, Debug)]
pub(crate) struct InfoArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
