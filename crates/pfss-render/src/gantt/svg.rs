//! The Gantt chart as one SVG picture.

use pfss_core::{Instance, Operation, Schedule, Time};

use crate::RenderError;
use crate::axis::linear_ticks;
use crate::colour::job_colour;
use crate::gantt::critical::critical_blocks;
use crate::gantt::layout::{Layout, NAME_LIMIT, NAME_SIZE};
use crate::gantt::merged::{MOST_BARS, draw_merged};
use crate::gantt::{GanttOptions, check, job_text, summary};
use crate::number::{coordinate, format_number};
use crate::svg::{Svg, fitted, text_width};

/// The font size of the names inside bars.
const INSIDE_SIZE: f64 = 11.0;

/// Draws a schedule as an SVG picture: one row per machine, one bar with a tooltip per operation that takes
/// time, the makespan as a line. Above 30,000 operations neighbouring bars are merged into pixels.
///
/// # Errors
/// [`RenderError::Mismatch`] for a schedule of another instance, [`RenderError::TooManyMachines`] above
/// 1,000 rows.
pub fn gantt_svg<T: Time>(
    instance: &Instance<T>,
    schedule: &Schedule<T>,
    options: &GanttOptions,
) -> Result<String, RenderError> {
    check(instance, schedule)?;
    let layout = Layout::new(instance, schedule, options);
    let heading = options.heading(instance);
    let makespan = format_number(schedule.makespan().to_f64());
    let description =
        format!("Gantt chart of {heading}: {}, makespan {makespan}", summary(instance, schedule));
    let mut svg = Svg::new(layout.width, layout.height, &description);
    let room = layout.right - 16.0;
    svg.label(16.0, 28.0, "title", &fitted(&heading, 16.0, room));
    let outlined = if options.show_critical_path { ", critical path outlined" } else { "" };
    let note = summary(instance, schedule) + outlined;
    svg.label(16.0, 48.0, "note", &fitted(&note, 12.0, room));
    draw_rows(&mut svg, instance, &layout);
    draw_axis::<T>(&mut svg, &layout);
    if schedule.order().len() * instance.num_machines() <= MOST_BARS {
        draw_bars(&mut svg, instance, schedule, &layout, options.show_labels);
    } else {
        draw_merged(&mut svg, &layout, instance.num_machines(), |machine| {
            (0..schedule.order().len()).map(move |position| {
                let operation = schedule.operation(position, machine);
                (operation.job, operation.start.to_f64(), operation.end.to_f64())
            })
        });
    }
    if options.show_critical_path {
        draw_critical_path(&mut svg, schedule, &layout);
    }
    draw_marks(&mut svg, schedule, &layout, options);
    Ok(svg.finish())
}

/// The machines' names and the ground that their bars stand on.
fn draw_rows<T: Time>(svg: &mut Svg, instance: &Instance<T>, layout: &Layout) {
    let stride = (NAME_SIZE / layout.pitch).ceil().max(1.0) as usize;
    for machine in 0..instance.num_machines() {
        let y = layout.row(machine);
        svg.element(
            "rect",
            &[
                ("class", "row".into()),
                ("x", layout.left.into()),
                ("y", y.into()),
                ("width", (layout.right - layout.left).into()),
                ("height", layout.bar.into()),
            ],
        );
        if machine % stride == 0 {
            let label = instance.machine_label(machine);
            let label = fitted(&label, NAME_SIZE, NAME_LIMIT);
            svg.label(layout.left - 10.0, y + layout.bar / 2.0 + 4.0, "name end", &label);
        }
    }
}

/// The time axis with its grid.
fn draw_axis<T: Time>(svg: &mut Svg, layout: &Layout) {
    let widest = text_width(&format_number(layout.horizon), 11.0);
    let target = ((layout.right - layout.left) / (widest + 40.0).max(80.0)).floor().max(1.0) as usize;
    let baseline = layout.bottom + 2.0;
    for tick in linear_ticks(0.0, layout.horizon, target, T::IS_INTEGER) {
        let x = layout.x(tick.value);
        svg.line((x, layout.top), (x, baseline + 5.0), "grid");
        svg.label(x, baseline + 18.0, "tick middle", &tick.label);
    }
    svg.line((layout.left, baseline), (layout.right, baseline), "axis");
    svg.label((layout.left + layout.right) / 2.0, baseline + 36.0, "note middle", "time");
}

