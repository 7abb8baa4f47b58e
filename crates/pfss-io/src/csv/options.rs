//! What a caller says about a CSV file.

use super::role::ColumnSetting;

/// How a CSV file is laid out, where it is not the usual way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CsvOptions {
    /// Rows are machines and columns are jobs.
    pub transpose: bool,
    /// What columns hold, where their headings do not say it.
    pub columns: Vec<ColumnSetting>,
}
