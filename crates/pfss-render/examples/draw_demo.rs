//! Draws demonstration charts of random instances into a folder:
//! `cargo run -p pfss-render --example draw_demo -- FOLDER`.

use std::error::Error;
use std::path::{Path, PathBuf};

use pfss_core::{Instance, JobId, Schedule};
use pfss_render::{
    BoxplotOptions, ConvergenceOptions, Course, GanttOptions, ReferenceLine, Sample, Series, TimeScale,
    boxplot_html, boxplot_svg, convergence_html, convergence_svg, gantt_html, gantt_svg,
};

/// A linear congruential generator: enough for pictures.
struct Generator(u64);

impl Generator {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: draw_demo FOLDER")?);
    std::fs::create_dir_all(&folder)?;
    for (jobs, machines) in [(5, 3), (20, 5), (50, 20), (500, 20), (800, 60), (10_000, 40)] {
        draw_gantt(&folder, jobs, machines)?;
    }
    draw_named(&folder)?;
    draw_convergence(&folder)?;
    draw_boxplot(&folder)
}

fn draw_gantt(folder: &Path, jobs: usize, machines: usize) -> Result<(), Box<dyn Error>> {
    let mut generator = Generator(42);
    let times = (0..jobs * machines).map(|_| generator.below(100) as u32).collect();
    let instance = Instance::new(format!("{jobs} x {machines}"), machines, times)?;
    let order: Vec<JobId> = (0..jobs as JobId).rev().collect();
    let schedule = Schedule::new(&instance, &order)?;
    let bound = f64::from(schedule.makespan()) * 0.97;
    let options = GanttOptions { lower_bound: Some(bound.floor()), ..GanttOptions::default() };
    std::fs::write(
        folder.join(format!("gantt-{jobs}x{machines}.svg")),
        gantt_svg(&instance, &schedule, &options)?,
    )?;
    std::fs::write(
        folder.join(format!("gantt-{jobs}x{machines}.html")),
        gantt_html(&instance, &schedule, &options)?,
    )?;
    Ok(())
}

fn draw_named(folder: &Path) -> Result<(), Box<dyn Error>> {
    let rows = [[3.5, 4.25, 1.0], [2.0, 1.125, 5.0], [0.0, 2.5, 2.25], [6.0, 0.5, 3.0]];
    let jobs = ["Order A & B", "<script>alert(1)</script>", "quote \" ' \\", "Büro"];
    let machines = ["Cutting & edging with a very long name", "Painting", "Packing"];
    let instance = Instance::from_job_rows("Workshop <1>", &rows)?
        .with_job_names(jobs.map(String::from).to_vec())?
        .with_machine_names(machines.map(String::from).to_vec())?;
    let schedule = Schedule::new(&instance, &[3, 0, 1, 2])?;
    let options = GanttOptions::default();
    std::fs::write(folder.join("gantt-named.svg"), gantt_svg(&instance, &schedule, &options)?)?;
    std::fs::write(folder.join("gantt-named.html"), gantt_html(&instance, &schedule, &options)?)?;
    Ok(())
}

fn draw_convergence(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut generator = Generator(7);
    let names = ["iterated-greedy", "iterated-local-search", "beam", "random-search"];
    let courses: Vec<Course> = names
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let (mut time, mut cost) = (0.002 * (index + 1) as f64, 6700.0 + 90.0 * index as f64);
            let mut points = Vec::new();
            while time < 30.0 {
                points.push((time, f64::round(cost)));
                time *= 1.1 + generator.below(60) as f64 / 100.0;
                cost -= generator.below(30) as f64 / 100.0 * (cost - 6210.0) * (4 - index) as f64 / 6.0;
            }
            Series { name: (*name).to_owned(), points }.into()
        })
        .collect();
    for (file, time_scale) in [("linear", TimeScale::Linear), ("log", TimeScale::Log)] {
        let reference = |label: &str, value| ReferenceLine { label: label.to_owned(), value };
        let options = ConvergenceOptions {
            title: "ta081, 100 x 20".to_owned(),
            time_scale,
            references: vec![reference("best known", 6202.0), reference("lower bound", 6106.0)],
            end_time: Some(30.0),
            ..ConvergenceOptions::default()
        };
        std::fs::write(folder.join(format!("convergence-{file}.svg")), convergence_svg(&courses, &options)?)?;
        std::fs::write(
            folder.join(format!("convergence-{file}.html")),
            convergence_html(&courses, &options)?,
        )?;
    }
    Ok(())
}

fn draw_boxplot(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut generator = Generator(3);
    let mut samples = Vec::new();
    for (size, group) in ["20x5", "20x10", "20x20", "50x5", "50x10", "50x20"].iter().enumerate() {
        for (index, algorithm) in ["iterated-greedy", "beam", "neh"].iter().enumerate() {
            let centre = 0.4 + index as f64 * 0.9 + size as f64 * 0.15;
            let mut value = || centre + (generator.below(100) + generator.below(100)) as f64 / 120.0 - 0.4;
            let mut values: Vec<f64> = (0..25).map(|_| value().max(0.0)).collect();
            values.push(centre + 2.0);
            samples.push(Sample { group: (*group).to_owned(), algorithm: (*algorithm).to_owned(), values });
        }
    }
    let options = BoxplotOptions::default();
    std::fs::write(folder.join("boxplot.svg"), boxplot_svg(&samples, &options)?)?;
    std::fs::write(folder.join("boxplot.html"), boxplot_html(&samples, &options)?)?;
    Ok(())
}
