//! Convergence plots: the best cost found so far against time, as steps, and the bound below it.

mod steps;
mod time_axis;

use crate::RenderError;
use crate::frame::{Frame, PlotArea, padded_range};
use crate::legend::{Legend, Swatch};
use crate::number::format_number;
use crate::page::picture_page;
use crate::series::Series;
use crate::svg::{Svg, fitted};
use time_axis::TimeAxis;
pub use time_axis::TimeScale;

/// One run, or the mean of several: the best cost, and the proven bound where there is one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// The best cost against time; each cost holds from its time on.
    pub cost: Series,
    /// Time and the bound from then on; none where nothing is proven.
    pub bound: Vec<(f64, f64)>,
}

impl From<Series> for Course {
    fn from(cost: Series) -> Self {
        Self { cost, bound: Vec::new() }
    }
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
    /// When the runs ended; each line is drawn on to this time. Without it, each ends at its own last point.
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

/// Draws best cost and bound against time as an SVG picture.
///
/// # Errors
/// [`RenderError::NoData`] without any cost, [`RenderError::NotFinite`] for points that are not numbers.
pub fn convergence_svg(courses: &[Course], options: &ConvergenceOptions) -> Result<String, RenderError> {
    check(courses)?;
    let names: Vec<&str> = courses.iter().map(|course| course.cost.name.as_str()).collect();
    let width = f64::from(options.width.clamp(320, 20_000));
    let height = f64::from(options.height.clamp(240, 20_000));
    let mut legend = Legend::new(&names, Swatch::Line, width - 40.0);
    if courses.iter().any(|course| !course.bound.is_empty()) {
        legend = legend.with_dashed("lower bound");
    }
    let references: Vec<&ReferenceLine> =
        options.references.iter().filter(|line| line.value.is_finite()).collect();
    let values = courses.iter().flat_map(Course::points).map(|point| point.1);
    let frame = Frame {
        title: &options.title,
        value_label: &options.cost_label,
        width,
        height,
        foot: 56.0,
        range: padded_range(values.chain(references.iter().map(|line| line.value))),
        is_log: false,
    };
    let mut svg = Svg::new(width, height, &format!("Convergence plot: {}", options.title));
    let area = frame.draw(&mut svg, &legend);
    let end = options.end_time.filter(|time| time.is_finite());
    let times = courses.iter().flat_map(Course::points).map(|point| point.0).chain(end);
    let axis = TimeAxis::new(options.time_scale, times.collect());
    axis.draw(&mut svg, &area, &options.time_label);
    for line in &references {
        let y = area.y(line.value);
        svg.line((area.left, y), (area.right, y), "reference");
    }
    for (index, course) in courses.iter().enumerate() {
        steps::draw_bound(&mut svg, &area, &axis, index, &course.bound, end);
    }
    for (index, course) in courses.iter().enumerate() {
        steps::draw_cost(&mut svg, &area, &axis, index, &course.cost, end);
    }
    draw_reference_names(&mut svg, &area, &references);
    Ok(svg.finish())
}

/// Draws best cost and bound against time as one HTML page that loads nothing.
///
/// # Errors
/// See [`convergence_svg`].
pub fn convergence_html(courses: &[Course], options: &ConvergenceOptions) -> Result<String, RenderError> {
    Ok(picture_page(&options.title, &convergence_svg(courses, options)?))
}

impl Course {
    /// All points of both lines.
    fn points(&self) -> impl Iterator<Item = &(f64, f64)> {
        self.cost.points.iter().chain(&self.bound)
    }
}

fn check(courses: &[Course]) -> Result<(), RenderError> {
    for course in courses {
        if let Some(index) = course.points().position(|(t, value)| !(t.is_finite() && value.is_finite())) {
            return Err(RenderError::NotFinite { series: course.cost.name.clone(), index });
        }
    }
    let is_empty = courses.iter().all(|course| course.cost.points.is_empty());
    if is_empty { Err(RenderError::NoData) } else { Ok(()) }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn course(name: &str, points: &[(f64, f64)]) -> Course {
        Series { name: name.to_owned(), points: points.to_vec() }.into()
    }

    fn paths(svg: &str) -> Vec<&str> {
        svg.lines().filter(|line| line.contains("<path")).collect()
    }

    #[test]
    fn values_that_cannot_be_drawn_are_refused() {
        let options = ConvergenceOptions::default();
        assert_eq!(convergence_svg(&[], &options), Err(RenderError::NoData));
        assert_eq!(convergence_svg(&[course("a", &[])], &options), Err(RenderError::NoData));
        assert_eq!(
            convergence_svg(&[course("a", &[(0.0, 1.0), (1.0, f64::NAN)])], &options),
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
                let text = convergence_svg(&[course("a", points)], &options).unwrap();
                assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
            }
        }
    }

    #[test]
    fn long_traces_stay_small() {
        let points: Vec<_> = (0..200_000).map(|i| (f64::from(i), 1e6 - f64::from(i))).collect();
        let text = convergence_svg(&[course("a", &points)], &ConvergenceOptions::default()).unwrap();
        assert!(text.len() < 100_000, "{}", text.len());
    }

    #[test]
    fn the_path_holds_each_cost_until_the_next() {
        let options = ConvergenceOptions { end_time: Some(10.0), ..Default::default() };
        let text = convergence_svg(&[course("a", &[(5.0, 10.0), (0.0, 20.0)])], &options).unwrap();
        let commands: String = paths(&text)[0].chars().filter(|c| matches!(c, 'M' | 'H' | 'V')).collect();
        assert_eq!(commands, "MHVH");
    }

    #[test]
    fn lines_end_with_their_run() {
        let long = course("long", &[(0.0, 20.0), (10.0, 10.0)]);
        let mut short = course("short", &[(0.0, 30.0), (5.0, 30.0)]);
        short.bound = vec![(0.0, 5.0), (2.0, 8.0), (5.0, 8.0)];
        let text = convergence_svg(&[long, short], &ConvergenceOptions::default()).unwrap();
        let ends: Vec<f64> = paths(&text)
            .iter()
            .map(|path| {
                let end = path.rsplit('H').next().unwrap();
                end.split(['"', 'V']).next().unwrap().parse().unwrap()
            })
            .collect();
        let [bound, long, short] = ends[..] else { panic!("{text}") };
        assert!(bound == short && short < long, "{ends:?}");
        assert!(text.contains(">lower bound</text>"), "{text}");
    }
}
