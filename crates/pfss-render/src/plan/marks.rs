//! Due dates and late jobs, in rows of their own below the machines.

use super::facts::Facts;
use super::legend::diamond;
use crate::gantt::layout::Layout;
use crate::svg::{Svg, text_width};

/// The height of a row of marks.
const LANE: f64 = 16.0;
/// The most rows of late jobs; further ones share the last.
const MOST_LANES: usize = 8;

/// The font size of the names of late jobs.
const LABEL_SIZE: f64 = 10.5;
/// The room around such a name.
const LABEL_GAP: f64 = 14.0;

/// Which row each late job's line stands in.
pub(super) struct Lanes {
    /// The position of a late job and its row.
    late: Vec<(usize, usize)>,
    has_due: bool,
}

impl Lanes {
    /// Rows such that lines do not overlap, as long as there are rows.
    pub(super) fn new(facts: &Facts<'_>, layout: &Layout) -> Self {
        let mut ends: Vec<f64> = Vec::new();
        let mut late = Vec::new();
        for position in 0..facts.table.order().len() {
            let Some((from, to)) = late_line(facts, layout, position) else { continue };
            let room = label_width(facts, position) + LABEL_GAP;
            let (begin, end) =
                if fits_behind(layout, to, room) { (from, to + room) } else { (from - room, to) };
            let free = ends.iter().position(|&taken| taken <= begin - 8.0);
            let lane = free.unwrap_or_else(|| ends.len().min(MOST_LANES - 1));
            match ends.get_mut(lane) {
                Some(taken) => *taken = taken.max(end),
                None => ends.push(end),
            }
            late.push((position, lane));
        }
        Self { late, has_due: facts.num_due() > 0 }
    }

    /// How high the rows are together.
    pub(super) fn height(&self) -> f64 {
        let late = self.late.iter().map(|(_, lane)| lane + 1).max().unwrap_or(0);
        if self.has_due { LANE * (1 + late) as f64 + 6.0 } else { 0.0 }
    }

    /// Draws the due dates in the first row, and for each late job a line from its due date to its end.
    pub(super) fn draw(&self, svg: &mut Svg, facts: &Facts<'_>, layout: &Layout, top: f64) {
        if !self.has_due {
            return;
        }
        let y = top + LANE / 2.0;
        svg.label(layout.left - 10.0, y + 4.0, "name end", "due");
        for (position, &job) in facts.table.order().iter().enumerate() {
            let Some(due) = facts.line.due(job).map(|due| facts.signed(due)) else { continue };
            let is_late = facts.lateness(position).is_some_and(|late| late > 0.0);
            let class = if is_late { "late" } else { "due" };
            diamond(svg, clamped(layout, due), y, class, Some(&told(facts, position)));
        }
        if !self.late.is_empty() {
            svg.label(layout.left - 10.0, y + LANE + 4.0, "late-text end", "late");
        }
        for &(position, lane) in &self.late {
            let Some((from, to)) = late_line(facts, layout, position) else { continue };
            let y = y + LANE * (lane + 1) as f64;
            svg.line((from, y), (to, y), "late-line");
            svg.line((to, y - 4.0), (to, y + 4.0), "late-line");
            diamond(svg, from, y, "late", Some(&told(facts, position)));
            let label = label(facts, position);
            if fits_behind(layout, to, label_width(facts, position) + LABEL_GAP) {
                svg.label(to + 5.0, y + 3.5, "late-text", &label);
            } else {
                svg.label(from - 8.0, y + 3.5, "late-text end", &label);
            }
        }
    }
}

/// Whether a label has room behind the end of its line.
fn fits_behind(layout: &Layout, end: f64, room: f64) -> bool {
    end + room <= layout.width
}

fn label_width(facts: &Facts<'_>, position: usize) -> f64 {
    text_width(&label(facts, position), LABEL_SIZE)
}

/// Where the line of a late job begins and ends.
fn late_line(facts: &Facts<'_>, layout: &Layout, position: usize) -> Option<(f64, f64)> {
    let late = facts.lateness(position).filter(|late| *late > 0.0)?;
    let end = facts.units(facts.table.operation(position, facts.table.num_machines() - 1).end);
    Some((clamped(layout, end - late), layout.x(end)))
}

/// Where a time stands, or the nearest end of the axis.
fn clamped(layout: &Layout, time: f64) -> f64 {
    layout.x(time.clamp(0.0, layout.horizon))
}

fn label(facts: &Facts<'_>, position: usize) -> String {
    let job = facts.table.order()[position];
    let late = facts.lateness(position).unwrap_or(0.0);
    format!("{} +{}", facts.line.shop().job_label(job), crate::number::format_number(late))
}

/// A job's due date and end in words.
fn told(facts: &Facts<'_>, position: usize) -> String {
    let job = facts.table.order()[position];
    let end = facts.units(facts.table.operation(position, facts.table.num_machines() - 1).end);
    let due = facts.line.due(job).map_or(0.0, |due| facts.signed(due));
    let late = facts.lateness(position).unwrap_or(0.0);
    let verdict = if late > 0.0 {
        format!("late by {}", crate::number::format_number(late))
    } else {
        "in time".to_owned()
    };
    format!("{}: due {}, done {}, {verdict}", facts.job_text(job), facts.moment(due), facts.moment(end))
}
