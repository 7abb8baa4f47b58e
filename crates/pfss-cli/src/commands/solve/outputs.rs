//! Where results go: standard output and files, all of them checked before the work starts.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use pfss_core::{Instance, JobId, Time};
use pfss_io::schedule::ScheduleTable;
use pfss_io::{ResultRecord, atomic};

use super::report;
use crate::args::OutputArgs;
use crate::commands::sink::file_name;
use crate::console::Console;
use crate::gate::FileGate;
use crate::output::{self, PLACEHOLDER, Picture};

/// What outputs are made of.
pub(super) trait Answer {
    /// The schedule with names.
    fn schedule(&self) -> anyhow::Result<ScheduleTable>;

    /// The schedule as CSV.
    fn write_csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        Ok(out.write_all(self.schedule()?.to_csv().as_bytes())?)
    }

    /// The chart; `bound` is a proven lower bound on what was minimised.
    fn gantt(&self, picture: Picture, bound: f64) -> anyhow::Result<String>;

    /// What else people want to know, with its label.
    fn remarks(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

/// All outputs of a command.
pub(super) struct Outputs {
    args: Chosen,
    /// The lines of the instances that are done and share a result file.
    finished: String,
}

struct Chosen {
    json: bool,
    result: Option<PathBuf>,
    gantt: Option<PathBuf>,
    trace: Option<PathBuf>,
    schedule: Option<PathBuf>,
    prints_schedule: bool,
}

/// The files of one instance.
pub(super) struct Files {
    result: Option<PathBuf>,
    gantt: Option<(PathBuf, Picture)>,
    pub(super) trace: Option<PathBuf>,
    schedule: Option<PathBuf>,
}

#[cfg(feature = "mpi")]
impl Files {
    /// Where the result is written.
    pub(super) fn result(&self) -> Option<&Path> {
        self.result.as_deref()
    }
}

impl Outputs {
    /// The outputs that the arguments ask for.
    pub(super) fn new(args: &OutputArgs, console: Console) -> anyhow::Result<Self> {
        let is_stdout = |path: &Option<PathBuf>| path.as_ref().is_some_and(|path| path.as_os_str() == "-");
        for (option, path) in [("--gantt", &args.gantt), ("--trace", &args.trace)] {
            if is_stdout(path) {
                bail!("{option} needs a file, because the result goes to standard output");
            }
        }
        let (json, prints_schedule) = (args.json || is_stdout(&args.output), is_stdout(&args.schedule));
        if json && prints_schedule {
            bail!("`--json` and `--schedule -` both print to standard output; write one of them to a file");
        }
        if args.output.is_some() && is_stdout(&args.output) {
            console.note("`-o -` is the same as `--json`");
        }
        let file = |path: &Option<PathBuf>| path.clone().filter(|_| !is_stdout(path));
        let args = Chosen {
            json,
            result: file(&args.output),
            gantt: args.gantt.clone(),
            trace: args.trace.clone(),
            schedule: file(&args.schedule),
            prints_schedule,
        };
        Ok(Self { args, finished: String::new() })
    }

    /// The files of each instance, all different and all writable.
    pub(super) fn files(&self, names: &[&str], gate: &mut FileGate) -> anyhow::Result<Vec<Files>> {
        let mut all = Vec::new();
        for (index, name) in names.iter().enumerate() {
            let own = |path: &Option<PathBuf>| path.as_ref().map(|path| for_instance(path, name));
            let mut claim = |path: &Option<PathBuf>| -> anyhow::Result<Option<PathBuf>> {
                let path = own(path);
                path.as_deref().map_or(Ok(()), |path| gate.writes(path))?;
                Ok(path)
            };
            let gantt = claim(&self.args.gantt)?;
            let gantt = gantt.map(|path| Picture::of(&path).map(|picture| (path, picture))).transpose()?;
            let trace = claim(&self.args.trace)?;
            let schedule = claim(&self.args.schedule)?;
            let result = own(&self.args.result);
            // Several instances may share one file of results.
            if let Some(path) = result.as_deref().filter(|_| index == 0 || self.has_own_result()) {
                gate.writes_result(path)?;
            }
            if !cfg!(feature = "excel") && schedule.as_deref().is_some_and(is_workbook) {
                bail!("this build knows no Excel; write .csv, or build with the feature `excel`");
            }
            all.push(Files { result, gantt, trace, schedule });
        }
        if self.args.prints_schedule && names.len() > 1 {
            bail!("`--schedule -` prints one schedule, not {}; put {PLACEHOLDER} into a path", names.len());
        }
        Ok(all)
    }

    /// Whether each instance has a result file of its own.
    fn has_own_result(&self) -> bool {
        self.args.result.as_ref().is_some_and(|path| has_placeholder(path))
    }

    /// Whether a schedule is asked for.
    pub(super) fn has_schedule(&self) -> bool {
        self.args.schedule.is_some() || self.args.prints_schedule
    }

    /// Whether the result file is rewritten during the run. A pipe or device gets the final result only.
    pub(super) fn rewrites(&self, files: &Files) -> bool {
        files.result.as_ref().is_some_and(|path| !output::is_special(path))
    }

    /// Rewrites the result file during the run. A failure here is no reason to stop: the last write tells.
    pub(super) fn rewrite(&self, files: &Files, record: &ResultRecord) {
        if let (Some(path), Ok(line)) = (&files.result, record.to_json()) {
            let _ = atomic::write(path, format!("{}{line}\n", self.finished).as_bytes());
        }
    }

    /// Writes all files and prints the result; `traced` says how the trace went. What can be written is written: one
    /// failure does not take the answer away.
    pub(super) fn finish(
        &mut self,
        files: &Files,
        record: &ResultRecord,
        answer: &dyn Answer,
        traced: anyhow::Result<()>,
        console: Console,
    ) -> anyhow::Result<()> {
        let line = record.to_json().context("the result has no JSON form")?;
        let written = [
            self.finish_result(files, &line),
            traced,
            finish_schedule(files, answer),
            finish_gantt(files, answer, record),
        ];
        let block = report::human(record, &answer.remarks(), console);
        if self.args.json {
            output::print(&format!("{line}\n"))?;
        } else if self.args.prints_schedule {
            let mut text = Vec::new();
            answer.write_csv(&mut text)?;
            output::print_with(|out| out.write_all(&text))?;
            console.say(&block);
        } else {
            output::print(&block)?;
        }
        written.into_iter().collect()
    }

    fn finish_result(&mut self, files: &Files, line: &str) -> anyhow::Result<()> {
        let Some(path) = &files.result else { return Ok(()) };
        let is_shared = !self.has_own_result() && !output::is_special(path);
        let content = format!("{}{line}\n", self.finished);
        atomic::write(path, content.as_bytes())?;
        if is_shared {
            self.finished = content;
        }
        Ok(())
    }
}

/// Whether a path's ending asks for a workbook.
fn is_workbook(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xlsx"))
}

fn finish_schedule(files: &Files, answer: &dyn Answer) -> anyhow::Result<()> {
    let Some(path) = &files.schedule else { return Ok(()) };
    let mut content = Vec::new();
    if is_workbook(path) {
        content = workbook(&answer.schedule()?)?;
    } else if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")) {
        content = answer.schedule()?.to_json()?.into_bytes();
    } else {
        answer.write_csv(&mut content).context("cannot write the schedule")?;
    }
    Ok(atomic::write(path, &content)?)
}

