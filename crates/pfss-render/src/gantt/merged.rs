//! Charts with so many bars that neighbours are merged into columns of pixels.

use pfss_core::{JobId, MachineId};

use crate::colour::job_colour;
use crate::gantt::aggregate::merged_row;
use crate::gantt::layout::Layout;
use crate::number::coordinate;
use crate::svg::Svg;

/// The most bars that are drawn one by one.
pub(crate) const MOST_BARS: usize = 30_000;
/// The most cells of a merged chart, which keeps the picture below a few megabytes.
const MOST_CELLS: usize = 60_000;

/// Rows whose bars are thinner than pixels; `row` gives the jobs of a machine with their starts and ends.
pub(crate) fn draw_merged<R: Iterator<Item = (JobId, f64, f64)>>(
    svg: &mut Svg,
    layout: &Layout,
    num_machines: usize,
    row: impl Fn(MachineId) -> R,
) {
    let plot = layout.right - layout.left;
    let num_columns = (plot as usize).min(MOST_CELLS / num_machines.max(1)).max(1);
    let column = plot / num_columns as f64;
    for machine in 0..num_machines {
        let transform = format!("translate({} {})", coordinate(layout.left), coordinate(layout.row(machine)));
        svg.open("g", &[("transform", transform.into()), ("shape-rendering", "crispEdges".into())]);
        for run in merged_row(row(machine), num_columns, layout.horizon) {
            svg.element(
                "rect",
                &[
                    ("x", (run.first as f64 * column).into()),
                    ("width", ((run.end - run.first) as f64 * column).into()),
                    ("height", layout.bar.into()),
                    ("fill", job_colour(run.job).to_string().into()),
                ],
            );
        }
        svg.close("g");
    }
}
