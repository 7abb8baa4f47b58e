//! Charts of schedules, as `pfss plot gantt` and `pfss solve --gantt` draw them.

use pfss_core::timing::{Line, Timetable};
use pfss_core::{Instance, JobId, Schedule, Time};
use pfss_io::Clock;
use pfss_render::{GanttOptions, PlanChart, PlanClock, gantt_html, gantt_svg, plan_html, plan_svg};

use crate::output::Picture;

/// The chart of an order.
pub(super) fn draw_gantt<T: Time>(
    instance: &Instance<T>,
    order: &[JobId],
    picture: Picture,
    options: &GanttOptions,
) -> anyhow::Result<String> {
    let schedule = Schedule::new(instance, order)?;
    Ok(match picture {
        Picture::Svg => gantt_svg(instance, &schedule, options)?,
        Picture::Html => gantt_html(instance, &schedule, options)?,
    })
}

/// The chart of an order of jobs that carry more than times, or whose times are dates.
pub(super) fn draw_plan(
    line: &Line,
    table: &Timetable,
    clock: Option<&Clock>,
    picture: Picture,
    options: &PlanChart,
) -> anyhow::Result<String> {
    let clock = clock.map(|clock| {
        let (unit, start) = (clock.unit().seconds(), clock.seconds_of_day());
        PlanClock {
            seconds_per_unit: unit,
            start_of_day: start,
            date: Box::new(move |units| clock.date(units)),
        }
    });
    Ok(match picture {
        Picture::Svg => plan_svg(line, table, clock.as_ref(), options)?,
        Picture::Html => plan_html(line, table, clock.as_ref(), options)?,
    })
}
