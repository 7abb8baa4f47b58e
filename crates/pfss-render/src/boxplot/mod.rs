//! Box plots of deviations per group and algorithm.

mod statistics;

pub use statistics::BoxStatistics;

use crate::RenderError;
use crate::frame::{Frame, PlotArea, padded_range};
use crate::legend::{Legend, Swatch, series_class};
use crate::number::{coordinate, format_number};
use crate::page::picture_page;
use crate::svg::{Svg, fitted, text_width};

/// The values of one algorithm on one group of instances. Samples of the same group and algorithm are
/// put together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// The group, such as a size ("20x5").
    pub group: String,
    /// The algorithm.
    pub algorithm: String,
    /// Its relative percentage deviations.
    pub values: Vec<f64>,
}

/// How a box plot looks.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxplotOptions {
    /// The heading.
    pub title: String,
    /// The width in pixels (320 to 20,000); widened where the boxes would become too thin to read.
    pub width: u32,
    /// The height in pixels (240 to 20,000).
    pub height: u32,
    /// The name of the vertical axis.
    pub value_label: String,
    /// The name of the horizontal axis.
    pub group_label: String,
    /// Whether a diamond marks each mean.
    pub show_means: bool,
}

impl Default for BoxplotOptions {
    fn default() -> Self {
        Self {
            title: "Relative percentage deviation".to_owned(),
            width: 900,
            height: 480,
            value_label: "RPD in %".to_owned(),
            group_label: "jobs x machines".to_owned(),
            show_means: true,
        }
    }
}

/// The least room of a box.
const LEAST_SLOT: f64 = 12.0;

/// Draws box plots as an SVG picture: boxes from the first to the third quartile with the median, whiskers
/// to the last values within 1.5 interquartile ranges, circles beyond them. Groups and algorithms stand in
/// the order of their first sample.
///
/// # Errors
/// [`RenderError::NoData`] without any value, [`RenderError::NotFinite`] for values that are not numbers.
pub fn boxplot_svg(samples: &[Sample], options: &BoxplotOptions) -> Result<String, RenderError> {
    check(samples)?;
    let groups = distinct(samples.iter().map(|sample| sample.group.as_str()));
    let algorithms = distinct(samples.iter().map(|sample| sample.algorithm.as_str()));
    let least = 120.0 + (groups.len() * (algorithms.len() + 1)) as f64 * LEAST_SLOT;
    let width = f64::from(options.width.clamp(320, 20_000)).max(least);
    let turned = !labels_fit(&groups, (width - 100.0) / groups.len() as f64);
    let frame = Frame {
        title: &options.title,
        value_label: &options.value_label,
        width,
        height: f64::from(options.height.clamp(240, 20_000)),
        foot: if turned { 40.0 + TURNED_LIMIT * 0.75 } else { 56.0 },
        range: padded_range(samples.iter().flat_map(|sample| sample.values.iter().copied())),
        is_log: false,
    };
    let legend = Legend::new(&algorithms, Swatch::Box, width - 40.0);
    let mut svg = Svg::new(width, frame.height, &format!("Box plot: {}", options.title));
    let area = frame.draw(&mut svg, &legend);
    draw_key(&mut svg, &area, options);
    let column = area.width() / groups.len() as f64;
    for (index, group) in groups.iter().enumerate() {
        let left = area.left + column * index as f64;
        draw_group_label(&mut svg, &area, left + column / 2.0, group, turned);
        if index > 0 {
            svg.line((left, area.top), (left, area.bottom + 5.0), "grid");
        }
        draw_group(&mut svg, &area, (left, column), samples, group, &algorithms, options.show_means);
    }
    svg.line((area.left, area.bottom), (area.right, area.bottom), "axis");
    let centre = (area.left + area.right) / 2.0;
    svg.label(centre, frame.height - 16.0, "note middle", &options.group_label);
    Ok(svg.finish())
}

/// The boxes of one group, side by side in a column given by its left end and width.
fn draw_group(
    svg: &mut Svg,
    area: &PlotArea,
    (left, column): (f64, f64),
    samples: &[Sample],
    group: &str,
    algorithms: &[&str],
    show_means: bool,
) {
    let slot = (column * 0.86 / algorithms.len() as f64).min(56.0);
    let first = left + (column - slot * algorithms.len() as f64) / 2.0;
    for (series, algorithm) in algorithms.iter().enumerate() {
        let values = values_of(samples, group, algorithm);
        let Some(statistics) = BoxStatistics::new(&values) else { continue };
        let middle = first + slot * (series as f64 + 0.5);
        let tip = describe(group, algorithm, &statistics, values.len());
        svg.open("g", &[("class", series_class(series).into())]);
        draw_box(svg, area, middle, slot * 0.74, &statistics, &tip);
        if show_means {
            draw_mean(svg, middle, area.y(statistics.mean));
        }
        svg.close("g");
    }
}