#[cfg(feature = "excel")]
fn workbook(schedule: &ScheduleTable) -> anyhow::Result<Vec<u8>> {
    schedule.to_workbook().context("cannot write the workbook")
}

#[cfg(not(feature = "excel"))]
fn workbook(_: &ScheduleTable) -> anyhow::Result<Vec<u8>> {
    bail!("this build knows no Excel; write .csv, or build with the feature `excel`")
}

fn finish_gantt(files: &Files, answer: &dyn Answer, record: &ResultRecord) -> anyhow::Result<()> {
    let Some((path, picture)) = &files.gantt else { return Ok(()) };
    let drawn = answer
        .gantt(*picture, record.bound.to_f64())
        .with_context(|| format!("{}: cannot draw", path.display()))?;
    Ok(atomic::write(path, drawn.as_bytes())?)
}

/// Start and end of every operation as CSV, job by job in the order of the schedule.
pub(super) fn write_schedule<T: Time>(
    out: &mut (impl Write + ?Sized),
    instance: &Instance<T>,
    order: &[JobId],
) -> io::Result<()> {
    let machines: Vec<String> =
        (0..instance.num_machines()).map(|machine| instance.machine_label(machine)).collect();
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(["job", "machine", "start", "end"])?;
    let mut machine_free = vec![T::ZERO; machines.len()];
    for &job in order {
        let label = instance.job_label(job);
        let mut job_free = T::ZERO;
        for ((machine, &time), free) in machines.iter().zip(instance.job(job)).zip(&mut machine_free) {
            let start = job_free.maximum(*free);
            job_free = start + time;
            *free = job_free;
            writer.write_record([&label, machine, &start.to_string(), &job_free.to_string()])?;
        }
    }
    writer.flush()
}

pub(super) fn has_placeholder(path: &Path) -> bool {
    path.to_str().is_some_and(|text| text.contains(PLACEHOLDER))
}

pub(super) fn for_instance(path: &Path, name: &str) -> PathBuf {
    match path.to_str() {
        Some(text) => PathBuf::from(text.replace(PLACEHOLDER, &file_name(name))),
        None => path.to_path_buf(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_those_of_the_library() {
        let instance = Instance::from_job_rows("x", &[[3u32, 4, 1], [2, 1, 5], [0, 2, 2]]).unwrap();
        let mut text = Vec::new();
        write_schedule(&mut text, &instance, &[2, 0, 1]).unwrap();
        let expected: String = pfss_core::Schedule::new(&instance, &[2, 0, 1])
            .unwrap()
            .operations()
            .map(|one| format!("{},M{},{},{}\n", one.job, one.machine + 1, one.start, one.end))
            .collect();
        assert_eq!(String::from_utf8(text).unwrap(), format!("job,machine,start,end\n{expected}"));
    }

    #[test]
    fn names_go_into_paths() {
        assert_eq!(for_instance(Path::new("out/{name}.svg"), "a/b#1"), PathBuf::from("out/a_b_1.svg"));
        assert_eq!(for_instance(Path::new("out.svg"), "a"), PathBuf::from("out.svg"));
    }
}
