//! `pfss bench`: algorithms against best-known values.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pfss_experiments::{
    Bench, BenchInstance, Contender, Journal, Monitor, Progress, Provenance, Report, Row, RunLimit,
    Selection, Summary, Task, load_planned, parse_setting, write_new_best_known,
};
use serde_json::json;

use super::hands::with_hands;
use crate::args::{BenchArgs, BenchLimitArgs};
use crate::console::{Console, tell};
use crate::exit::Exit;
use crate::gate::FileGate;
use crate::machine::cores;
use crate::{interrupt, machine, output, source};

/// The time factor where no limit is given.
const DEFAULT_TIME_FACTOR: f64 = 30.0;

/// Runs what is not done yet and prints the summary of the whole bench.
pub(super) fn run(args: &BenchArgs, console: Console) -> anyhow::Result<Exit> {
    let limit = limit(&args.limit)?;
    let selection = Selection::parse(&args.groups, &args.instances)?;
    source::check_stdin(args.sets.iter().map(String::as_str))?;
    let options = args.source.options(args.plan.clock()?);
    let folders = source::data_folders(&args.source);
    let instances = load_planned(&args.sets, &selection, &folders, &options, &args.plan.overrides()?)?;
    let contenders = contenders(args, instances.iter().any(|instance| instance.line().is_some()))?;
    let mut gate = FileGate::default();
    for file in instances.iter().filter_map(BenchInstance::file).chain(args.plan.setup.as_deref()) {
        gate.reads(file)?;
    }
    if let Some(path) = &args.output {
        gate.writes(path)?;
    }
    let mut journal = match &args.output {
        Some(path) => Journal::open(path)?,
        None => Journal::in_memory(),
    };
    if let (Some(path), Some(torn)) = (&args.output, journal.torn()) {
        console.warn(&torn_line(path, torn));
    }
    let workers = args.threads.map_or_else(cores, usize::from);
    if workers > cores() {
        console.warn(&format!("{workers} runs at a time on {} cores slow each other down", cores()));
    }
    let cancel = interrupt::install()?;
    let bench = Bench {
        instances: &instances,
        contenders: &contenders,
        seeds: args.seeds,
        limit,
        workers,
        // The width of a beam depends on it: a limit of evaluations must give the same rows for any number of workers.
        memory: match (args.memory, args.limit.evaluations) {
            (Some(memory), _) => memory / workers,
            (None, Some(_)) => machine::REPRODUCIBLE / 4,
            (None, None) => machine::default_budget() / workers,
        },
        provenance: Provenance::here(env!("PFSS_COMMIT")),
        cancel: cancel.clone(),
        hands: None,
    };
    console.say(&format!(
        "{} instances x {} algorithms x {} seeds, {limit}, {workers} at a time",
        instances.len(),
        contenders.len(),
        args.seeds
    ));
    let progress = BenchProgress::start(console);
    let report = with_hands(args.threads, &cancel, console, |hands| {
        Bench { hands, ..bench }.run(&mut journal, &progress)
    });
    progress.finish();
    let report = report?;
    remark(&report, args.output.is_some(), cancel.is_cancelled(), console);
    output::print(&write_summary(&Summary::new(&report.rows), args)?)?;
    if cancel.is_cancelled() && report.rows.len() + report.failures.len() < report.planned {
        return Ok(Exit::Interrupted);
    }
    Ok(if report.failures.is_empty() { Exit::Success } else { Exit::Negative })
}

fn contenders(args: &BenchArgs, are_lines: bool) -> anyhow::Result<Vec<Contender>> {
    let settings = args.settings.iter().map(|text| parse_setting(text)).collect::<Result<_, _>>()?;
    let parse = if are_lines { Contender::parse_planner } else { Contender::parse };
    Ok(args.algorithms.iter().map(|text| parse(text, &settings)).collect::<Result<_, _>>()?)
}

fn limit(args: &BenchLimitArgs) -> anyhow::Result<RunLimit> {
    Ok(match (args.time_limit, args.evaluations) {
        (Some(time), _) => RunLimit::Time(time),
        (None, Some(evaluations)) => RunLimit::Evaluations(evaluations),
        (None, None) => RunLimit::time_factor(args.time_factor.unwrap_or(DEFAULT_TIME_FACTOR))?,
    })
}

/// That a line was not whole, and so its run is made again.
pub(super) fn torn_line(path: &Path, torn: &str) -> String {
    format!("{}: the last line was not whole and is cut off, its run is made again: {torn}", path.display())
}

