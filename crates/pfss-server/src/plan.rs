//! An order of a subject's jobs as everything that can be made of it: by the same code as on the command line.

use pfss_core::timing::Timetable;
use pfss_core::{Instance, JobId, Schedule, Time};
use pfss_io::match_instance;
use pfss_io::schedule::ScheduleTable;
use pfss_render::{
    GanttOptions, PlanChart, RenderError, gantt_data, gantt_html, gantt_svg, plan_data, plan_html, plan_svg,
};

use crate::problem::Problem;
use crate::respond::internal;
use crate::subject::Subject;

/// How a schedule is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Picture {
    /// An SVG picture.
    Svg,
    /// One HTML page.
    Html,
    /// What the page's script draws.
    Data,
}

fn refused(error: &dyn std::fmt::Display) -> Problem {
    Problem::refused(format!("order: {error}"))
}

/// The schedule of an order as a table.
pub(crate) fn table(subject: &Subject, order: &[JobId]) -> Result<ScheduleTable, Problem> {
    fn plain<T: Time>(instance: &Instance<T>, order: &[JobId]) -> Result<ScheduleTable, Problem> {
        let schedule = Schedule::new(instance, order).map_err(|error| refused(&error))?;
        Ok(ScheduleTable::new(instance, &schedule, None))
    }
    match subject.line() {
        Some(line) => {
            let timetable = Timetable::new(line, order).map_err(|error| refused(&error))?;
            Ok(ScheduleTable::of_plan(line, &timetable, None))
        }
        None => match_instance!(&subject.entry.instance, instance => plain(instance, order)),
    }
}

/// The chart of an order.
pub(crate) fn draw(
    subject: &Subject,
    order: &[JobId],
    picture: Picture,
    bound: Option<f64>,
) -> Result<String, Problem> {
    let Some(line) = subject.line() else {
        return match_instance!(&subject.entry.instance, instance => draw_plain(instance, order, picture, bound));
    };
    let timetable = Timetable::new(line, order).map_err(|error| refused(&error))?;
    let options = PlanChart::default();
    let drawn = match picture {
        Picture::Svg => plan_svg(line, &timetable, None, &options),
        Picture::Html => plan_html(line, &timetable, None, &options),
        Picture::Data => plan_data(line, &timetable, None, &options),
    };
    drawn.map_err(too_much)
}

fn draw_plain<T: Time>(
    instance: &Instance<T>,
    order: &[JobId],
    picture: Picture,
    bound: Option<f64>,
) -> Result<String, Problem> {
    let schedule = Schedule::new(instance, order).map_err(|error| refused(&error))?;
    let options = GanttOptions { lower_bound: bound, ..GanttOptions::default() };
    let drawn = match picture {
        Picture::Svg => gantt_svg(instance, &schedule, &options),
        Picture::Html => gantt_html(instance, &schedule, &options),
        Picture::Data => gantt_data(instance, &schedule, &options),
    };
    drawn.map_err(too_much)
}

fn too_much(error: RenderError) -> Problem {
    match error {
        RenderError::TooManyMachines { .. } | RenderError::TooManyOperations { .. } => {
            Problem::refused(error.to_string())
        }
        other => internal(&other),
    }
}
