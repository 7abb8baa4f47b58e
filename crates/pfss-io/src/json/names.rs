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
        let jobs = names.iter().enumerate().map(|(job, name)| (name.as_str(), job as JobId)).collect();
        Self { jobs, num_jobs: instance.num_jobs() }
    }

    pub(super) fn job(&self, value: &Value) -> Result<JobId, Problem> {
        let number = value.as_u64().filter(|&number| number < self.num_jobs as u64);
        let named = value.as_str().and_then(|name| self.jobs.get(name).copied());
        named.or(number.map(|number| number as JobId)).ok_or_else(|| {
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