/// One bar per operation that takes time, with its tooltip and, where it fits, its name.
fn draw_bars<T: Time>(
    svg: &mut Svg,
    instance: &Instance<T>,
    schedule: &Schedule<T>,
    layout: &Layout,
    show_labels: bool,
) {
    for machine in 0..instance.num_machines() {
        let transform = format!("translate(0 {})", coordinate(layout.row(machine)));
        svg.open("g", &[("transform", transform.into())]);
        for position in 0..schedule.order().len() {
            let operation = schedule.operation(position, machine);
            if operation.start < operation.end {
                draw_bar(svg, instance, &operation, layout, show_labels);
            }
        }
        svg.close("g");
    }
}

fn draw_bar<T: Time>(
    svg: &mut Svg,
    instance: &Instance<T>,
    operation: &Operation<T>,
    layout: &Layout,
    show_labels: bool,
) {
    let (start, end) = (operation.start.to_f64(), operation.end.to_f64());
    let (left, right) = (layout.x(start), layout.x(end));
    let full = right - left;
    // A sliver of ground between neighbours, but none between bars so thin that it would wash them out.
    let width = (full - (0.2 * (full - 2.0)).clamp(0.0, 1.0)).max(0.05);
    let title = format!(
        "{} on {}: {} to {}, duration {}",
        job_text(instance, operation.job),
        instance.machine_label(operation.machine),
        format_number(start),
        format_number(end),
        format_number(instance.time(operation.job, operation.machine).to_f64()),
    );
    svg.titled(
        "rect",
        &[
            ("x", left.into()),
            ("width", width.into()),
            ("height", layout.bar.into()),
            ("fill", job_colour(operation.job).to_string().into()),
        ],
        &title,
    );
    let label = instance.job_label(operation.job);
    if show_labels && layout.bar >= 13.0 && text_width(&label, INSIDE_SIZE) + 6.0 <= full {
        svg.label((left + right) / 2.0, layout.bar / 2.0 + 4.0, "inside", &label);
    }
}

/// Outlines around the blocks of the critical path, joined where a job moves on to the next machine.
fn draw_critical_path<T: Time>(svg: &mut Svg, schedule: &Schedule<T>, layout: &Layout) {
    let mut path = String::new();
    let mut previous_bottom = None;
    for block in critical_blocks(schedule) {
        let (left, right) = (coordinate(layout.x(block.start)), coordinate(layout.x(block.end)));
        let (top, bottom) = (layout.row(block.machine), layout.row(block.machine) + layout.bar);
        let (upper, lower) = (coordinate(top), coordinate(bottom));
        if let Some(from) = previous_bottom {
            path.push_str(&format!("M{left} {}V{upper}", coordinate(from)));
        }
        path.push_str(&format!("M{left} {upper}H{right}V{lower}H{left}Z"));
        previous_bottom = Some(bottom);
    }
    if !path.is_empty() {
        svg.element("path", &[("class", "critical".into()), ("d", path.into())]);
    }
}

/// The lines of the makespan and of the bound, each with its value on a text line of its own.
fn draw_marks<T: Time>(svg: &mut Svg, schedule: &Schedule<T>, layout: &Layout, options: &GanttOptions) {
    let makespan = schedule.makespan().to_f64();
    let mut marks = Vec::from_iter(options.bound().map(|bound| ("bound", "lower bound", bound)));
    marks.push(("makespan", "makespan", makespan));
    for (line, (class, name, value)) in marks.into_iter().rev().enumerate() {
        let x = layout.x(value);
        let y = 70.0 + 16.0 * line as f64;
        let text = format!("{name} {}", format_number(value));
        svg.line((x, y - 10.0), (x, layout.bottom + 2.0), class);
        let left_of_line = text_width(&text, 12.0) + 8.0 < x;
        let (x, anchor) = if left_of_line { (x - 6.0, " end") } else { (x + 6.0, "") };
        svg.label(x, y, &format!("{class}-text{anchor}"), &text);
    }
}
