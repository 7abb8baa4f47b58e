//! Options of all commands that read instances.

use std::path::PathBuf;

use clap::Args;
use pfss_io::Format;

use super::value;

/// How instances are read.
#[derive(Args, Clone, Debug)]
pub(crate) struct SourceArgs {
    /// The format of the instance, where it cannot be told from the content
    #[arg(long, value_name = "FORMAT", value_parser = value::format(), help_heading = "Input")]
    pub(crate) format: Option<Format>,
    /// CSV: rows are machines, columns are jobs
    #[arg(long, help_heading = "Input")]
    pub(crate) transpose: bool,
    /// A folder to look up named instances in (repeatable; then $PFSS_DATA, then ./data)
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    pub(crate) data: Vec<PathBuf>,
}
