//! Jobs as Python calls them: by name or by number.

use std::collections::HashMap;

use pfss_core::{JobId, Permutation};
use pfss_io::AnyInstance;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::input;
use crate::value::Given;

/// A whole number that counts from 0; no truth is one.
pub(crate) fn place(item: &Bound<'_, PyAny>) -> Option<usize> {
    match Given::of(item) {
        Given::Whole(number) => usize::try_from(number).ok(),
        _ => None,
    }
}

/// Looks jobs up by name.
pub(crate) struct Jobs<'a> {
    instance: &'a AnyInstance,
    numbers: HashMap<&'a str, JobId>,
}

impl<'a> Jobs<'a> {
    pub(crate) fn of(instance: &'a AnyInstance) -> Self {
        let names = instance.job_names().unwrap_or_default();
        let numbers = names.iter().enumerate().map(|(job, name)| (name.as_str(), job as JobId)).collect();
        Self { instance, numbers }
    }

    /// The job of this name or number.
    pub(crate) fn job(&self, item: &Bound<'_, PyAny>) -> PyResult<JobId> {
        if let Ok(name) = item.cast::<PyString>() {
            let name = name.to_string();
            return match (self.numbers.get(name.as_str()), name.parse::<JobId>()) {
                (Some(&job), _) => Ok(job),
                // Without names the results of others call jobs by number, also in texts.
                (None, Ok(job)) if self.numbers.is_empty() && self.exists(job) => Ok(job),
                _ => Err(self.unknown(&name)),
            };
        }
        match place(item).map(JobId::try_from) {
            Some(Ok(job)) if self.exists(job) => Ok(job),
            _ => Err(self.unknown(&item.str()?.to_string())),
        }
    }

    /// Several jobs, in this order.
    pub(crate) fn list(&self, items: &Bound<'_, PyAny>) -> PyResult<Vec<JobId>> {
        if items.is_instance_of::<PyString>() {
            return Err(input("expected a list of job names or numbers, not one text"));
        }
        let items = items.try_iter().map_err(|_| input("expected a list of job names or numbers"))?;
        items.map(|item| self.job(&item?)).collect()
    }

    /// An order of all jobs.
    pub(crate) fn order(&self, items: &Bound<'_, PyAny>) -> PyResult<Permutation> {
        Permutation::new(self.list(items)?, self.instance.num_jobs()).map_err(input)
    }

    fn exists(&self, job: JobId) -> bool {
        (job as usize) < self.instance.num_jobs()
    }

    fn unknown(&self, found: &str) -> PyErr {
        let last = self.instance.num_jobs() - 1;
        let names = if self.numbers.is_empty() { "" } else { " or by their names" };
        input(format!("there is no job `{found}`; jobs are called by the numbers 0 to {last}{names}"))
    }
}
