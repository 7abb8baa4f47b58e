//! What a job is about: an instance, and the line that it is where jobs or machines carry more than times.

use pfss_core::timing::{Line, Objective, check};
use pfss_core::{JobId, PermutationProblem, Time, lower_bound_within};
use pfss_io::{Clock, Entry, match_instance};

use std::time::Duration;

use crate::problem::Problem;

/// An instance that can be planned.
pub(crate) struct Subject {
    pub(crate) entry: Entry,
    line: Option<Line>,
    /// When time zero is, where that is known: schedules and charts then show dates.
    clock: Option<Clock>,
}

/// What an order is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Worth {
    /// The number that is minimised.
    pub(crate) value: f64,
    /// When the last job is done.
    pub(crate) makespan: f64,
}

impl Subject {
    /// The subject of an entry, unless its attributes do not fit together.
    pub(crate) fn new(entry: Entry) -> Result<Self, Problem> {
        if entry.attributes.is_plain() {
            return Ok(Self { entry, line: None, clock: None });
        }
        let line = match_instance!(&entry.instance, instance => Line::new(instance, &entry.attributes));
        let line = line.map_err(|error| Problem::refused(error.to_string()))?;
        Ok(Self { entry, line: Some(line), clock: None })
    }

    /// The same with dates.
    pub(crate) fn with_clock(self, clock: Option<Clock>) -> Self {
        Self { clock, ..self }
    }

    /// When time zero is, where that is known.
    pub(crate) fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// The line, where jobs or machines carry more than times.
    pub(crate) fn line(&self) -> Option<&Line> {
        self.line.as_ref()
    }

    /// What is minimised, the most important first.
    pub(crate) fn objective(&self) -> String {
        match &self.line {
            Some(line) => line.objectives().map(Objective::name).collect::<Vec<_>>().join(","),
            None => Objective::Makespan.name().to_string(),
        }
    }

    /// Jobs times machines.
    pub(crate) fn size(&self) -> usize {
        self.entry.instance.num_jobs() * self.entry.instance.num_machines()
    }

    /// What a complete order is worth.
    pub(crate) fn worth(&self, order: &[JobId]) -> Result<Worth, Problem> {
        let Some(line) = &self.line else {
            let makespan = self.entry.instance.check(order, None);
            let makespan = makespan.map_err(|error| Problem::refused(format!("order: {error}")))?.to_f64();
            return Ok(Worth { value: makespan, makespan });
        };
        let score = check(line, order, None).map_err(|error| Problem::refused(format!("order: {error}")))?;
        let table = pfss_core::timing::Timetable::new(line, order);
        let table = table.map_err(|error| Problem::refused(format!("order: {error}")))?;
        Ok(Worth { value: line.value(score), makespan: line.to_units(table.makespan()) })
    }

    /// What no order undercuts, as far as can be said at once.
    pub(crate) fn bound(&self) -> f64 {
        const AT_ONCE: Duration = Duration::from_millis(40);
        match self.line.as_ref().map(|line| (line, line.plain_shop())) {
            Some((line, Some(shop))) => line.to_units(lower_bound_within(shop, AT_ONCE)),
            Some((line, None)) => line.value(line.lower_bound()),
            None => {
                match_instance!(&self.entry.instance, instance => lower_bound_within(instance, AT_ONCE).to_f64())
            }
        }
    }

    /// Refuses pins where other rules say which job comes first.
    pub(crate) fn check_pinned(&self, pinned: &[JobId]) -> Result<(), Problem> {
        let num_jobs = self.entry.instance.num_jobs();
        if let Some(job) = pinned.iter().find(|&&job| job as usize >= num_jobs) {
            let last = num_jobs.saturating_sub(1);
            return Err(Problem::refused(format!(
                "pinned: there is no job {job}; jobs are numbered 0 to {last}"
            )));
        }
        let mut sorted = pinned.to_vec();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Problem::refused(format!("pinned: job {} stands there twice", twice[0])));
        }
        let has_rules =
            self.line.as_ref().is_some_and(|line| line.has_precedence() || !line.first().is_empty());
        // With all jobs pinned nothing moves, so no rule can be broken.
        if has_rules && !pinned.is_empty() && pinned.len() < num_jobs {
            return Err(Problem::refused(
                "pinned: the instance fixes first jobs or precedences itself; leave the pins out",
            ));
        }
        Ok(())
    }
}
