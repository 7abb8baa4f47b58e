//! Where things stand in a Gantt chart.

use pfss_core::{Instance, MachineId, Schedule, Time};

use crate::gantt::GanttOptions;
use crate::svg::text_width;

/// The font size of machine names.
pub(crate) const NAME_SIZE: f64 = 12.0;
/// The widest a machine name gets before it is cut.
pub(crate) const NAME_LIMIT: f64 = 170.0;
/// The height that rows share before they reach their smallest or largest height.
const ROWS_HEIGHT: f64 = 560.0;

/// Positions of rows and times.
pub(crate) struct Layout {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// Where time zero stands.
    pub(crate) left: f64,
    /// Where the axis ends.
    pub(crate) right: f64,
    /// Where the first row begins.
    pub(crate) top: f64,
    /// Where the last row ends.
    pub(crate) bottom: f64,
    /// From one row to the next.
    pub(crate) pitch: f64,
    /// The height of a bar.
    pub(crate) bar: f64,
    /// The time at the right end of the axis.
    pub(crate) horizon: f64,
}

impl Layout {
    pub(super) fn new<T: Time>(
        instance: &Instance<T>,
        schedule: &Schedule<T>,
        options: &GanttOptions,
    ) -> Self {
        let names = (0..instance.num_machines()).map(|machine| instance.machine_label(machine));
        let top = if options.bound().is_some() { 94.0 } else { 78.0 };
        let last = schedule.makespan().to_f64().max(options.bound().unwrap_or(0.0));
        Self::of(names, options.width, top, last)
    }

    /// Rows with these names from `top` on, and time from zero to `last`.
    pub(crate) fn of(names: impl ExactSizeIterator<Item = String>, width: u32, top: f64, last: f64) -> Self {
        let num_machines = names.len();
        let width = f64::from(width.clamp(320, 20_000));
        let widest = names.map(|name| text_width(&name, NAME_SIZE)).fold(0.0, f64::max);
        let left = (16.0 + widest.min(NAME_LIMIT) + 10.0).ceil();
        let pitch = (ROWS_HEIGHT / num_machines as f64).clamp(6.0, 38.0).round();
        let bottom = top + pitch * num_machines as f64;
        Self {
            width,
            height: bottom + 50.0,
            left,
            right: width - 28.0,
            top,
            bottom,
            pitch,
            bar: (pitch * 0.82).round(),
            horizon: if last > 0.0 { last } else { 1.0 },
        }
    }

    /// Where a time stands.
    pub(crate) fn x(&self, time: f64) -> f64 {
        self.left + (self.right - self.left) * (time / self.horizon)
    }

    /// Where the bars of a machine begin.
    pub(crate) fn row(&self, machine: MachineId) -> f64 {
        self.top + self.pitch * machine as f64 + (self.pitch - self.bar) / 2.0
    }
}
