//! Convergence plots: the best cost found so far against time, as steps.

use crate::RenderError;
use crate::axis::{linear_ticks, log_ticks};
use crate::frame::{Frame, PlotArea, padded_range};
use crate::legend::{Legend, Swatch, series_class, series_dash};
use crate::number::{coordinate, format_number};
use crate::page::picture_page;
use crate::svg::{Svg, fitted};

/// The improvements of one run, or the mean curve of several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// Time and best cost from then on; any order, sorted by time when drawn.
    pub points: Vec<(f64, f64)>,
}

/// How time runs along the axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeScale {
    /// Evenly.
    #[default]
    Linear,
    /// By factors of ten, which shows early improvements. Times of zero stand at the left end.
    Log,
}

/// A horizontal line such as the best-known makespan or a proven bound.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceLine {
    /// Its name.
    pub label: String,
    /// Its height.
    pub value: f64,
}

/// How a convergence plot looks.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvergenceOptions {
    /// The heading.
    pub title: String,
    /// The width in pixels (320 to 20,000).
    pub width: u32,
    /// The height in pixels (240 to 20,000).
    pub height: u32,
    /// How time runs.
    pub time_scale: TimeScale,
    /// The name of the horizontal axis.
    pub time_label: String,
    /// The name of the vertical axis.
    pub cost_label: String,
    /// Horizontal lines for comparison.
    pub references: Vec<ReferenceLine>,
    /// When the runs ended; each series is drawn on to this time with its last cost.
    pub end_time: Option<f64>,
}

impl Default for ConvergenceOptions {
    fn default() -> Self {
        Self {
            title: "Convergence".to_owned(),
            width: 900,
            height: 480,
            time_scale: TimeScale::Linear,
            time_label: "time in seconds".to_owned(),
            cost_label: "best makespan".to_owned(),
            references: Vec::new(),
            end_time: None,
        }
    }
}

/// Draws best cost against time as an SVG picture.
///
/// # Errors
/// [`RenderError::NoData`] without any point, [`RenderError::NotFinite`] for points that are not numbers.
pub fn convergence_svg(series: &[Series], options: &ConvergenceOptions) -> Result<String, RenderError> {
    check(series)?;
    let names: Vec<&str> = series.iter().map(|one| one.name.as_str()).collect();
    let width = f64::from(options.width.clamp(320, 20_000));
    let height = f64::from(options.height.clamp(240, 20_000));
    let legend = Legend::new(&names, Swatch::Line, width - 40.0);
    let references: Vec<&ReferenceLine> =
        options.references.iter().filter(|line| line.value.is_finite()).collect();
    let costs = series.iter().flat_map(|one| one.points.iter().map(|point| point.1));
    let frame = Frame {
        title: &options.title,
        value_label: &options.cost_label,
        width,
        height,
        foot: 56.0,
        range: padded_range(costs.chain(references.iter().map(|line| line.value))),
        is_log: false,
    };
    let mut svg = Svg::new(width, height, &format!("Convergence plot: {}", options.title));
    let area = frame.draw(&mut svg, &legend);
    let axis = TimeAxis::new(series, options);
    axis.draw(&mut svg, &area, &options.time_label);
    for line in &references {
        let y = area.y(line.value);
        svg.line((area.left, y), (area.right, y), "reference");
    }
    for (index, one) in series.iter().enumerate() {
        draw_steps(&mut svg, &area, &axis, index, one);
    }
    draw_reference_names(&mut svg, &area, &references);
    Ok(svg.finish())
}

/// Draws best cost against time as one HTML page that loads nothing.
///
/// # Errors
/// See [`convergence_svg`].
pub fn convergence_html(series: &[Series], options: &ConvergenceOptions) -> Result<String, RenderError> {
    Ok(picture_page(&options.title, &convergence_svg(series, options)?))
}

fn check(series: &[Series]) -> Result<(), RenderError> {
    for one in series {
        if let Some(index) = one.points.iter().position(|(t, cost)| !(t.is_finite() && cost.is_finite())) {
            return Err(RenderError::NotFinite { series: one.name.clone(), index });
        }
    }
    if series.iter().all(|one| one.points.is_empty()) { Err(RenderError::NoData) } else { Ok(()) }
}

/// The horizontal axis: which times it shows and where they stand.
struct TimeAxis {
    scale: TimeScale,
    low: f64,
    high: f64,
}

impl TimeAxis {
    fn new(series: &[Series], options: &ConvergenceOptions) -> Self {
        let end = options.end_time.filter(|time| time.is_finite());
        let times = || series.iter().flat_map(|one| one.points.iter().map(|point| point.0)).chain(end);
        let high = times().fold(f64::MIN_POSITIVE, f64::max);
        match options.time_scale {
            TimeScale::Linear => {
                let low = times().fold(0.0, f64::min);
                Self { scale: TimeScale::Linear, low, high: if high > low { high } else { low + 1.0 } }
            }
            TimeScale::Log => {
                let least = times().filter(|&time| time > 0.0).fold(f64::INFINITY, f64::min);
                let low = if least < high { least } else { high / 10.0 };
                // More than twelve decades hide everything that matters.
                Self { scale: TimeScale::Log, low: low.max(high * 1e-12).max(f64::MIN_POSITIVE), high }
            }
        }
    }

