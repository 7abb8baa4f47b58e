//! The horizontal axis: which times it shows and where they stand.

use crate::axis::{linear_ticks, log_ticks};
use crate::frame::PlotArea;
use crate::svg::Svg;

/// How time runs along the axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeScale {
    /// Evenly.
    #[default]
    Linear,
    /// By factors of ten, which shows early improvements. Times of zero stand at the left end.
    Log,
}

/// Times along the width of a plot.
pub(super) struct TimeAxis {
    scale: TimeScale,
    low: f64,
    high: f64,
}

impl TimeAxis {
    /// An axis that shows all of these times.
    pub(super) fn new(scale: TimeScale, times: Vec<f64>) -> Self {
        let high = times.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        match scale {
            TimeScale::Linear => {
                let low = times.iter().copied().fold(0.0, f64::min);
                Self { scale, low, high: if high > low { high } else { low + 1.0 } }
            }
            TimeScale::Log => {
                let least = times.iter().copied().filter(|&time| time > 0.0).fold(f64::INFINITY, f64::min);
                // Some air at the left, so that what ends at once can be seen.
                let low = if least < high { least / 1.15 } else { high / 10.0 };
                // More than twelve decades hide everything that matters.
                Self { scale, low: low.max(high * 1e-12).max(f64::MIN_POSITIVE), high }
            }
        }
    }

    /// Where a time stands.
    pub(super) fn x(&self, area: &PlotArea, time: f64) -> f64 {
        let share = match self.scale {
            TimeScale::Linear => (time - self.low) / (self.high - self.low),
            TimeScale::Log => (time.max(self.low) / self.low).log10() / (self.high / self.low).log10(),
        };
        area.left + area.width() * if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Draws the axis with its grid, ticks and name.
    pub(super) fn draw(&self, svg: &mut Svg, area: &PlotArea, label: &str) {
        let target = (area.width() / 80.0).max(2.0) as usize;
        let ticks = match self.scale {
            TimeScale::Linear => linear_ticks(self.low, self.high, target, false),
            TimeScale::Log => log_ticks(self.low, self.high, target),
        };
        for tick in ticks {
            let x = self.x(area, tick.value);
            svg.line((x, area.top), (x, area.bottom + 5.0), "grid");
            svg.label(x, area.bottom + 19.0, "tick middle", &tick.label);
        }
        svg.line((area.left, area.bottom), (area.right, area.bottom), "axis");
        svg.label((area.left + area.right) / 2.0, area.bottom + 40.0, "note middle", label);
    }
}
