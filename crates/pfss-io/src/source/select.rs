//! `ARGUMENT#NAME` and `ARGUMENT#3`.

use std::path::Path;

use crate::Entry;
use crate::error::{Problem, ReadError};

/// An argument and which of its instances is meant.
pub(super) struct Selection<'a> {
    /// What stands before the `#`.
    pub(super) base: &'a str,
    wanted: Option<&'a str>,
}

impl<'a> Selection<'a> {
    /// Splits an argument at its last `#`, unless a file of the whole name exists.
    pub(super) fn of(argument: &'a str) -> Self {
        match argument.rsplit_once('#') {
            Some((base, wanted)) if !base.is_empty() && !Path::new(argument).exists() => {
                Self { base, wanted: Some(wanted) }
            }
            _ => Self { base: argument, wanted: None },
        }
    }

    /// The name that is wanted, when it is not a number.
    pub(super) fn member_name(&self) -> Option<&'a str> {
        self.wanted.filter(|wanted| wanted.parse::<usize>().is_err())
    }

    /// The wanted one of `entries`, or all.
    pub(super) fn pick(&self, mut entries: Vec<Entry>) -> Result<Vec<Entry>, ReadError> {
        let Some(wanted) = self.wanted else {
            return Ok(entries);
        };
        let index = match wanted.parse::<usize>() {
            Ok(number) => number.checked_sub(1).filter(|&index| index < entries.len()),
            Err(_) => entries.iter().position(|entry| entry.instance.name() == wanted),
        };
        match index {
            Some(index) => Ok(vec![entries.swap_remove(index)]),
            None => Err(self.missing(&entries)),
        }
    }

    fn missing(&self, entries: &[Entry]) -> ReadError {
        const SHOWN: usize = 12;
        let mut names: Vec<&str> = entries.iter().take(SHOWN).map(|entry| entry.instance.name()).collect();
        if entries.len() > SHOWN {
            names.push("...");
        }
        let available = format!("there are {} (numbered from 1): {}", entries.len(), names.join(", "));
        let wanted = self.wanted.unwrap_or_default().to_string();
        ReadError::new(Problem::NoSuchInstance { wanted, available }).in_file(self.base)
    }
}
