//! Which problem a command is about.

use clap::ValueEnum;

/// A problem whose solutions are orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProblemName {
    /// The permutation flow shop
    #[default]
    FlowShop,
    /// The travelling salesman: TSPLIB files (EUC_2D), JSON (pfss.tsp/1), names such as berlin52
    #[cfg(feature = "tsp")]
    Tsp,
}
