//! An order of a subject's jobs as everything that can be made of it: by the same code as on the command line.

use pfss_core::timing::Timetable;
use pfss_core::{Instance, JobId, Schedule, Time};
use pfss_io::schedule::ScheduleTable;
use pfss_io::{Clock, match_instance};
use pfss_render::{
    GanttOptions, PlanChart, PlanClock, RenderError, gantt_data, gantt_html, gantt_svg, plan_data, plan_html,
    plan_svg,
};

use crate::problem::{Problem, internal};

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
    fn plain<T: Time>(
        instance: &Instance<T>,
        order: &[JobId],
        clock: Option<&Clock>,
    ) -> Result<ScheduleTable, Problem> {
        let schedule = Schedule::new(instance, order).map_err(|error| refused(&error))?;
        Ok(ScheduleTable::new(instance, &schedule, clock))
    }
    match subject.line() {
        Some(line) => {
            let timetable = Timetable::new(line, order).map_err(|error| refused(&error))?;
            Ok(ScheduleTable::of_plan(line, &timetable, subject.clock()))
        }
        None => match_instance!(&subject.entry.instance, instance => plain(instance, order, subject.clock())),
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
    let clock = subject.clock().map(|clock| PlanClock {
        seconds_per_unit: clock.unit().seconds(),
        start_of_day: clock.seconds_of_day(),
        date: Box::new(move |units| clock.date(units)),
    });
    let drawn = match picture {
        Picture::Svg => plan_svg(line, &timetable, clock.as_ref(), &options),
        Picture::Html => plan_html(line, &timetable, clock.as_ref(), &options),
        Picture::Data => plan_data(line, &timetable, clock.as_ref(), &options),
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
