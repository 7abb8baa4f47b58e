//! How a command tells how far it is.

use clap::ValueEnum;

/// How progress is told on standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressName {
    /// One live line, where standard error is a terminal
    #[default]
    Bar,
    /// Not at all
    None,
    /// One JSON object per line, for programs; also where standard error is no terminal
    Json,
}
