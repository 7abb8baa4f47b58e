//! Instances that arguments stand for, and how long reading them took.

use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use pfss_core::timing::{Attributes, Line};
use pfss_core::{Instance, Time};
use pfss_io::{Entry, resolve_with};

use crate::args::{PlanArgs, SourceArgs};
use crate::console::{Console, tell};
use crate::gate::FileGate;

/// An instance and the time spent on reading it, which counts as part of its run.
pub(crate) struct Task {
    pub(crate) entry: Entry,
    pub(crate) reading: Duration,
}

/// Reads every instance that the arguments stand for. Nothing is solved before all of them are known to be
/// good, so a mistake in the last one costs no time.
pub(crate) fn read_all(
    arguments: &[String],
    args: &SourceArgs,
    plan: &PlanArgs,
    gate: &mut FileGate,
    console: Console,
) -> anyhow::Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for argument in arguments {
        let (entries, reading) = read(argument, args, plan, gate, console)?;
        console.note(&format!("{argument}: read in {:.3} s", reading.as_secs_f64()));
        let first = tasks.len();
        tasks.extend(entries.into_iter().map(|entry| Task { entry, reading: Duration::ZERO }));
        if let Some(task) = tasks.get_mut(first) {
            task.reading = reading;
        }
    }
    Ok(tasks)
}

/// The one instance that an argument stands for.
pub(crate) fn read_one(
    argument: &str,
    args: &SourceArgs,
    plan: &PlanArgs,
    gate: &mut FileGate,
    console: Console,
) -> anyhow::Result<Entry> {
    let (mut entries, _) = read(argument, args, plan, gate, console)?;
    match (entries.pop(), entries.len()) {
        (Some(entry), 0) => Ok(entry),
        (_, others) => {
            bail!("{argument}: holds {} instances, one is needed; pick one with `{argument}#1`", others + 1)
        }
    }
}

/// All instances that an argument stands for with what is planned for them, and how long reading took. Waiting for the
/// program at the other end of a pipe does not count.
pub(crate) fn read(
    argument: &str,
    args: &SourceArgs,
    plan: &PlanArgs,
    gate: &mut FileGate,
    console: Console,
) -> anyhow::Result<(Vec<Entry>, Duration)> {
    if is_stdin(argument) {
        gate.reads(Path::new("-"))?;
    }
    let stdin = if is_stdin(argument) { read_stdin()? } else { Vec::new() };
    let start = Instant::now();
    let overrides = plan.overrides()?;
    if let Some(table) = &plan.setup {
        gate.reads(table)?;
    }
    let options = args.options(plan.clock()?);
    let mut entries = resolve_with(argument, &data_folders(args), &options, &mut stdin.as_slice())?;
    for entry in &mut entries {
        overrides.apply(entry)?;
        entry.line().map_err(|error| anyhow!("{argument}: {error}"))?;
    }
    gate.reads_all(&entries)?;
    let elapsed = start.elapsed();
    tell_notes(argument, &entries, console);
    Ok((entries, elapsed))
}

/// Tells what is worth knowing about how instances were read, each thing once.
fn tell_notes(argument: &str, entries: &[Entry], console: Console) {
    let mut told = Vec::new();
    for note in entries.iter().flat_map(Entry::notes) {
        if !told.contains(&note) {
            console.say(&format!("{argument}: {note}"));
            told.push(note);
        }
    }
}

/// [`read`] for commands that know times only: whatever else jobs and machines carry is refused.
pub(crate) fn read_plain(
    argument: &str,
    args: &SourceArgs,
    gate: &mut FileGate,
    console: Console,
) -> anyhow::Result<Vec<Entry>> {
    let (entries, _) = read(argument, args, &PlanArgs::default(), gate, console)?;
    match entries.iter().find(|entry| !entry.attributes.is_plain()) {
        Some(entry) => bail!(
            "{argument}: `{}` carries more than times (due dates, set-ups, breaks, an objective, ...), which this command does not know; `pfss solve` does",
            entry.instance.name()
        ),
        None => Ok(entries),
    }
}

/// The instance with all that it carries, checked; `None` where it carries times only.
pub(crate) fn line_of(entry: &Entry) -> anyhow::Result<Option<Line>> {
    entry.line().map_err(|error| anyhow!("{}: {error}", entry.instance.name()))
}

/// An instance without attributes as a line, for charts with dates; none where times have very many decimals.
pub(crate) fn plain_line<T: Time>(instance: &Instance<T>) -> Option<Line> {
    Line::new(instance, &Attributes::default()).ok()
}

/// Whether the argument names standard input, of which there is only one.
pub(crate) fn is_stdin(argument: &str) -> bool {
    argument == "-" || argument.starts_with("-#")
}

/// Fails when more than one argument wants to read standard input.
pub(crate) fn check_stdin<'a>(arguments: impl IntoIterator<Item = &'a str>) -> anyhow::Result<()> {
    if arguments.into_iter().filter(|argument| is_stdin(argument)).count() > 1 {
        bail!("`-` stands more than once, but standard input can be read only once; use a file");
    }
    Ok(())
}

/// Everything on standard input.
pub(crate) fn read_stdin() -> anyhow::Result<Vec<u8>> {
    let mut stdin = io::stdin().lock();
    if stdin.is_terminal() {
        tell("reading from the terminal; end with Ctrl-D on an empty line");
    }
    let mut bytes = Vec::new();
    stdin.read_to_end(&mut bytes).context("stdin: cannot read")?;
    Ok(bytes)
}

/// Where named instances are looked for: `--data`, then `$PFSS_DATA`, then `./data`.
pub(crate) fn data_folders(args: &SourceArgs) -> Vec<PathBuf> {
    args.data.iter().cloned().chain(default_folders()).collect()
}

/// Where named instances are looked for without `--data`.
pub(crate) fn default_folders() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    if let Some(paths) = std::env::var_os("PFSS_DATA") {
        folders.extend(std::env::split_paths(&paths).filter(|path| !path.as_os_str().is_empty()));
    }
    folders.push(PathBuf::from("data"));
    folders
}

/// A moment that lies `duration` in the past: the clock of a run whose instance took so long to read.
pub(crate) fn started_before(duration: Duration) -> Instant {
    let now = Instant::now();
    now.checked_sub(duration).unwrap_or(now)
}
