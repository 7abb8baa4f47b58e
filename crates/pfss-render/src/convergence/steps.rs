//! Costs and bounds as steps: each value holds until the next.

use super::time_axis::TimeAxis;
use crate::frame::PlotArea;
use crate::legend::{series_class, series_dash};
use crate::number::{coordinate, format_number};
use crate::series::Series;
use crate::svg::Svg;

/// The length of a dash of a bound and of the gap behind it.
const DASH: f64 = 5.0;

/// The best cost of one run, with a dot where the run ended.
pub(super) fn draw_cost(
    svg: &mut Svg,
    area: &PlotArea,
    axis: &TimeAxis,
    index: usize,
    cost: &Series,
    end: Option<f64>,
) {
    let Some(steps) = Steps::new(area, axis, &cost.points, end) else { return };
    svg.element(
        "path",
        &[
            ("class", format!("step {}", series_class(index)).into()),
            ("stroke-dasharray", series_dash(index).into()),
            ("d", steps.path.into()),
        ],
    );
    let tip = format!("{}: {}, {}", cost.name, format_number(steps.last.0), format_number(steps.last.1));
    svg.titled(
        "circle",
        &[
            ("cx", steps.end.0.into()),
            ("cy", steps.end.1.into()),
            ("r", 3.0.into()),
            ("class", format!("box {}", series_class(index)).into()),
        ],
        &tip,
    );
}

/// The bound of one run, dashed in the colour of its cost. Dashes stand at fixed places of the page, those of every
/// second run in the gaps of the others, so that bounds of the same height show both colours.
pub(super) fn draw_bound(
    svg: &mut Svg,
    area: &PlotArea,
    axis: &TimeAxis,
    index: usize,
    bound: &[(f64, f64)],
    end: Option<f64>,
) {
    let Some(steps) = Steps::new(area, axis, bound, end) else { return };
    svg.element(
        "path",
        &[
            ("class", format!("step {}", series_class(index)).into()),
            ("style", "stroke-width:1.5".into()),
            ("stroke-dasharray", format!("{DASH} {DASH}").into()),
            ("stroke-dashoffset", ((steps.start + DASH * (index % 2) as f64) % (2.0 * DASH)).into()),
            ("d", steps.path.into()),
        ],
    );
}

/// Steps on the page.
struct Steps {
    path: String,
    /// Where they start from the left of the page.
    start: f64,
    /// Where they end on the page, and the time and value there.
    end: (f64, f64),
    last: (f64, f64),
}

impl Steps {
    /// The steps through these points, on to `end` where it is later. Points that share a quarter of a pixel are merged
    /// into the last of them.
    fn new(area: &PlotArea, axis: &TimeAxis, points: &[(f64, f64)], end: Option<f64>) -> Option<Self> {
        let mut points = points.to_vec();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let &(time, value) = points.last()?;
        let last = (end.map_or(time, |end| end.max(time)), value);
        let mut places: Vec<(f64, f64)> = Vec::new();
        for (time, value) in points {
            let place = (axis.x(area, time), area.y(value));
            match places.as_mut_slice() {
                [_, .., last] if place.0 - last.0 < 0.25 => last.1 = place.1,
                _ => places.push(place),
            }
        }
        let &(x, y) = places.first()?;
        let mut path = format!("M{} {}", coordinate(x), coordinate(y));
        let mut height = y;
        for &(x, y) in &places[1..] {
            path.push_str(&format!("H{}", coordinate(x)));
            if y != height {
                path.push_str(&format!("V{}", coordinate(y)));
                height = y;
            }
        }
        let end = (axis.x(area, last.0), height);
        if places.last().is_none_or(|place| place.0 < end.0) {
            path.push_str(&format!("H{}", coordinate(end.0)));
        }
        Some(Self { path, start: x, end, last })
    }
}
