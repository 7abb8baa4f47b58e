//! Line charts: points joined by straight lines, over linear or logarithmic axes.

use crate::axis::{linear_ticks, log_ticks};
use crate::frame::{Frame, PlotArea, padded_range};
use crate::legend::{Legend, Swatch, series_class, series_dash};
use crate::number::coordinate;
use crate::series::Series;
use crate::svg::Svg;
use crate::{RenderError, format_number};

/// More points than this are drawn without dots.
const MOST_DOTS: usize = 20;

/// How a line chart looks.
#[derive(Clone, Debug, PartialEq)]
pub struct LineOptions {
    /// The heading.
    pub title: String,
    /// The width in pixels (320 to 20,000).
    pub width: u32,
    /// The height in pixels (240 to 20,000).
    pub height: u32,
    /// The name of the horizontal axis.
    pub x_label: String,
    /// The name of the vertical axis.
    pub y_label: String,
    /// Whether the horizontal axis runs by factors of ten; values that are not positive are left out.
    pub log_x: bool,
    /// The same for the vertical axis.
    pub log_y: bool,
    /// Where the numbers come from: part of the file, not drawn.
    pub origin: String,
}

impl Default for LineOptions {
    fn default() -> Self {
        Self {
            title: String::new(),
            width: 900,
            height: 480,
            x_label: String::new(),
            y_label: String::new(),
            log_x: false,
            log_y: false,
            origin: String::new(),
        }
    }
}

/// Draws each series as a line through its points, from left to right.
///
/// # Errors
/// [`RenderError::NoData`] without any point that an axis can show, [`RenderError::NotFinite`] for points that are
/// not numbers.
pub fn lines_svg(series: &[Series], options: &LineOptions) -> Result<String, RenderError> {
    let series = series.iter().map(|one| placed(one, options)).collect::<Result<Vec<Series>, _>>()?;
    let points = || series.iter().flat_map(|one| &one.points);
    if points().next().is_none() {
        return Err(RenderError::NoData);
    }
    let names: Vec<&str> = series.iter().map(|one| one.name.as_str()).collect();
    let width = f64::from(options.width.clamp(320, 20_000));
    let height = f64::from(options.height.clamp(240, 20_000));
    let legend = Legend::new(&names, Swatch::Line, width - 40.0);
    let range = if options.log_y {
        // Logarithms may be negative; zero is no border for them.
        let (low, high) = points().fold((f64::MAX, f64::MIN), |(low, high), p| (low.min(p.1), high.max(p.1)));
        (low - 0.1, high + 0.1)
    } else {
        padded_range(points().map(|point| point.1))
    };
    let frame = Frame {
        title: &options.title,
        value_label: &options.y_label,
        width,
        height,
        foot: 56.0,
        range,
        is_log: options.log_y,
    };
    let mut svg = Svg::new(width, height, &format!("Line chart: {}", options.title));
    if !options.origin.is_empty() {
        svg.description(&options.origin);
    }
    let area = frame.draw(&mut svg, &legend);
    let axis = XAxis::new(points().map(|point| point.0), options.log_x);
    axis.draw(&mut svg, &area, &options.x_label);
    for (index, one) in series.iter().enumerate() {
        draw_line(&mut svg, &area, &axis, index, one, options);
    }
    Ok(svg.finish())
}

/// The points in the order of the horizontal axis, as logarithms where the axis has them.
fn placed(series: &Series, options: &LineOptions) -> Result<Series, RenderError> {
    let not_finite = |index| RenderError::NotFinite { series: series.name.clone(), index };
    if let Some(index) = series.points.iter().position(|(x, y)| !(x.is_finite() && y.is_finite())) {
        return Err(not_finite(index));
    }
    let shown = |(x, y): &&(f64, f64)| (!options.log_x || *x > 0.0) && (!options.log_y || *y > 0.0);
    let place = |value: f64, is_log: bool| if is_log { value.log10() } else { value };
    let mut points: Vec<(f64, f64)> = series
        .points
        .iter()
        .filter(shown)
        .map(|&(x, y)| (place(x, options.log_x), place(y, options.log_y)))
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(Series { name: series.name.clone(), points })
}

/// The horizontal axis; its ends are logarithms where it runs by factors of ten.
struct XAxis {
    low: f64,
    high: f64,
    is_log: bool,
}

impl XAxis {
    fn new(values: impl Iterator<Item = f64>, is_log: bool) -> Self {
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        Self { low, high: if high > low { high } else { low + 1.0 }, is_log }
    }

