//! Orders that call jobs by their names.

use std::collections::HashMap;

use pfss_core::JobId;

use crate::AnyInstance;
use crate::error::{Problem, excerpt};

/// What stands between the jobs of a bare list.
pub(super) fn is_separator(c: char) -> bool {
    c.is_whitespace() || c == ',' || c == ';'
}

/// Which job has which name; `None` where two jobs share it.
pub(super) struct Names<'a>(HashMap<&'a str, Option<JobId>>);

impl<'a> Names<'a> {
    pub(super) fn of(instance: &'a AnyInstance) -> Self {
        let mut jobs = HashMap::new();
        for (job, name) in (0..).zip(instance.job_names().unwrap_or_default()) {
            let entry = jobs.entry(name.as_str()).or_insert(Some(job));
            if *entry != Some(job) {
                *entry = None;
            }
        }
        Self(jobs)
    }

    /// The order by names, where every item of the list is one: items on lines of their own, or separated by
    /// commas, or by blanks.
    pub(super) fn jobs(&self, text: &str) -> Option<Vec<JobId>> {
        let separators: [fn(char) -> bool; 3] =
            [|c| c == '\n', |c| matches!(c, '\n' | ',' | ';' | '\t'), is_separator];
        separators.into_iter().find_map(|separator| {
            let items = text.split(separator).map(str::trim).filter(|item| !item.is_empty());
            items.map(|item| self.job(item).ok()).collect()
        })
    }

    pub(super) fn job(&self, name: &str) -> Result<JobId, Problem> {
        match self.0.get(name) {
            Some(Some(job)) => Ok(*job),
            Some(None) => Err(Problem::DuplicateName { name: name.to_string() }),
            None => {
                let accepted = match self.0.is_empty() {
                    true => "the jobs have no names, give the order by numbers".to_string(),
                    false => "names must be written as in the instance".to_string(),
                };
                Err(Problem::UnknownJob { found: excerpt(name.as_bytes()), accepted })
            }
        }
    }
}
