//! Gantt charts of schedules with set-ups, breaks, blocked machines and due dates.

mod axis;
mod bars;
mod facts;
mod html;
mod legend;
mod marks;
mod svg;

pub use html::{plan_data, plan_html};
pub use svg::plan_svg;

/// How a chart looks.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanChart {
    /// The heading; the instance's name when absent.
    pub title: Option<String>,
    /// The width of the SVG in pixels (320 to 20,000). The HTML page follows its window instead.
    pub width: u32,
    /// Whether bars show their job where it fits.
    pub show_labels: bool,
}

impl Default for PlanChart {
    fn default() -> Self {
        Self { title: None, width: 1200, show_labels: true }
    }
}

/// What turns units of time into dates.
pub struct PlanClock<'a> {
    /// How long a unit is.
    pub seconds_per_unit: f64,
    /// Seconds from midnight to time zero.
    pub start_of_day: f64,
    /// The date of a number of units, as `2026-11-16T06:00`.
    pub date: Box<dyn Fn(f64) -> String + 'a>,
}
