//! Arguments of `pfss check`.

use clap::Args;

use super::{PlanArgs, SourceArgs, value};

/// Arguments of `pfss check`.
#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// A file, `-`, or a name (ta001 to ta120, VFR100_20_1); FILE#2 or FILE#NAME picks one of several
    pub(crate) instance: String,
    /// A file (a list of jobs, or a pfss.result/1 whose makespan and value are checked too), `-`, or a list such as 2,0,1
    pub(crate) order: String,
    /// The makespan that the order is claimed to have
    #[arg(long, value_name = "VALUE", value_parser = value::not_negative)]
    pub(crate) makespan: Option<f64>,
    /// The value of the first objective that the order is claimed to have
    #[arg(long, value_name = "VALUE", value_parser = value::finite, allow_negative_numbers = true)]
    pub(crate) value: Option<f64>,
    /// Job numbers count from 1
    #[arg(long)]
    pub(crate) one_based: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}
