//! What solving an instance gave.

use std::time::Duration;

use pfss_core::{Instance, JobId, Operation, Schedule, Status, Time};
use pfss_io::{ResultRecord, TimeValue};
use pfss_render::{GanttOptions, gantt_html, gantt_svg};

use crate::error::Error;
use crate::shop::Shop;

/// The best order that was found, what is known about it, and what can be made of it.
///
/// ```
/// let instance = pfss::Instance::from_job_rows("parts", &[[3u32, 2], [1, 5], [4, 1]])?
///     .with_job_names(vec!["axle".into(), "wheel".into(), "frame".into()])?;
/// let solution = pfss::Solve::new(&instance).run()?;
/// assert_eq!((solution.makespan(), solution.bound(), solution.gap()), (9.into(), 9.into(), Some(0.0)));
/// assert_eq!(solution.job_labels(), ["wheel", "axle", "frame"]);
/// let first = solution.operations()?[0];
/// assert_eq!((first.job, first.machine, first.start, first.end), (1, 0, 0.into(), 1.into()));
/// assert!(solution.gantt_svg()?.starts_with("<svg"));
/// assert!(solution.to_json().starts_with(r#"{"schema":"pfss.result/1","instance":"parts""#));
/// # Ok::<(), pfss::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solution<'a> {
    shop: Shop<'a>,
    status: Status,
    record: ResultRecord,
}

impl<'a> Solution<'a> {
    pub(crate) fn new(shop: Shop<'a>, status: Status, record: ResultRecord) -> Self {
        Self { shop, status, record }
    }

    /// The jobs in order, counted from 0.
    pub fn order(&self) -> &[JobId] {
        &self.record.order
    }

    /// The jobs in order by their names, or by their numbers where they have none.
    pub fn job_labels(&self) -> Vec<String> {
        let label = |&job: &JobId| match self.shop {
            Shop::Integer(instance) => instance.job_label(job),
            Shop::Real(instance) => instance.job_label(job),
        };
        self.order().iter().map(label).collect()
    }

    /// When the last job is done.
    pub fn makespan(&self) -> TimeValue {
        self.record.makespan
    }

    /// No order is shorter than this.
    pub fn bound(&self) -> TimeValue {
        self.record.bound
    }

    /// `(makespan - bound) / bound`; `None` when the bound is zero and the makespan is not.
    pub fn gap(&self) -> Option<f64> {
        self.record.gap
    }

    /// Whether the order is proven optimal, or why the search ended.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Whether the bound proves that no order is shorter.
    pub fn is_optimal(&self) -> bool {
        self.status == Status::Optimal
    }

    /// How long it took.
    pub fn runtime(&self) -> Duration {
        Duration::from_secs_f64(self.record.runtime_s)
    }

    /// How many evaluations were made: full orders, or places of a job, that were priced.
    pub fn evaluations(&self) -> u64 {
        self.record.evaluations
    }

    /// The schedule: start and end of every operation, job by job in the order of processing.
    ///
    /// # Errors
    /// None for an order that was checked, as this one was.
    pub fn operations(&self) -> Result<Vec<Operation<TimeValue>>, Error> {
        match self.shop {
            Shop::Integer(instance) => operations(&self.schedule(instance)?),
            Shop::Real(instance) => operations(&self.schedule(instance)?),
        }
    }

    /// The schedule as a Gantt chart in SVG.
    ///
    /// # Errors
    /// [`Error::Render`] when there are too many machines to draw.
    pub fn gantt_svg(&self) -> Result<String, Error> {
        Ok(match self.shop {
            Shop::Integer(instance) => gantt_svg(instance, &self.schedule(instance)?, &self.options()),
            Shop::Real(instance) => gantt_svg(instance, &self.schedule(instance)?, &self.options()),
        }?)
    }

    /// The schedule as a Gantt chart in an HTML page that needs nothing else.
    ///
    /// # Errors
    /// [`Error::Render`] when there are too many machines or operations to draw.
    pub fn gantt_html(&self) -> Result<String, Error> {
        Ok(match self.shop {
            Shop::Integer(instance) => gantt_html(instance, &self.schedule(instance)?, &self.options()),
            Shop::Real(instance) => gantt_html(instance, &self.schedule(instance)?, &self.options()),
        }?)
    }

    /// The result with all that it depends on, as the command line writes it.
    pub fn record(&self) -> &ResultRecord {
        &self.record
    }

    /// The record as one line of JSON, schema `pfss.result/1`.
    pub fn to_json(&self) -> String {
        // Keys are texts and numbers are finite: nothing in a record has no JSON form.
        self.record.to_json().unwrap_or_default()
    }

    fn schedule<T: Time>(&self, instance: &Instance<T>) -> Result<Schedule<T>, Error> {
        Schedule::new(instance, self.order()).map_err(|error| Error::Wrong(error.into()))
    }

    fn options(&self) -> GanttOptions {
        GanttOptions { lower_bound: Some(self.bound().to_f64()), ..GanttOptions::default() }
    }
}

fn operations<T: Time>(schedule: &Schedule<T>) -> Result<Vec<Operation<TimeValue>>, Error> {
    let of_either_kind = |operation: Operation<T>| {
        let Operation { job, position, machine, start, end } = operation;
        Operation { job, position, machine, start: TimeValue::new(start), end: TimeValue::new(end) }
    };
    Ok(schedule.operations().map(of_either_kind).collect())
}
