//! `pfss plot`: schedules and results as pictures.

use std::path::Path;

use anyhow::{Context, bail};
use pfss_core::timing::{Line, Timetable};
use pfss_core::{JobId, Time, lower_bound};
use pfss_experiments::{Row, read_rows};
use pfss_io::{Clock, match_instance};
use pfss_render::{
    BoxplotOptions, ConvergenceOptions, Course, GanttOptions, PlanChart, Sample, Series, TimeScale,
    boxplot_html, boxplot_svg, convergence_html, convergence_svg,
};

use super::charts::{draw_gantt, draw_plan};
use crate::args::{BoxplotArgs, ConvergenceArgs, GanttArgs, PictureArgs, PlotArgs, PlotKind};
use crate::console::Console;
use crate::exit::Exit;
use crate::gate::FileGate;
use crate::order::OrderText;
use crate::output::{self, Picture};
use crate::source;

/// Draws the picture.
pub(super) fn run(args: &PlotArgs, console: Console) -> anyhow::Result<Exit> {
    match &args.kind {
        PlotKind::Gantt(args) => gantt(args, console),
        PlotKind::Convergence(args) => convergence(args),
        PlotKind::Boxplot(args) => boxplot(args),
    }?;
    Ok(Exit::Success)
}

/// The kind of picture, once it is known that it can be written.
fn picture(args: &PictureArgs, gate: &mut FileGate) -> anyhow::Result<Picture> {
    let picture = Picture::of(&args.output)?;
    if args.output.as_os_str() != "-" {
        gate.writes(&args.output)?;
    }
    Ok(picture)
}

fn gantt(args: &GanttArgs, console: Console) -> anyhow::Result<()> {
    let mut gate = FileGate::default();
    let picture = picture(&args.picture, &mut gate)?;
    source::check_stdin([args.instance.as_str(), args.order.as_str()])?;
    gate.reads(Path::new(&args.order))?;
    let entry = source::read_one(&args.instance, &args.source, &args.plan, &mut gate, console)?;
    let instance = &entry.instance;
    let order = OrderText::load(&args.order, args.one_based)?.permutation(instance)?;
    let clock = args.plan.clock()?;
    // Only the chart of plans has an axis of dates.
    let dated = || clock.and_then(|_| match_instance!(instance, instance => source::plain_line(instance)));
    if let Some(line) = source::line_of(&entry)?.or_else(dated) {
        return planned_gantt(args, &line, &order, clock.as_ref(), picture);
    }
    let defaults = GanttOptions::default();
    let options = GanttOptions {
        title: args.picture.title.clone(),
        width: args.picture.width.unwrap_or(defaults.width),
        show_labels: !args.no_labels,
        show_critical_path: !args.no_critical_path,
        lower_bound: Some(match_instance!(instance, instance => lower_bound(instance).to_f64())),
    };
    let drawn = match_instance!(instance, instance => draw_gantt(instance, &order, picture, &options))?;
    output::write(&args.picture.output, &drawn)
}

/// The chart of an order of jobs that carry more than times, or whose times are dates.
fn planned_gantt(
    args: &GanttArgs,
    line: &Line,
    order: &[JobId],
    clock: Option<&Clock>,
    picture: Picture,
) -> anyhow::Result<()> {
    let table = Timetable::new(line, order)?;
    let defaults = PlanChart::default();
    let options = PlanChart {
        title: args.picture.title.clone(),
        width: args.picture.width.unwrap_or(defaults.width),
        show_labels: !args.no_labels,
    };
    output::write(&args.picture.output, &draw_plan(line, &table, clock, picture, &options)?)
}

