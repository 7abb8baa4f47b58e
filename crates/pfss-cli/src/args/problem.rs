//! Which problem a command is about.

use clap::ValueEnum;

/// A problem whose solutions are orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProblemName {
    /// Jobs through a line of machines
    #[default]
    FlowShop,
    /// The travelling salesman: cities of a plane
    Tsp,
}