    fn x(&self, area: &PlotArea, value: f64) -> f64 {
        let share = (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0);
        area.left + area.width() * if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }

    fn draw(&self, svg: &mut Svg, area: &PlotArea, label: &str) {
        let target = (area.width() / 80.0).max(2.0) as usize;
        let ticks = if self.is_log {
            log_ticks(10f64.powf(self.low), 10f64.powf(self.high), target)
        } else {
            linear_ticks(self.low, self.high, target, false)
        };
        for tick in ticks {
            let value = if self.is_log { tick.value.log10() } else { tick.value };
            let x = self.x(area, value);
            svg.line((x, area.top), (x, area.bottom + 5.0), "grid");
            svg.label(x, area.bottom + 19.0, "tick middle", &tick.label);
        }
        svg.line((area.left, area.bottom), (area.right, area.bottom), "axis");
        svg.label((area.left + area.right) / 2.0, area.bottom + 40.0, "note middle", label);
    }
}

fn draw_line(
    svg: &mut Svg,
    area: &PlotArea,
    axis: &XAxis,
    index: usize,
    series: &Series,
    options: &LineOptions,
) {
    let class = series_class(index);
    let mut path = String::new();
    for (at, &(x, y)) in series.points.iter().enumerate() {
        let command = if at == 0 { 'M' } else { 'L' };
        path.push_str(&format!("{command}{} {}", coordinate(axis.x(area, x)), coordinate(area.y(y))));
    }
    if !path.is_empty() {
        svg.element(
            "path",
            &[
                ("class", format!("step {class}").into()),
                ("stroke-dasharray", series_dash(index).into()),
                ("d", path.into()),
            ],
        );
    }
    if series.points.len() > MOST_DOTS {
        return;
    }
    for &(x, y) in &series.points {
        let value = |value: f64, is_log: bool| format_number(if is_log { 10f64.powf(value) } else { value });
        let tip = format!("{}: {}, {}", series.name, value(x, options.log_x), value(y, options.log_y));
        svg.titled(
            "circle",
            &[
                ("cx", axis.x(area, x).into()),
                ("cy", area.y(y).into()),
                ("r", 3.5.into()),
                ("class", format!("box {class}").into()),
            ],
            &tip,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(name: &str, points: &[(f64, f64)]) -> Series {
        Series { name: name.to_owned(), points: points.to_vec() }
    }

    #[test]
    fn a_power_law_is_straight_on_logarithmic_axes() {
        let points: Vec<(f64, f64)> = [1.0, 10.0, 100.0].map(|x: f64| (x, x.powi(3))).to_vec();
        let options = LineOptions {
            log_x: true,
            log_y: true,
            origin: "pfss --quick <x>".to_owned(),
            ..LineOptions::default()
        };
        let text = lines_svg(&[series("cubic", &points)], &options).unwrap();
        let path = text.lines().find(|line| line.contains("<path")).unwrap();
        let numbers: Vec<f64> =
            path.split(['M', 'L', ' ', '"']).filter_map(|part| part.parse().ok()).collect();
        let [x0, y0, x1, y1, x2, y2] = numbers[numbers.len() - 6..] else { panic!("{path}") };
        assert!((x1 - (x0 + x2) / 2.0).abs() < 0.02 && (y1 - (y0 + y2) / 2.0).abs() < 0.02, "{path}");
        assert!(text.contains("<desc>pfss --quick &lt;x&gt;</desc>"), "{text}");
        assert!(text.contains(">100000<") && text.contains("cubic: 10, 1000"), "{text}");
    }

    #[test]
    fn what_cannot_be_drawn_is_left_out_or_refused() {
        let log = LineOptions { log_y: true, ..LineOptions::default() };
        assert_eq!(lines_svg(&[], &log), Err(RenderError::NoData));
        assert_eq!(lines_svg(&[series("a", &[(1.0, 0.0)])], &log), Err(RenderError::NoData));
        assert!(lines_svg(&[series("a", &[(1.0, 0.0), (2.0, 1.0)])], &log).is_ok());
        assert!(matches!(
            lines_svg(&[series("a", &[(1.0, f64::NAN)])], &log),
            Err(RenderError::NotFinite { index: 0, .. })
        ));
        for points in [&[(5.0, 5.0)][..], &[(-f64::MAX, f64::MAX), (f64::MAX, -f64::MAX)]] {
            let text = lines_svg(&[series("a", points)], &LineOptions::default()).unwrap();
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
    }
}
