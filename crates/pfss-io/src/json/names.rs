//! Jobs of `first` and `precedence`.

use std::collections::HashMap;

use pfss_core::JobId;
use serde_json::Value;

use crate::AnyInstance;
use crate::error::{Problem, excerpt};

/// Jobs by name or number.
pub(super) struct Names<'a> {
    jobs: HashMap<&'a str, JobId>,
    num_jobs: usize,
}

impl<'a> Names<'a> {
    pub(super) fn of(instance: &'a AnyInstance) -> Self {
        let names = instance.job_names().unwrap_or_default();
        let jobs = (0..).zip(names).map(|(job, name)| (name.as_str(), job)).collect();
        Self { jobs, num_jobs: instance.num_jobs() }
    }

    pub(super) fn job(&self, value: &Value) -> Result<JobId, Problem> {
        let number = value.as_u64().and_then(|number| JobId::try_from(number).ok());
        let number = number.filter(|&number| (number as usize) < self.num_jobs);
        let named = value.as_str().and_then(|name| self.jobs.get(name).copied());
        named.or(number).ok_or_else(|| {
            let found = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            let last = self.num_jobs.saturating_sub(1);
            let accepted = match self.jobs.is_empty() {
                true => format!("jobs are numbered 0 to {last}"),
                false => format!("jobs are called by their names, or numbered 0 to {last}"),
            };
            Problem::UnknownJob { found: excerpt(found.as_bytes()), accepted }
        })
    }
}
