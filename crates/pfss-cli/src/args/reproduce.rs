//! Arguments of `pfss reproduce`.

use std::path::PathBuf;

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  pfss reproduce list                      the plans
  pfss reproduce exact-vs-neh              one table, printed as Markdown, with files in results/reproduction
  pfss reproduce all -j 2                  everything; the same command goes on after an interrupt
  pfss reproduce all --quick               everything at a tiny scale, in a minute
  pfss reproduce train ablation -- --device cuda
                                           the models of a table that are not there, by their own commands
  pfss reproduce train ablation --quick    small ones, in minutes, and the table with them
  pfss reproduce docs                      docs/results/reproduction from experiments/results,
                                           and the measured blocks of other pages";

/// Arguments of `pfss reproduce`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReproduceArgs {
    /// Plans by name, `all`, `list` (tells the names), `docs` (writes the pages of all results), or `train` and plans (trains
    /// their models)
    #[arg(required = true, value_name = "TABLE")]
    pub(crate) names: Vec<String>,
    /// Few and small instances: shows that a plan works, its numbers mean nothing
    #[arg(long)]
    pub(crate) quick: bool,
    /// The seeds of the methods' random choices [default: those of the plan, 1,2,3]
    #[arg(short, long = "seed", value_name = "SEED,...", value_delimiter = ',')]
    pub(crate) seeds: Vec<u64>,
    /// How many runs go on at the same time, with one thread each [default: all cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) threads: Option<u16>,
    /// Where models are, NAME/model.safetensors each; built-in models are found too [default: models; train --quick: models
    /// in the folder for the results]
    #[arg(long, value_name = "DIR")]
    pub(crate) models: Option<PathBuf>,
    /// The folder for the results [default: results/reproduction; --quick: results/reproduction-quick];
    /// with `docs` that of the pages [default: docs/results/reproduction]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// docs: the folder with the results, one JSON file per plan [default: experiments/results]
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Option<PathBuf>,
    /// A folder to look up benchmark files in (repeatable; then $PFSS_DATA, then ./data)
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Vec<PathBuf>,
    /// train: how many trainings run side by side [default: 1]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) at_once: Option<u16>,
    /// train: options that every command gets, in the place of its own
    #[arg(last = true, value_name = "OPTION")]
    pub(crate) options: Vec<String>,
}