fn convergence(args: &ConvergenceArgs) -> anyhow::Result<()> {
    let mut gate = FileGate::default();
    let picture = picture(&args.picture, &mut gate)?;
    args.traces.iter().try_for_each(|path| gate.reads(path))?;
    let courses = args.traces.iter().map(|path| course(path)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut options = ConvergenceOptions::default();
    options.time_scale = if args.linear_time { TimeScale::Linear } else { TimeScale::Log };
    options.width = args.picture.width.unwrap_or(options.width);
    options.title = args.picture.title.clone().unwrap_or(options.title);
    let drawn = match picture {
        Picture::Svg => convergence_svg(&courses, &options)?,
        Picture::Html => convergence_html(&courses, &options)?,
    };
    output::write(&args.picture.output, &drawn)
}

/// The course of the run that a trace tells.
fn course(path: &Path) -> anyhow::Result<Course> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut course = Course { cost: Series { name, points: Vec::new() }, bound: Vec::new() };
    let mut rows = Rows::open(path)?;
    let has_bound = rows.has("bound")?;
    // Without bounds any column will do: it is not looked at.
    let bound = if has_bound { "bound" } else { "time_s" };
    rows.read([&["time_s"], &["makespan", "value", "length"], &[bound]], |[time, cost, bound]| {
        let time = number(time)?;
        course.cost.points.push((time, number(cost)?));
        // Zero is what is known before anything is proven.
        let bound = if has_bound { number(bound)? } else { 0.0 };
        if bound > 0.0 {
            course.bound.push((time, bound));
        }
        Ok(())
    })?;
    Ok(course)
}

fn boxplot(args: &BoxplotArgs) -> anyhow::Result<()> {
    let mut gate = FileGate::default();
    let picture = picture(&args.picture, &mut gate)?;
    gate.reads(&args.runs)?;
    if Rows::open(&args.runs)?.has("primal_integral")? {
        // Rows of a bench are checked as a bench checks them.
        read_rows::<Row>(&args.runs)?;
    }
    let mut samples: Vec<Sample> = Vec::new();
    let columns: [&[&str]; 3] = [&["algorithm"], &["group", "instance"], &["rpd"]];
    Rows::open(&args.runs)?.read(columns, |[algorithm, group, rpd]| {
        let value = number(rpd)?;
        match samples.iter_mut().find(|sample| sample.algorithm == algorithm && sample.group == group) {
            Some(sample) => sample.values.push(value),
            None => samples.push(Sample {
                group: group.to_string(),
                algorithm: algorithm.to_string(),
                values: vec![value],
            }),
        }
        Ok(())
    })?;
    let mut options = BoxplotOptions::default();
    options.width = args.picture.width.unwrap_or(options.width);
    options.title = args.picture.title.clone().unwrap_or(options.title);
    let drawn = match picture {
        Picture::Svg => boxplot_svg(&samples, &options)?,
        Picture::Html => boxplot_html(&samples, &options)?,
    };
    output::write(&args.picture.output, &drawn)
}

/// The rows of a CSV file with a header.
struct Rows<'a> {
    path: &'a Path,
    reader: csv::Reader<std::fs::File>,
}

impl<'a> Rows<'a> {
    fn open(path: &'a Path) -> anyhow::Result<Self> {
        let file = std::fs::File::open(path).with_context(|| format!("{}: cannot read", path.display()))?;
        Ok(Self { path, reader: csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(file) })
    }

    /// Whether there is a column of this name.
    fn has(&mut self, name: &str) -> anyhow::Result<bool> {
        let header =
            self.reader.headers().with_context(|| format!("{}: cannot read", self.path.display()))?;
        Ok(header.iter().any(|column| column == name))
    }

    /// Gives these columns of each row to `take`; of each column's names the first that exists counts.
    fn read<const N: usize>(
        mut self,
        columns: [&[&str]; N],
        mut take: impl FnMut([&str; N]) -> Result<(), String>,
    ) -> anyhow::Result<()> {
        let path = self.path.display();
        let header = self.reader.headers().with_context(|| format!("{path}: cannot read"))?.clone();
        let mut places = [0; N];
        for (place, names) in places.iter_mut().zip(columns) {
            let found = names.iter().find_map(|name| header.iter().position(|column| column == *name));
            let Some(found) = found else {
                let found: Vec<&str> = header.iter().collect();
                bail!("{path}:1: there is no column `{}`; found {}", names.join("` or `"), found.join(", "));
            };
            *place = found;
        }
        for row in self.reader.records() {
            let row = row.with_context(|| format!("{path}: cannot read"))?;
            let line = row.position().map_or(0, csv::Position::line);
            let cells = places.map(|place| row.get(place).unwrap_or_default());
            if let Err(reason) = take(cells) {
                bail!("{path}:{line}: {reason}");
            }
        }
        Ok(())
    }
}

fn number(cell: &str) -> Result<f64, String> {
    match cell.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("found `{cell}`, expected a finite number")),
    }
}
