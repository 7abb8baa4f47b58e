//! The Gantt chart as one HTML page that can be zoomed, searched and read with the keyboard.

use std::fmt::Write;

use pfss_core::{Instance, Schedule, Time};

use crate::RenderError;
use crate::colour::job_colour;
use crate::gantt::critical::critical_blocks;
use crate::gantt::{GanttOptions, check, summary};
use crate::number::{exact, format_number};
use crate::page::{CONTENT_POLICY, script_string};
use crate::svg::escape;

/// The most operations that a page embeds (about ten megabytes of integers).
pub(crate) const MOST_OPERATIONS: usize = 1_000_000;

const STYLE: &str = include_str!("page.css");
const BODY: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("page.js");
const START: &str = "ganttChart(JSON.parse(document.getElementById(\"data\").textContent));\n";

/// The script of the chart, for pages that show it among other things: a function `ganttChart(data, prefix)` that draws
/// [`gantt_data`] into the elements of [`GANTT_BODY`], whose ids begin with `prefix`, and gives back `update(data)`.
pub const GANTT_SCRIPT: &str = SCRIPT;
/// The elements that the script draws into.
pub const GANTT_BODY: &str = BODY;

/// The scripts of a page of [`gantt_html`], by whose fingerprints a policy can allow them.
pub fn gantt_html_script() -> String {
    format!("\n{SCRIPT}{START}")
}

/// Draws a schedule as one HTML page that loads nothing: bars with tooltips, zoom and pan along time by
/// wheel, pinch, drag and keys, a search for jobs, light and dark colours as the reader's system has them.
///
/// # Errors
/// [`RenderError::Mismatch`] for a schedule of another instance, [`RenderError::TooManyMachines`] above
/// 1,000 rows, [`RenderError::TooManyOperations`] above a million operations.
pub fn gantt_html<T: Time>(
    instance: &Instance<T>,
    schedule: &Schedule<T>,
    options: &GanttOptions,
) -> Result<String, RenderError> {
    let data = gantt_data(instance, schedule, options)?;
    let heading = escape(&options.heading(instance)).into_owned();
    let facts = facts(instance, schedule, options);
    Ok(page(&heading, &facts, &data))
}

/// A page with this heading (escaped), facts and data.
pub(crate) fn page(heading: &str, facts: &str, data: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{CONTENT_POLICY}\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{heading}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{heading}</h1>\n{facts}</header>\n{BODY}\
         <script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n{SCRIPT}{START}</script>\n\
         </body>\n</html>\n"
    )
}

/// Everything that the chart's script draws, as JSON.
///
/// # Errors
/// As [`gantt_html`].
pub fn gantt_data<T: Time>(
    instance: &Instance<T>,
    schedule: &Schedule<T>,
    options: &GanttOptions,
) -> Result<String, RenderError> {
    check(instance, schedule)?;
    let found = schedule.order().len() * instance.num_machines();
    if found > MOST_OPERATIONS {
        return Err(RenderError::TooManyOperations { found, limit: MOST_OPERATIONS });
    }
    Ok(data(instance, schedule, options))
}

/// The numbers below the heading.
fn facts<T: Time>(instance: &Instance<T>, schedule: &Schedule<T>, options: &GanttOptions) -> String {
    let makespan = schedule.makespan().to_f64();
    let mut facts = format!("<p class=\"facts\"><span>{}</span>", summary(instance, schedule));
    let mut fact = |name: &str, value: String| {
        facts.push_str(&format!(" <span>{name} <b>{value}</b></span>"));
    };
    fact("makespan", format_number(makespan));
    if let Some(bound) = options.bound() {
        fact("lower bound", format_number(bound));
        if bound > 0.0 && makespan >= bound {
            fact("gap", format!("{:.2} %", 100.0 * (makespan - bound) / bound));
        }
    }
    if makespan > 0.0 {
        let work: f64 = schedule.order().iter().map(|&job| instance.total_time(job).to_f64()).sum();
        let share = work / makespan / instance.num_machines() as f64;
        fact("machines busy", format!("{:.1} %", 100.0 * share));
    }
    facts + "</p>\n"
}

/// Everything that the script draws, as JSON; starts and durations machine by machine.
fn data<T: Time>(instance: &Instance<T>, schedule: &Schedule<T>, options: &GanttOptions) -> String {
    let order = schedule.order();
    let machines = 0..instance.num_machines();
    let starts = machines.clone().map(|machine| {
        array((0..order.len()).map(|position| exact(schedule.operation(position, machine).start.to_f64())))
    });
    let durations = machines
        .clone()
        .map(|machine| array(order.iter().map(|&job| exact(instance.time(job, machine).to_f64()))));
    let critical = critical_blocks(schedule)
        .into_iter()
        .map(|block| format!("[{},{},{}]", block.machine, exact(block.start), exact(block.end)));
    let colours = order.iter().fold(String::new(), |mut text, &job| {
        let _ = write!(text, "{}", job_colour(job));
        text
    });
    format!(
        "{{\"named\":{},\"integer\":{},\"labels\":{},\"showCritical\":{},\"makespan\":{},\"bound\":{},\n\
         \"machines\":{},\n\"jobs\":{},\n\"colours\":\"{colours}\",\n\"critical\":{},\n\
         \"starts\":{},\n\"durations\":{}}}",
        instance.job_names().is_some(),
        T::IS_INTEGER,
        options.show_labels,
        options.show_critical_path,
        exact(schedule.makespan().to_f64()),
        options.bound().map_or_else(|| "null".to_owned(), exact),
        array(machines.map(|i| script_string(&instance.machine_label(i)))),
        array(order.iter().map(|&job| script_string(&instance.job_label(job)))),
        array(critical),
        array(starts),
        array(durations),
    )
}

/// A JSON array of ready-made values.
pub(crate) fn array(values: impl Iterator<Item = String>) -> String {
    let mut text = String::from("[");
    for (index, value) in values.enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(&value);
    }
    text.push(']');
    text
}
