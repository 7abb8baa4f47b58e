//! `pfss plot`: schedules and results as pictures.

use std::path::Path;

use anyhow::{Context, bail};
use pfss_core::{Instance, JobId, Schedule, Time, lower_bound};
use pfss_io::match_instance;
use pfss_render::{
    BoxplotOptions, ConvergenceOptions, GanttOptions, Sample, Series, TimeScale, boxplot_html, boxplot_svg,
    convergence_html, convergence_svg, gantt_html, gantt_svg,
};

use crate::args::{BoxplotArgs, ConvergenceArgs, GanttArgs, PictureArgs, PlotArgs, PlotKind};
use crate::exit::Exit;
use crate::order::OrderText;
use crate::output::{self, Picture};
use crate::source;

/// Draws the picture.
pub(super) fn run(args: &PlotArgs) -> anyhow::Result<Exit> {
    match &args.kind {
        PlotKind::Gantt(args) => gantt(args),
        PlotKind::Convergence(args) => convergence(args),
        PlotKind::Boxplot(args) => boxplot(args),
    }?;
    Ok(Exit::Success)
}

/// The kind of picture, once it is known that it can be written.
fn picture(args: &PictureArgs) -> anyhow::Result<Picture> {
    let picture = Picture::of(&args.output)?;
    output::check_target(&args.output)?;
    Ok(picture)
}

fn gantt(args: &GanttArgs) -> anyhow::Result<()> {
    let picture = picture(&args.picture)?;
    source::check_stdin([args.instance.as_str(), args.order.as_str()])?;
    let instance = source::read_one(&args.instance, &args.source)?.instance;
    let order = OrderText::load(&args.order, args.one_based)?.permutation(&instance)?;
    let defaults = GanttOptions::default();
    let options = GanttOptions {
        title: args.picture.title.clone(),
        width: args.picture.width.unwrap_or(defaults.width),
        show_labels: !args.no_labels,
        show_critical_path: !args.no_critical_path,
        lower_bound: Some(match_instance!(&instance, instance => lower_bound(instance).to_f64())),
    };
    let drawn = match_instance!(&instance, instance => draw_gantt(instance, &order, picture, &options))?;
    output::write(&args.picture.output, &drawn)
}

/// The chart of an order.
pub(super) fn draw_gantt<T: Time>(
    instance: &Instance<T>,
    order: &[JobId],
    picture: Picture,
    options: &GanttOptions,
) -> anyhow::Result<String> {
    let schedule = Schedule::new(instance, order)?;
    Ok(match picture {
        Picture::Svg => gantt_svg(instance, &schedule, options)?,
        Picture::Html => gantt_html(instance, &schedule, options)?,
    })
}

fn convergence(args: &ConvergenceArgs) -> anyhow::Result<()> {
    let picture = picture(&args.picture)?;
    let mut series = Vec::new();
    for path in &args.traces {
        let mut points = Vec::new();
        Rows::open(path)?.read([&["time_s"], &["makespan"]], |[time, makespan]| {
            points.push((number(time)?, number(makespan)?));
            Ok(())
        })?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        series.push(Series { name, points });
    }
    let mut options = ConvergenceOptions::default();
    options.time_scale = if args.log { TimeScale::Log } else { TimeScale::Linear };
    options.width = args.picture.width.unwrap_or(options.width);
    options.title = args.picture.title.clone().unwrap_or(options.title);
    options.end_time = series.iter().flat_map(|one| one.points.iter().map(|point| point.0)).reduce(f64::max);
    let drawn = match picture {
        Picture::Svg => convergence_svg(&series, &options)?,
        Picture::Html => convergence_html(&series, &options)?,
    };
    output::write(&args.picture.output, &drawn)
}

fn boxplot(args: &BoxplotArgs) -> anyhow::Result<()> {
    let picture = picture(&args.picture)?;
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

    /// Gives the wanted columns of each row to `take`; of each column's names the first that exists counts.
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
