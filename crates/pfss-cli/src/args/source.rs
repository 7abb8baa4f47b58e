//! Options of all commands that read instances.

use std::path::PathBuf;

use clap::Args;
use pfss_io::{Clock, ColumnSetting, CsvOptions, Format, ReadOptions};

use super::value;

/// How instances are read.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SourceArgs {
    /// The format of the instance, where it cannot be told from the content
    #[arg(long, value_name = "FORMAT", value_parser = value::format(), help_heading = "Input")]
    pub(crate) format: Option<Format>,
    /// CSV: rows are machines, columns are jobs
    #[arg(long, help_heading = "Input")]
    pub(crate) transpose: bool,
    /// What a column of a CSV file or sheet holds, where its heading does not say it: job, machine, due, release, weight, family or ignore (repeatable). HEADING may be the column's number, from 1
    #[arg(long = "column", value_name = "HEADING=MEANING", help_heading = "Input")]
    pub(crate) columns: Vec<ColumnSetting>,
    /// A folder to look up named instances in (repeatable; then $PFSS_DATA, then ./data)
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    pub(crate) data: Vec<PathBuf>,
}

impl SourceArgs {
    /// How files are read.
    pub(crate) fn options(&self, clock: Option<Clock>) -> ReadOptions {
        let csv = CsvOptions { transpose: self.transpose, columns: self.columns.clone() };
        ReadOptions { format: self.format, csv, clock }
    }
}
