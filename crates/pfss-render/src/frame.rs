//! The frame of a plot: heading, legend, vertical axis with grid.

use crate::axis::{Tick, linear_ticks, log_ticks};
use crate::legend::Legend;
use crate::svg::{Svg, fitted, text_width};

/// What a frame shows.
pub(crate) struct Frame<'a> {
    pub(crate) title: &'a str,
    pub(crate) value_label: &'a str,
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// Room below the plot for the horizontal axis.
    pub(crate) foot: f64,
    /// The lowest and highest value of the vertical axis; their decimal logarithms where `is_log`.
    pub(crate) range: (f64, f64),
    /// Whether the vertical axis runs by factors of ten. Values then are decimal logarithms.
    pub(crate) is_log: bool,
}

/// The area in which data are drawn.
pub(crate) struct PlotArea {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
    range: (f64, f64),
}

impl PlotArea {
    /// Where a value stands.
    pub(crate) fn y(&self, value: f64) -> f64 {
        let (low, high) = self.range;
        // Halves keep differences finite, also between values of opposite sign near the largest real.
        let share = (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
        self.bottom - (self.bottom - self.top) * share
    }

    /// The width of the area.
    pub(crate) fn width(&self) -> f64 {
        self.right - self.left
    }
}

/// The range of an axis that shows these values with some air around them, but nothing below zero where no
/// value is.
pub(crate) fn padded_range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if !(low.is_finite() && high.is_finite()) {
        return (0.0, 1.0);
    }
    let span = high - low;
    let air = if span > 0.0 { 0.05 * span } else { (0.01 * high.abs()).max(1.0) };
    let least = if low >= 0.0 { 0.0 } else { f64::MIN };
    ((low - air).max(least), (high + air).min(f64::MAX))
}

impl Frame<'_> {
    /// Draws heading, legend and vertical axis; returns where the data go.
    pub(crate) fn draw(&self, svg: &mut Svg, legend: &Legend<'_>) -> PlotArea {
        let right = self.width - 24.0;
        svg.label(16.0, 28.0, "title", &fitted(self.title, 16.0, right - 16.0));
        legend.draw(svg, 16.0, 42.0);
        let top = 42.0 + legend.height + 14.0;
        let bottom = (self.height - self.foot).max(top + 60.0);
        let (low, high) = self.range;
        let target = ((bottom - top) / 46.0).max(2.0) as usize;
        let ticks = if self.is_log {
            let ticks = log_ticks(10f64.powf(low), 10f64.powf(high), target);
            ticks.into_iter().map(|tick| Tick { value: tick.value.log10(), ..tick }).collect()
        } else {
            linear_ticks(low, high, target, false)
        };
        let widest = ticks.iter().map(|tick| text_width(&tick.label, 11.0)).fold(0.0, f64::max);
        let left = (16.0 + 18.0 + widest + 10.0).ceil();
        let area = PlotArea { left, right, top, bottom, range: self.range };
        for tick in &ticks {
            let y = area.y(tick.value);
            svg.line((left, y), (right, y), "grid");
            svg.label(left - 8.0, y + 4.0, "tick end", &tick.label);
        }
        let middle = (top + bottom) / 2.0;
        let turn = format!("translate(24 {}) rotate(-90)", crate::number::coordinate(middle));
        let label = fitted(self.value_label, 12.0, bottom - top);
        svg.text_element(&[("transform", turn.into()), ("class", "note middle".into())], &label);
        svg.line((left, bottom), (right, bottom), "axis");
        area
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_never_empty() {
        let cases: [&[f64]; 5] = [&[1.0, 3.0], &[5.0], &[0.0], &[], &[-f64::MAX, f64::MAX]];
        for values in cases {
            let (low, high) = padded_range(values.iter().copied());
            assert!(low < high && low.is_finite() && high.is_finite(), "{values:?}");
        }
    }
}