/// How to read a box, right of the heading where both fit.
fn draw_key(svg: &mut Svg, area: &PlotArea, options: &BoxplotOptions) {
    let key = if options.show_means {
        "box: quartiles, line: median, diamond: mean"
    } else {
        "box: quartiles, line: median"
    };
    if 16.0 + text_width(&options.title, 17.0) + 24.0 + text_width(key, 12.0) < area.right {
        svg.label(area.right, 28.0, "note end", key);
    }
}

/// Draws box plots as one HTML page that loads nothing.
///
/// # Errors
/// See [`boxplot_svg`].
pub fn boxplot_html(samples: &[Sample], options: &BoxplotOptions) -> Result<String, RenderError> {
    Ok(picture_page(&options.title, &boxplot_svg(samples, options)?))
}

fn check(samples: &[Sample]) -> Result<(), RenderError> {
    for sample in samples {
        if let Some(index) = sample.values.iter().position(|value| !value.is_finite()) {
            let series = format!("{} on {}", sample.algorithm, sample.group);
            return Err(RenderError::NotFinite { series, index });
        }
    }
    if samples.iter().all(|sample| sample.values.is_empty()) { Err(RenderError::NoData) } else { Ok(()) }
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen: Vec<&str> = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

fn values_of(samples: &[Sample], group: &str, algorithm: &str) -> Vec<f64> {
    let fitting = samples.iter().filter(|sample| sample.group == group && sample.algorithm == algorithm);
    fitting.flat_map(|sample| sample.values.iter().copied()).collect()
}

fn labels_fit(groups: &[&str], column: f64) -> bool {
    groups.iter().all(|group| text_width(group, 11.0) + 8.0 <= column)
}

/// The longest that a slanted group name gets.
const TURNED_LIMIT: f64 = 110.0;

fn draw_group_label(svg: &mut Svg, area: &PlotArea, x: f64, group: &str, turned: bool) {
    if turned {
        let turn =
            format!("translate({} {}) rotate(-40)", coordinate(x + 4.0), coordinate(area.bottom + 16.0));
        let label = fitted(group, 11.0, TURNED_LIMIT);
        svg.text_element(&[("transform", turn.into()), ("class", "tick end".into())], &label);
    } else {
        svg.label(x, area.bottom + 19.0, "tick middle", group);
    }
}

fn describe(group: &str, algorithm: &str, statistics: &BoxStatistics, count: usize) -> String {
    format!(
        "{algorithm} on {group}: median {}, quartiles {} to {}, mean {}, {count} values",
        format_number(statistics.median),
        format_number(statistics.lower_quartile),
        format_number(statistics.upper_quartile),
        format_number(statistics.mean),
    )
}

fn draw_box(svg: &mut Svg, area: &PlotArea, middle: f64, width: f64, box_: &BoxStatistics, tip: &str) {
    let (left, right) = (middle - width / 2.0, middle + width / 2.0);
    let (top, bottom) = (area.y(box_.upper_quartile), area.y(box_.lower_quartile));
    for (whisker, quartile) in [(box_.upper_whisker, top), (box_.lower_whisker, bottom)] {
        let end = area.y(whisker);
        svg.line((middle, quartile), (middle, end), "whisker");
        svg.line((middle - width / 4.0, end), (middle + width / 4.0, end), "whisker");
    }
    svg.titled(
        "rect",
        &[
            ("class", "box".into()),
            ("x", left.into()),
            ("y", top.into()),
            ("width", width.into()),
            ("height", (bottom - top).max(1.0).into()),
        ],
        tip,
    );
    let median = area.y(box_.median);
    svg.line((left, median), (right, median), "median");
    let mut drawn = f64::INFINITY;
    for &outlier in &box_.outliers {
        let y = area.y(outlier);
        // Circles on the same spot are drawn once.
        if (y - drawn).abs() >= 0.5 {
            drawn = y;
            svg.element(
                "circle",
                &[("class", "outlier".into()), ("cx", middle.into()), ("cy", y.into()), ("r", 2.5.into())],
            );
        }
    }
}

fn draw_mean(svg: &mut Svg, x: f64, y: f64) {
    let diamond = format!("M{} {}l4 4l-4 4l-4 -4z", coordinate(x), coordinate(y - 4.0));
    svg.element("path", &[("class", "mean".into()), ("d", diamond.into())]);
}