    fn x(&self, area: &PlotArea, time: f64) -> f64 {
        let share = match self.scale {
            TimeScale::Linear => (time - self.low) / (self.high - self.low),
            TimeScale::Log => (time.max(self.low) / self.low).log10() / (self.high / self.low).log10(),
        };
        area.left + area.width() * if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }

    fn draw(&self, svg: &mut Svg, area: &PlotArea, label: &str) {
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

/// The names of the lines for comparison, at the right. They stand below their lines, where no cost better
/// than the best-known one can be, unless another line or name is there.
fn draw_reference_names(svg: &mut Svg, area: &PlotArea, references: &[&ReferenceLine]) {
    let mut taken: Vec<f64> = Vec::new();
    for line in references {
        let y = area.y(line.value);
        let free = |at: f64| {
            at > area.top + 10.0
                && at < area.bottom - 2.0
                && taken.iter().all(|other| (other - at).abs() >= 14.0)
                && references.iter().all(|other| !(at - 11.0..at + 3.0).contains(&area.y(other.value)))
        };
        let spot =
            [y + 15.0, y - 5.0, y + 29.0, y - 19.0].into_iter().find(|&at| free(at)).unwrap_or(y - 5.0);
        taken.push(spot);
        let text = format!("{} {}", line.label, format_number(line.value));
        let text = fitted(&text, 12.0, area.width() - 8.0);
        svg.label(area.right - 4.0, spot, "note halo end", &text);
    }
}

/// One series as steps. Points that share a quarter of a pixel are merged into the last of them.
fn draw_steps(svg: &mut Svg, area: &PlotArea, axis: &TimeAxis, index: usize, series: &Series) {
    let mut points = series.points.clone();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut places: Vec<(f64, f64)> = Vec::new();
    for (time, cost) in points {
        let place = (axis.x(area, time), area.y(cost));
        match places.as_mut_slice() {
            [_, .., last] if place.0 - last.0 < 0.25 => last.1 = place.1,
            _ => places.push(place),
        }
    }
    let Some(&(x, y)) = places.first() else { return };
    let mut path = format!("M{} {}", coordinate(x), coordinate(y));
    for (x, y) in &places[1..] {
        path.push_str(&format!("H{}V{}", coordinate(*x), coordinate(*y)));
    }
    path.push_str(&format!("H{}", coordinate(axis.x(area, axis.high))));
    svg.element(
        "path",
        &[
            ("class", format!("step {}", series_class(index)).into()),
            ("stroke-dasharray", series_dash(index).into()),
            ("d", path.into()),
        ],
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(name: &str, points: &[(f64, f64)]) -> Series {
        Series { name: name.to_owned(), points: points.to_vec() }
    }

    #[test]
    fn values_that_cannot_be_drawn_are_refused() {
        let options = ConvergenceOptions::default();
        assert_eq!(convergence_svg(&[], &options), Err(RenderError::NoData));
        assert_eq!(convergence_svg(&[series("a", &[])], &options), Err(RenderError::NoData));
        assert_eq!(
            convergence_svg(&[series("a", &[(0.0, 1.0), (1.0, f64::NAN)])], &options),
            Err(RenderError::NotFinite { series: "a".to_owned(), index: 1 })
        );
    }

    #[test]
    fn extreme_values_never_leave_the_picture() {
        for scale in [TimeScale::Linear, TimeScale::Log] {
            for points in [
                &[(0.0, 5.0)][..],
                &[(1e-300, -1e300), (1e300, 1e300)],
                &[(-5.0, 0.0), (-4.0, 0.0)],
                &[(3.0, f64::MAX), (3.0, -f64::MAX)],
            ] {
                let options = ConvergenceOptions { time_scale: scale, ..Default::default() };
                let text = convergence_svg(&[series("a", points)], &options).unwrap();
                assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
            }
        }
    }

    #[test]
    fn long_traces_stay_small() {
        let points: Vec<_> = (0..200_000).map(|i| (f64::from(i), 1e6 - f64::from(i))).collect();
        let text = convergence_svg(&[series("a", &points)], &ConvergenceOptions::default()).unwrap();
        assert!(text.len() < 100_000, "{}", text.len());
    }

    #[test]
    fn the_path_holds_each_cost_until_the_next() {
        let options = ConvergenceOptions { end_time: Some(10.0), ..Default::default() };
        let text = convergence_svg(&[series("a", &[(5.0, 10.0), (0.0, 20.0)])], &options).unwrap();
        let path = text.lines().find(|line| line.contains("<path")).unwrap();
        let commands: String = path.chars().filter(|c| matches!(c, 'M' | 'H' | 'V')).collect();
        assert_eq!(commands, "MHVH");
    }
}
