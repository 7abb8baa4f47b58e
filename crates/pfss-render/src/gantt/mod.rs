//! Gantt charts: machines as rows, operations as bars, time from left to right.

mod aggregate;
mod critical;
pub(crate) mod html;
pub(crate) mod layout;
pub(crate) mod merged;
mod svg;

pub use html::{GANTT_BODY, GANTT_SCRIPT, gantt_data, gantt_html, gantt_html_script};
pub use svg::gantt_svg;

use pfss_core::{Instance, JobId, Schedule, Time};

use crate::RenderError;

/// The most machines that a chart shows as rows.
const MOST_MACHINES: usize = 1000;

/// How a Gantt chart looks.
#[derive(Clone, Debug, PartialEq)]
pub struct GanttOptions {
    /// The heading; the instance's name when absent.
    pub title: Option<String>,
    /// The width of the SVG in pixels (320 to 20,000). The HTML page follows its window instead.
    pub width: u32,
    /// Whether bars show their job where it fits.
    pub show_labels: bool,
    /// Whether one critical path is outlined.
    pub show_critical_path: bool,
    /// A proven lower bound on the makespan, drawn as a dashed line.
    pub lower_bound: Option<f64>,
}

impl Default for GanttOptions {
    fn default() -> Self {
        Self { title: None, width: 1200, show_labels: true, show_critical_path: true, lower_bound: None }
    }
}

impl GanttOptions {
    /// The heading of a chart of this instance.
    fn heading<T: Time>(&self, instance: &Instance<T>) -> String {
        match &self.title {
            Some(title) => title.clone(),
            None if instance.name().is_empty() => "Schedule".to_owned(),
            None => instance.name().to_owned(),
        }
    }

    /// The bound, where it can be drawn.
    fn bound(&self) -> Option<f64> {
        self.lower_bound.filter(|bound| bound.is_finite() && *bound >= 0.0)
    }
}

/// Refuses schedules of other instances and charts with too many rows.
fn check<T: Time>(instance: &Instance<T>, schedule: &Schedule<T>) -> Result<(), RenderError> {
    let (found, expected) = (schedule.num_machines(), instance.num_machines());
    if found != expected {
        let reason = format!("it has {found} machines, the instance {expected}");
        return Err(RenderError::Mismatch { reason });
    }
    if let Some(job) = schedule.order().iter().find(|&&job| job as usize >= instance.num_jobs()) {
        let reason = format!("it holds job {job}, the instance has {} jobs", instance.num_jobs());
        return Err(RenderError::Mismatch { reason });
    }
    check_rows(found)
}

/// Refuses charts with too many rows.
pub(crate) fn check_rows(num_machines: usize) -> Result<(), RenderError> {
    if num_machines > MOST_MACHINES {
        return Err(RenderError::TooManyMachines { found: num_machines, limit: MOST_MACHINES });
    }
    Ok(())
}

/// A job's name, or "job" and its number where it has none.
fn job_text<T: Time>(instance: &Instance<T>, job: JobId) -> String {
    let label = instance.job_label(job);
    if instance.job_names().is_some() { label } else { format!("job {label}") }
}

/// What the chart shows, in one line below its heading.
fn summary<T: Time>(instance: &Instance<T>, schedule: &Schedule<T>) -> String {
    let counted = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let jobs = counted(schedule.order().len(), "job");
    format!("{jobs} on {}", counted(instance.num_machines(), "machine"))
}
