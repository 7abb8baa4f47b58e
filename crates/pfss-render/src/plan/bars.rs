//! What stands on the rows of machines: set-ups, bars, blocked times, breaks.

use pfss_core::timing::TimedOperation;

use super::facts::Facts;
use crate::colour::job_colour;
use crate::gantt::layout::Layout;
use crate::number::format_number;
use crate::svg::{Svg, text_width};

/// The font size of the names inside bars.
const INSIDE_SIZE: f64 = 11.0;

/// Set-ups, bars, blocked times and breaks, machine by machine.
pub(super) fn draw_bars(svg: &mut Svg, facts: &Facts<'_>, layout: &Layout, show_labels: bool) {
    let last = facts.line.num_machines() - 1;
    for machine in 0..=last {
        for position in 0..facts.table.order().len() {
            let operation = facts.table.operation(position, machine);
            let is_late = machine == last && facts.lateness(position).is_some_and(|late| late > 0.0);
            draw_operation(svg, facts, layout, operation, is_late, show_labels);
        }
        let y = layout.row(machine);
        for &(from, to) in facts.line.breaks(machine) {
            let (from, to) = (facts.units(from), facts.units(to));
            let title = format!("break {} to {}", facts.moment(from), facts.moment(to));
            block(svg, layout, y, (from, to), "break", Some(&title));
        }
    }
}

fn draw_operation(
    svg: &mut Svg,
    facts: &Facts<'_>,
    layout: &Layout,
    operation: &TimedOperation,
    is_late: bool,
    show_labels: bool,
) {
    let y = layout.row(operation.machine);
    let units = |ticks| facts.units(ticks);
    if operation.setup_start < operation.setup_end {
        let (from, to) = (units(operation.setup_start), units(operation.setup_end));
        let job = facts.job_text(operation.job);
        let title = format!("set-up for {job}: {} to {}", facts.moment(from), facts.moment(to));
        block(svg, layout, y, (from, to), "setup", Some(&title));
    }
    if operation.start < operation.end {
        draw_bar(svg, facts, layout, operation, is_late, show_labels);
    }
    if operation.end < operation.departure {
        let (from, to) = (units(operation.end), units(operation.departure));
        let title =
            format!("{} waits on the machine until {}", facts.job_text(operation.job), facts.moment(to));
        block(svg, layout, y, (from, to), "blocked", Some(&title));
    }
}

fn draw_bar(
    svg: &mut Svg,
    facts: &Facts<'_>,
    layout: &Layout,
    operation: &TimedOperation,
    is_late: bool,
    show_labels: bool,
) {
    let (start, end) = (facts.units(operation.start), facts.units(operation.end));
    let (left, right) = (layout.x(start), layout.x(end));
    let full = right - left;
    // A sliver of ground between neighbours, but none between bars so thin that it would wash them out.
    let width = (full - (0.2 * (full - 2.0)).clamp(0.0, 1.0)).max(0.05);
    let shop = facts.line.shop();
    let title = format!(
        "{} on {}: {} to {}, duration {}{}",
        facts.job_text(operation.job),
        shop.machine_label(operation.machine),
        facts.moment(start),
        facts.moment(end),
        format_number(facts.units(shop.time(operation.job, operation.machine))),
        if is_late { ", late" } else { "" },
    );
    let y = layout.row(operation.machine);
    let place = [("x", left.into()), ("y", y.into()), ("width", width.into()), ("height", layout.bar.into())];
    let mut attributes = Vec::from(place);
    attributes.push(("fill", job_colour(operation.job).to_string().into()));
    svg.titled("rect", &attributes, &title);
    if is_late {
        let outline = [
            ("class", "late-bar".into()),
            ("x", (left + 1.1).into()),
            ("y", (y + 1.1).into()),
            ("width", (width - 2.2).max(0.5).into()),
            ("height", (layout.bar - 2.2).max(0.5).into()),
        ];
        svg.element("rect", &outline);
    }
    let name = shop.job_label(operation.job);
    let label = if is_late { format!("! {name}") } else { name };
    let fits = |text: &str| layout.bar >= 13.0 && text_width(text, INSIDE_SIZE) + 6.0 <= full;
    let shown = match (show_labels && fits(&label), is_late && fits("!")) {
        (true, _) => label.as_str(),
        // Late jobs are not told by colour alone.
        (false, true) => "!",
        (false, false) => return,
    };
    svg.label((left + right) / 2.0, y + layout.bar / 2.0 + 4.0, "inside", shown);
}

/// A stretch of time on a row, cut at the end of the axis.
pub(super) fn block(
    svg: &mut Svg,
    layout: &Layout,
    y: f64,
    (from, to): (f64, f64),
    class: &str,
    title: Option<&str>,
) {
    if from >= layout.horizon {
        return;
    }
    let (left, right) = (layout.x(from.max(0.0)), layout.x(to.min(layout.horizon)));
    let attributes = [
        ("class", class.into()),
        ("x", left.into()),
        ("y", y.into()),
        ("width", (right - left).into()),
        ("height", layout.bar.into()),
    ];
    match title {
        Some(title) => svg.titled("rect", &attributes, title),
        None => svg.element("rect", &attributes),
    }
}
