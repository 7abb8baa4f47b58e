//! What a journal asks of its rows.

use std::hash::Hash;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::mistake::Mistake;
use crate::{Row, RowKey};

/// A row that a journal keeps: one line of a CSV file with these columns.
pub trait JournalRow: Serialize + DeserializeOwned {
    /// What makes a run the same run: it is not repeated.
    type Key: Eq + Hash;

    /// The names of the columns, in the order of the fields. The last one is the fingerprint, which tells a whole line from
    /// a torn one; files of earlier versions do not have it.
    const COLUMNS: &'static [&'static str];

    /// What makes this run the same run.
    fn key(&self) -> Self::Key;

    /// The name of the instance.
    fn instance(&self) -> &str;

    /// The fingerprint of the instance (`pfss_io::entry_hash`), or [`unknown_hash`](crate::unknown_hash).
    fn instance_hash(&self) -> &str;

    /// The first column that cannot be so, alone or beside the others.
    fn mistake(&self) -> Option<Mistake>;
}

impl JournalRow for Row {
    type Key = RowKey;

    const COLUMNS: &'static [&'static str] = &Row::COLUMNS;

    fn key(&self) -> RowKey {
        Row::key(self)
    }

    fn instance(&self) -> &str {
        &self.instance
    }

    fn instance_hash(&self) -> &str {
        &self.instance_hash
    }

    fn mistake(&self) -> Option<Mistake> {
        Row::mistake(self)
    }
}
