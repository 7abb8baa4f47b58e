//! The chart as one SVG picture.

use pfss_core::timing::{Line, Timetable};

use super::axis::ticks;
use super::bars::{block, draw_bars};
use super::facts::Facts;
use super::legend::{self, Sign};
use super::marks::Lanes;
use super::{PlanChart, PlanClock};
use crate::RenderError;
use crate::gantt::check_rows;
use crate::gantt::layout::{Layout, NAME_LIMIT, NAME_SIZE};
use crate::gantt::merged::{MOST_BARS, draw_merged};
use crate::number::format_number;
use crate::svg::{Svg, fitted, text_width};

/// The look of what only charts of plans have.
const STYLE: &str = include_str!("plan.css");
/// Where the first row begins.
const TOP: f64 = 78.0;

/// Draws a schedule as an SVG picture: set-ups hatched, breaks grey, jobs that cannot leave a machine outlined, due dates as
/// diamonds below the machines, late jobs with an exclamation mark, an outline and a line from due date to end.
///
/// # Errors
/// [`RenderError::TooManyMachines`] above 1,000 rows.
pub fn plan_svg(
    line: &Line,
    table: &Timetable,
    clock: Option<&PlanClock<'_>>,
    options: &PlanChart,
) -> Result<String, RenderError> {
    check_rows(line.num_machines())?;
    let facts = Facts { line, table, clock };
    let names = (0..line.num_machines()).map(|machine| line.shop().machine_label(machine));
    let mut layout = Layout::of(names, options.width, TOP, facts.horizon());
    // Room for "no buffer" and "late".
    layout.left = layout.left.max(78.0);
    let lanes = Lanes::new(&facts, &layout);
    let signs = signs(&facts);
    let axis = layout.bottom + lanes.height();
    let days = if clock.is_some() { 14.0 } else { 0.0 };
    layout.height = axis + 50.0 + days + if signs.is_empty() { 0.0 } else { 24.0 };
    let heading = facts.heading(options);
    let description = format!("Gantt chart of {heading}: {}", facts.summary());
    let mut svg = Svg::new(layout.width, layout.height, &description);
    svg.style(STYLE);
    define_hatching(&mut svg);
    let room = layout.right - 16.0;
    svg.label(16.0, 28.0, "title", &fitted(&heading, 16.0, room));
    svg.label(16.0, 48.0, "note", &fitted(&facts.summary(), 12.0, room));
    draw_rows(&mut svg, &facts, &layout);
    draw_axis(&mut svg, &facts, &layout, axis);
    if table.operations().len() <= MOST_BARS {
        draw_bars(&mut svg, &facts, &layout, options.show_labels);
    } else {
        draw_merged(&mut svg, &layout, line.num_machines(), |machine| facts.stretches(machine));
    }
    lanes.draw(&mut svg, &facts, &layout, layout.bottom + 4.0);
    draw_makespan(&mut svg, &facts, &layout, axis);
    legend::draw(&mut svg, &signs, layout.left, layout.height - 10.0);
    Ok(svg.finish())
}

fn define_hatching(svg: &mut Svg) {
    svg.open("defs", &[]);
    svg.open(
        "pattern",
        &[
            ("id", "pfss-setup".into()),
            ("width", 6.0.into()),
            ("height", 6.0.into()),
            ("patternUnits", "userSpaceOnUse".into()),
            ("patternTransform", "rotate(45)".into()),
        ],
    );
    svg.line((0.0, 0.0), (0.0, 6.0), "hatch");
    svg.close("pattern");
    svg.close("defs");
}

/// The signs that the chart uses.
fn signs(facts: &Facts<'_>) -> Vec<Sign> {
    let operations = || facts.table.operations().iter();
    let machines = 0..facts.line.num_machines();
    let used = [
        (Sign::Setup, operations().any(|one| one.setup_start < one.setup_end)),
        (Sign::Break, machines.clone().any(|machine| !facts.line.breaks(machine).is_empty())),
        (Sign::Closed, machines.clone().any(|machine| facts.line.available_from(machine) > 0)),
        (Sign::Blocked, operations().any(|one| one.departure > one.end)),
        (Sign::Due, facts.num_due() > 0),
        (Sign::Late, facts.num_late() > 0),
    ];
    used.into_iter().filter(|(_, is_used)| *is_used).map(|(sign, _)| sign).collect()
}

/// The machines' names, what lies behind them, and the ground that their bars stand on.
fn draw_rows(svg: &mut Svg, facts: &Facts<'_>, layout: &Layout) {
    let stride = (NAME_SIZE / layout.pitch).ceil().max(1.0) as usize;
    for machine in 0..facts.line.num_machines() {
        let y = layout.row(machine);
        block(svg, layout, y, (0.0, layout.horizon), "row", None);
        let available = facts.units(facts.line.available_from(machine));
        if available > 0.0 {
            let title = format!("available from {}", facts.moment(available));
            block(svg, layout, y, (0.0, available), "closed", Some(&title));
        }
        if machine % stride == 0 {
            let label = facts.line.shop().machine_label(machine);
            let label = fitted(&label, NAME_SIZE, NAME_LIMIT);
            svg.label(layout.left - 10.0, y + layout.bar / 2.0 + 4.0, "name end", &label);
        }
        let gap = facts.gap_text(machine).filter(|_| layout.pitch >= 30.0);
        if let Some(text) = gap {
            svg.label(layout.left - 10.0, y + layout.bar + 3.0, "place end", &text);
        }
    }
}

/// The time axis with its grid; with a clock, times of day and a line of dates.
fn draw_axis(svg: &mut Svg, facts: &Facts<'_>, layout: &Layout, axis: f64) {
    let widest = if facts.clock.is_some() { 66.0 } else { text_width(&format_number(layout.horizon), 11.0) };
    let target = ((layout.right - layout.left) / (widest + 40.0).max(80.0)).floor().max(1.0) as usize;
    let is_whole = facts.line.ticks_per_unit() == 1.0;
    let baseline = axis + 2.0;
    for tick in ticks(layout.horizon, target, is_whole, facts.clock) {
        let x = layout.x(tick.value);
        svg.line((x, layout.top), (x, baseline + 5.0), "grid");
        svg.label(x, baseline + 18.0, "tick middle", &tick.label);
        if let Some(day) = tick.day {
            svg.label(x, baseline + 32.0, "tick middle", &day);
        }
    }
    svg.line((layout.left, baseline), (layout.right, baseline), "axis");
    if facts.clock.is_none() {
        svg.label((layout.left + layout.right) / 2.0, baseline + 36.0, "note middle", "time");
    }
}

/// The line of the makespan with its value.
fn draw_makespan(svg: &mut Svg, facts: &Facts<'_>, layout: &Layout, axis: f64) {
    let makespan = facts.makespan();
    let x = layout.x(makespan);
    let text = match facts.clock {
        Some(_) => format!("done {}", facts.moment(makespan)),
        None => format!("makespan {}", format_number(makespan)),
    };
    svg.line((x, 60.0), (x, axis + 2.0), "makespan");
    let left_of_line = text_width(&text, 12.0) + 8.0 < x;
    let (x, anchor) = if left_of_line { (x - 6.0, " end") } else { (x + 6.0, "") };
    svg.label(x, 70.0, &format!("makespan-text{anchor}"), &text);
}