/// What is worth knowing about how the rows came about.
fn remark(report: &Report, has_file: bool, is_cancelled: bool, console: Console) {
    if report.reused > 0 {
        console.say(&format!("{} of {} runs were already in the file", report.reused, report.planned));
    }
    if report.reused_from_elsewhere > 0 {
        let count = report.reused_from_elsewhere;
        console.warn(&format!("{count} of these were made by another version, commit or processor"));
    }
    if report.reused_by_name > 0 {
        let count = report.reused_by_name;
        console.warn(&format!(
            "{count} of these do not tell of which numbers they were made (a file of an earlier version): the name of the instance speaks for them"
        ));
    }
    if is_cancelled {
        let how = if has_file { "the same command resumes" } else { "with -o FILE.csv it could be resumed" };
        console.warn(&format!(
            "interrupted: {} of {} runs are done; {how}",
            report.rows.len(),
            report.planned
        ));
    }
    if !report.failures.is_empty() {
        console.warn(&format!("{} runs gave no valid result", report.failures.len()));
    }
}

/// The summary in the format that was asked for.
fn write_summary(summary: &Summary, args: &BenchArgs) -> anyhow::Result<String> {
    if args.json {
        return Ok(summary.to_json()? + "\n");
    }
    let write = |table: pfss_render::Table| if args.markdown { table.to_markdown() } else { table.to_text() };
    let mut text = write(summary.table()?);
    if !summary.comparisons.is_empty() {
        text.push('\n');
        text.push_str(&write(summary.comparison_table()?));
    }
    if !summary.new_best_known.is_empty() {
        text.push_str("\nBelow the best-known makespan (recompute with: pfss check INSTANCE 'ORDER'):\n");
        text.push_str(&write_new_best_known(&summary.new_best_known));
    }
    Ok(text)
}

/// One live line on a terminal; with `-v` a line per run, on a terminal or not.
struct BenchProgress {
    console: Console,
    bar: Option<ProgressBar>,
    running: Mutex<Vec<String>>,
}

impl BenchProgress {
    fn start(console: Console) -> Self {
        let bar = console.shows_progress().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed}  {wide_msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self { console, bar, running: Mutex::new(Vec::new()) }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Tells a line above the live one.
    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => tell(text),
        }
    }

    /// Shows the state after one run was added to or taken from those under way.
    fn show(&self, progress: &Progress, change: impl FnOnce(&mut Vec<String>)) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut running);
        let Some(bar) = &self.bar else { return };
        let left = match progress.remaining {
            Some(time) => format!(", about {} left", coarse(time)),
            None => String::new(),
        };
        let names = running.join(", ");
        bar.set_message(format!("{}/{} done{left}, running: {names}", progress.done, progress.total));
    }
}

impl Monitor for BenchProgress {
    fn started(&self, task: Task<'_>, progress: &Progress) {
        self.show(progress, |running| running.push(name(task.instance, task.algorithm, task.seed)));
    }

    fn finished(&self, row: &Row, progress: &Progress) {
        if self.console.writes_progress() {
            let line = json!({
                "instance": row.instance, "algorithm": row.algorithm, "seed": row.seed, "time_s": row.runtime_s,
                "value": row.makespan, "bound": row.bound, "evaluations": row.evaluations, "done": true,
                "runs_done": progress.done, "runs": progress.total,
            });
            tell(&line.to_string());
        }
        let done = name(&row.instance, &row.algorithm, row.seed);
        if self.console.is_verbose() {
            let rpd = row.rpd.map_or_else(String::new, |rpd| format!(" ({rpd:+.3} %)"));
            let (count, runtime) = (format!("[{}/{}]", progress.done, progress.total), row.runtime_s);
            self.line(&format!(
                "{count} {done}: {}{rpd}, {} in {runtime:.2} s",
                row.makespan, row.stop_reason
            ));
        }
        self.show(progress, |running| running.retain(|other| *other != done));
    }

    fn failed(&self, task: Task<'_>, reason: &str, progress: &Progress) {
        let done = name(task.instance, task.algorithm, task.seed);
        if self.console.writes_progress() {
            let line = json!({
                "instance": task.instance, "algorithm": task.algorithm, "seed": task.seed, "error": reason, "done": true,
                "runs_done": progress.done, "runs": progress.total,
            });
            tell(&line.to_string());
        } else {
            self.line(&format!("error: {done}: {reason}"));
        }
        self.show(progress, |running| running.retain(|other| *other != done));
    }
}

fn name(instance: &str, algorithm: &str, seed: u64) -> String {
    format!("{instance} {algorithm} #{seed}")
}

/// A time in at most two units.
fn coarse(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_two_units() {
        let text = |seconds| coarse(Duration::from_secs(seconds));
        assert_eq!([text(59), text(61), text(7260)], ["59 s", "1 min 1 s", "2 h 1 min"]);
    }
}
