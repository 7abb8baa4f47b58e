//! The chart as one HTML page that can be zoomed, searched and read with the keyboard.

use std::fmt::Write;

use pfss_core::timing::{Line, TimedOperation, Timetable};

use super::facts::Facts;
use super::{PlanChart, PlanClock};
use crate::RenderError;
use crate::colour::job_colour;
use crate::gantt::check_rows;
use crate::gantt::html::{MOST_OPERATIONS, array, page};
use crate::number::{exact, format_number};
use crate::page::script_string;
use crate::svg::escape;

/// Draws a schedule as one HTML page that loads nothing, as [`gantt_html`](crate::gantt_html) does, with set-ups hatched,
/// breaks grey, blocked machines outlined, due dates and late jobs marked.
///
/// # Errors
/// [`RenderError::TooManyMachines`] above 1,000 rows, [`RenderError::TooManyOperations`] above a million operations.
pub fn plan_html(
    line: &Line,
    table: &Timetable,
    clock: Option<&PlanClock<'_>>,
    options: &PlanChart,
) -> Result<String, RenderError> {
    let data = plan_data(line, table, clock, options)?;
    let facts = Facts { line, table, clock };
    let heading = escape(&facts.heading(options)).into_owned();
    let makespan = facts.makespan();
    let end = match clock {
        Some(_) => format!("done <b>{}</b>", escape(&facts.moment(makespan))),
        None => format!("makespan <b>{}</b>", format_number(makespan)),
    };
    let summary = escape(&facts.summary()).into_owned();
    let told = format!("<p class=\"facts\"><span>{summary}</span> <span>{end}</span></p>\n");
    Ok(page(&heading, &told, &data))
}

/// Everything that the chart's script draws, as JSON.
///
/// # Errors
/// As [`plan_html`].
pub fn plan_data(
    line: &Line,
    table: &Timetable,
    clock: Option<&PlanClock<'_>>,
    options: &PlanChart,
) -> Result<String, RenderError> {
    check_rows(line.num_machines())?;
    let found = table.operations().len();
    if found > MOST_OPERATIONS {
        return Err(RenderError::TooManyOperations { found, limit: MOST_OPERATIONS });
    }
    Ok(data(&Facts { line, table, clock }, options))
}

/// Everything that the script draws, as JSON.
fn data(facts: &Facts<'_>, options: &PlanChart) -> String {
    let (line, table) = (facts.line, facts.table);
    let (order, shop) = (table.order(), line.shop());
    let machines = 0..line.num_machines();
    let by_operation = |value: &dyn Fn(&TimedOperation) -> f64| {
        array(machines.clone().map(|machine| {
            array((0..order.len()).map(|position| exact(value(table.operation(position, machine)))))
        }))
    };
    let colours = order.iter().fold(String::new(), |mut text, &job| {
        let _ = write!(text, "{}", job_colour(job));
        text
    });
    format!(
        "{{\"named\":{},\"integer\":{},\"labels\":{},\"showCritical\":false,\"makespan\":{},\"bound\":null,\n\
         \"machines\":{},\n\"jobs\":{},\n\"colours\":\"{colours}\",\n\"critical\":[],\n\
         \"starts\":{},\n\"durations\":{},\n\"plan\":{}}}",
        shop.job_names().is_some(),
        line.ticks_per_unit() == 1.0,
        options.show_labels,
        exact(facts.makespan()),
        array(machines.clone().map(|machine| script_string(&shop.machine_label(machine)))),
        array(order.iter().map(|&job| script_string(&shop.job_label(job)))),
        by_operation(&|one| facts.units(one.start)),
        by_operation(&|one| facts.units(one.end) - facts.units(one.start)),
        plan(facts, &by_operation(&|one| facts.units(shop.time(one.job, one.machine)))),
    )
}

/// What a plan has beyond times; `work` are the processing times.
fn plan(facts: &Facts<'_>, work: &str) -> String {
    let (line, table) = (facts.line, facts.table);
    let machines = 0..line.num_machines();
    let stretch = |from: u32, to: u32| format!("[{},{}]", exact(facts.units(from)), exact(facts.units(to)));
    let stretches = |of: &dyn Fn(&TimedOperation) -> (u32, u32)| {
        array(machines.clone().map(|machine| {
            let operations = (0..table.order().len()).map(|position| of(table.operation(position, machine)));
            array(operations.filter(|(from, to)| from < to).map(|(from, to)| stretch(from, to)))
        }))
    };
    let breaks = array(
        machines
            .clone()
            .map(|machine| array(line.breaks(machine).iter().map(|&(from, to)| stretch(from, to)))),
    );
    let gaps = machines.clone().map(|machine| {
        facts.gap_text(machine).map_or_else(|| "null".to_owned(), |text| script_string(&text))
    });
    let due = match facts.num_due() {
        0 => "null".to_owned(),
        _ => array(
            table
                .order()
                .iter()
                .map(|&job| line.due(job).map_or_else(|| "null".to_owned(), |due| exact(facts.signed(due)))),
        ),
    };
    let clock = facts.clock.map_or_else(
        || "null".to_owned(),
        |clock| {
            let start = script_string(&(clock.date)(0.0));
            format!("{{\"start\":{start},\"unit\":{}}}", exact(clock.seconds_per_unit))
        },
    );
    format!(
        "{{\"horizon\":{},\"setups\":{},\"blocked\":{},\"breaks\":{breaks},\"available\":{},\"gaps\":{},\n\
         \"work\":{work},\n\"due\":{due},\"clock\":{clock}}}",
        exact(facts.horizon()),
        stretches(&|one| (one.setup_start, one.setup_end)),
        stretches(&|one| (one.end, one.departure)),
        array(machines.clone().map(|machine| exact(facts.units(line.available_from(machine))))),
        array(gaps),
    )
}
