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
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Where time zero stands.
    pub(super) left: f64,
    /// Where the axis ends.
    pub(super) right: f64,
    /// Where the first row begins.
    pub(super) top: f64,
    /// Where the last row ends.
    pub(super) bottom: f64,
    /// From one row to the next.
    pub(super) pitch: f64,
    /// The height of a bar.
    pub(super) bar: f64,
    /// The time at the right end of the axis.
    pub(super) horizon: f64,
}

impl Layout {
    pub(super) fn new<T: Time>(
        instance: &Instance<T>,
        schedule: &Schedule<T>,
        options: &GanttOptions,
    ) -> Self {
        let num_machines = instance.num_machines();
        let width = f64::from(options.width.clamp(320, 20_000));
        let names = (0..num_machines).map(|machine| text_width(&instance.machine_label(machine), NAME_SIZE));
        let left = (16.0 + names.fold(0.0, f64::max).min(NAME_LIMIT) + 10.0).ceil();
        let pitch = (ROWS_HEIGHT / num_machines as f64).clamp(6.0, 38.0).round();
        let top = if options.bound().is_some() { 94.0 } else { 78.0 };
        let bottom = top + pitch * num_machines as f64;
        let last = schedule.makespan().to_f64().max(options.bound().unwrap_or(0.0));
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
    pub(super) fn x(&self, time: f64) -> f64 {
        self.left + (self.right - self.left) * (time / self.horizon)
    }

    /// Where the bars of a machine begin.
    pub(super) fn row(&self, machine: MachineId) -> f64 {
        self.top + self.pitch * machine as f64 + (self.pitch - self.bar) / 2.0
    }
}
