//! What a reading took in one of several ways, or passed over: worth a line, no reason to refuse.

use std::fmt;
use std::path::PathBuf;

use pfss_core::timing::Attributes;

/// How an entry was read. This is not part of what it is: equal instances may come from different files.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The file, or the archive, that it was read from.
    pub file: Option<PathBuf>,
    /// What was taken in one of several ways.
    pub notes: Vec<Note>,
}

/// Readings are equal: entries are compared by what they hold.
impl PartialEq for Reading {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Something worth knowing about what was read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// Set-ups are given for families that no job is of.
    UnusedFamilies {
        /// The families.
        families: Vec<String>,
    },
    /// A workbook has sheets that were not read, and are not hidden.
    UnreadSheets {
        /// The sheet that was read as the table of jobs.
        jobs: String,
        /// Those that were not read.
        sheets: Vec<String>,
    },
    /// The first column holds whole numbers, all different, and was read as times.
    NumbersAsTimes {
        /// What stands above it.
        heading: String,
    },
}

impl Note {
    /// Set-ups of families that no job is of, where there are some.
    pub(crate) fn of_families(attributes: &Attributes) -> Option<Self> {
        let mut is_used = vec![false; attributes.families.len()];
        for family in attributes.jobs.iter().filter_map(|job| job.family) {
            if let Some(is_used) = is_used.get_mut(family) {
                *is_used = true;
            }
        }
        let unused = attributes.families.iter().zip(is_used).filter(|(_, is_used)| !is_used);
        let families: Vec<String> = unused.map(|(name, _)| name.clone()).collect();
        (!families.is_empty()).then_some(Self::UnusedFamilies { families })
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnusedFamilies { families } => {
                write!(f, "no job is of the families {}, for which there are set-ups", shortened(families))
            }
            Self::UnreadSheets { jobs, sheets } => write!(
                f,
                "sheet `{jobs}` is the table of jobs; not read: {}; beside it `setup`, `breaks` and `machines` are read",
                shortened(sheets)
            ),
            Self::NumbersAsTimes { heading } => write!(
                f,
                "the first column, `{heading}`, is read as a machine with times; if it numbers the jobs, say `--column 1=job`"
            ),
        }
    }
}

/// The first of many names, and how many more there are.
fn shortened(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let shown = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
