//! The figures of a plan.

use pfss_render::{LineOptions, RenderError, Series, lines_svg};

use super::origin::origin;
use crate::reproduction::{Figure, Plan, Quantity, Summary};

/// A picture and the name of its file.
pub struct Picture {
    /// The name, `PLAN-FIGURE.svg`.
    pub file: String,
    /// The heading.
    pub title: String,
    /// The SVG text.
    pub svg: String,
}

/// The pictures that there are numbers for.
///
/// # Errors
/// [`RenderError`] when a value cannot be drawn.
pub fn pictures(plan: &Plan, summary: &Summary) -> Result<Vec<Picture>, RenderError> {
    let mut pictures = Vec::new();
    for figure in &plan.figures {
        let series: Vec<Series> =
            lines(plan, summary, figure).into_iter().filter(|one| !one.points.is_empty()).collect();
        if series.is_empty() {
            continue;
        }
        let options = LineOptions {
            title: figure.title.clone(),
            x_label: figure.x_label.clone(),
            y_label: figure.y_label.clone(),
            log_x: figure.log_x,
            log_y: figure.log_y,
            origin: origin(summary),
            ..LineOptions::default()
        };
        pictures.push(Picture {
            file: format!("{}-{}.svg", plan.name, figure.id),
            title: figure.title.clone(),
            svg: lines_svg(&series, &options)?,
        });
    }
    Ok(pictures)
}

fn lines(plan: &Plan, summary: &Summary, figure: &Figure) -> Vec<Series> {
    let methods = figure.methods.iter().map(|id| Series {
        name: plan.method(id).map_or(id.clone(), |method| method.label.clone()),
        points: plan.shown_groups().filter_map(|group| point(summary, figure.y, id, &group.id)).collect(),
    });
    let trainings = figure.trainings.iter().map(|id| {
        let record =
            summary.trainings.iter().find(|found| found.id == *id).and_then(|found| found.record.as_ref());
        let curve = record.map(|record| record.curve.as_slice()).unwrap_or_default();
        let label =
            plan.trainings.iter().find(|training| training.id == *id).map(|training| training.label.clone());
        Series {
            name: label.unwrap_or_else(|| id.clone()),
            points: curve.iter().enumerate().map(|(at, gap)| ((at + 1) as f64, *gap)).collect(),
        }
    });
    methods.chain(trainings).collect()
}

fn point(summary: &Summary, quantity: Quantity, method: &str, group: &str) -> Option<(f64, f64)> {
    let (found, numbers) = (summary.group(group)?, summary.numbers(method, group)?);
    let y = match quantity {
        Quantity::Gap => numbers.gap?.mean_of_ratios,
        Quantity::Time => summary.seconds(method, group)? / found.instances as f64,
        Quantity::Total => summary.total(method, group)?,
    };
    Some((found.x, y))
}
