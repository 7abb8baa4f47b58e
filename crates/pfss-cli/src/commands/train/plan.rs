//! `pfss train plan`: several trainings, one after the other or side by side, as processes of their own.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Parser;
use pfss_core::CancelFlag;
use pfss_experiments::{PlannedTraining, read_training_plan};
use serde_json::{Value, json};
use sysinfo::{Pid, ProcessesToUpdate, Signal, System};

use crate::args::{self, Cli, CourseArgs, ProgressName, RunArgs, TrainKind, TrainPlanArgs};
use crate::console::{Console, tell};
use crate::exit::{Exit, INTERRUPTED};
use crate::interrupt;
use crate::machine::cores;

/// How often a wait for processes looks at interrupts.
const LOOK: Duration = Duration::from_millis(50);

/// A training of a plan.
#[derive(Debug)]
struct Task {
    name: String,
    /// The words behind `pfss`.
    words: Vec<String>,
    output: PathBuf,
    /// The tasks that make what it learns from or starts from.
    needs: Vec<usize>,
}

/// How trainings of a plan are run.
pub(in crate::commands) struct Manner {
    /// How many side by side.
    pub(in crate::commands) at_once: usize,
    /// What each command gets, in the place of its own words where it has the same option.
    pub(in crate::commands) options: Vec<String>,
    pub(in crate::commands) progress: ProgressName,
}

/// Runs the trainings of a file.
pub(super) fn run(args: &TrainPlanArgs, console: Console) -> anyhow::Result<Exit> {
    let shown = args.plan.display();
    let text = std::fs::read_to_string(&args.plan).with_context(|| format!("{shown}: cannot read"))?;
    let trainings = read_training_plan(&text).with_context(|| format!("{shown}: is no plan of trainings"))?;
    let manner = Manner {
        at_once: args.at_once.map_or(1, usize::from),
        options: args.options.clone(),
        progress: args.progress,
    };
    let cancel = interrupt::install()?;
    run_all(&trainings, &args.only, &manner, &cancel, console).with_context(|| format!("{shown}"))
}

/// Runs trainings.
pub(in crate::commands) fn run_all(
    trainings: &[PlannedTraining],
    only: &[String],
    manner: &Manner,
    cancel: &CancelFlag,
    console: Console,
) -> anyhow::Result<Exit> {
    let tasks = tasks(trainings, &manner.options)?;
    let wanted = wanted(&tasks, only)?;
    let outcome = Shop::new(&tasks, wanted, manner, console)?.run(cancel)?;
    outcome.tell(&tasks, console)
}

/// What the commands ask for.
fn tasks(trainings: &[PlannedTraining], options: &[String]) -> anyhow::Result<Vec<Task>> {
    let mut tasks: Vec<Task> = Vec::new();
    let mut used: Vec<Vec<PathBuf>> = Vec::new();
    for (number, training) in trainings.iter().enumerate() {
        // What a network is trained with says nothing to an expert.
        let is_prepared = matches!(training.words.get(1).map(String::as_str), Some("label" | "guide"));
        let words = with_options(&training.words, if is_prepared { &[] } else { options });
        let failed = || format!("training {}: `{}`", number + 1, training.command());
        let (output, inputs) = places(&words).with_context(failed)?;
        let name = training.id.clone().unwrap_or_else(|| {
            output
                .file_stem()
                .map_or_else(|| output.display().to_string(), |name| name.to_string_lossy().into())
        });
        if tasks.iter().any(|task| task.name == name) {
            bail!("two trainings are called {name}; give one of them another `id`");
        }
        if let Some(other) = tasks.iter().find(|task| task.output == output) {
            bail!("{} and {name} write to the same place, {}", other.name, output.display());
        }
        tasks.push(Task { name, words, output, needs: Vec::new() });
        used.push(inputs);
    }
    for (task, inputs) in used.into_iter().enumerate() {
        let makes = |other: &Task| inputs.iter().any(|input| input.starts_with(&other.output));
        let needs = (0..tasks.len()).filter(|&other| other != task && makes(&tasks[other])).collect();
        tasks[task].needs = needs;
    }
    if let Some(ring) = ring(&tasks) {
        bail!("{ring} waits for itself: what it learns from or starts from needs it");
    }
    Ok(tasks)
}

/// A task that waits for itself.
fn ring(tasks: &[Task]) -> Option<&str> {
    let mut is_done = vec![false; tasks.len()];
    loop {
        let next =
            (0..tasks.len()).find(|&at| !is_done[at] && tasks[at].needs.iter().all(|&need| is_done[need]));
        match next {
            Some(at) => is_done[at] = true,
            None => return is_done.iter().position(|done| !done).map(|at| tasks[at].name.as_str()),
        }
    }
}

/// The words of a command with options of the plan, which replace its own.
pub(in crate::commands) fn with_options(words: &[String], options: &[String]) -> Vec<String> {
    let is_option = |word: &String| word.starts_with('-') && word.len() > 1 && word.parse::<f64>().is_err();
    let replaced: Vec<&String> = options.iter().filter(|word| is_option(word)).collect();
    let mut kept = Vec::new();
    let mut is_replaced = false;
    for word in words {
        if is_option(word) {
            let name = word.split('=').next().unwrap_or(word);
            is_replaced = replaced.iter().any(|option| option.split('=').next() == Some(name));
        }
        if !is_replaced {
            kept.push(word.clone());
        }
    }
    kept.extend(options.iter().cloned());
    kept
}

/// Where a training writes, and the files that it reads.
fn places(words: &[String]) -> anyhow::Result<(PathBuf, Vec<PathBuf>)> {
    let program = std::iter::once("pfss").chain(words.iter().map(String::as_str));
    let cli = Cli::try_parse_from(program).map_err(|error| anyhow::anyhow!("{error}"))?;
    let args::Command::Train(args) = cli.command else { bail!("a command begins with `pfss train`") };
    let paths = |texts: &[String]| texts.iter().map(PathBuf::from).collect::<Vec<_>>();
    let of_run = |run: &RunArgs, more: Vec<PathBuf>| {
        (run.output.clone(), run.start.iter().cloned().chain(more).collect::<Vec<_>>())
    };
    let of_course = |course: &CourseArgs, labels: Option<&Path>| {
        let more = [paths(&course.given), paths(&course.validation)].concat();
        of_run(&course.run, more.into_iter().chain(labels.map(Path::to_path_buf)).collect())
    };
    Ok(match args.kind {
        TrainKind::Bc(args) => of_course(&args.course, args.labels.as_deref()),
        TrainKind::Ac(args) => of_course(&args.course, None),
        TrainKind::Pomo(args) => of_course(&args.course, None),
        TrainKind::SelfLabelling(args) => of_course(&args.course, None),
        TrainKind::Front(args) => {
            of_run(&args.run, [paths(&args.given), paths(&args.validation), args.labels].concat())
        }
        TrainKind::Label(args) => (args.output, paths(&args.instances)),
        TrainKind::Guide(args) => (args.output, Vec::new()),
        TrainKind::Portfolio(_) | TrainKind::Plan(_) => {
            bail!("of `pfss train`, a plan holds bc, ac, pomo, self-labelling, front, label and guide")
        }
    })
}

/// The tasks of these names and those that they need; all where nothing is named.
fn wanted(tasks: &[Task], only: &[String]) -> anyhow::Result<Vec<bool>> {
    let mut wanted = vec![only.is_empty(); tasks.len()];
    let mut open: Vec<usize> = Vec::new();
    for name in only {
        match tasks.iter().position(|task| task.name == *name) {
            Some(at) => open.push(at),
            None => {
                let names: Vec<&str> = tasks.iter().map(|task| task.name.as_str()).collect();
                bail!("--only {name}: there is no such training; there are: {}", names.join(", "))
            }
        }
    }
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut wanted[at], true) {
            open.extend(&tasks[at].needs);
        }
    }
    Ok(wanted)
}

/// What became of a task.
#[derive(Clone, Copy, PartialEq)]
enum State {
    /// Not asked for.
    Left,
    Open,
    Runs,
    Done,
    Failed,
    Interrupted,
}

/// What a process says.
enum Word {
    Line(usize, String),
    /// One of its outputs is at its end.
    End,
}

/// The trainings that are left and those that run.
struct Shop<'a> {
    tasks: &'a [Task],
    manner: &'a Manner,
    console: Console,
    program: PathBuf,
    /// Threads of each training.
    threads: usize,
    states: Vec<State>,
    children: BTreeMap<usize, Child>,
    sender: Sender<Word>,
    words: Receiver<Word>,
}

impl<'a> Shop<'a> {
    fn new(
        tasks: &'a [Task],
        wanted: Vec<bool>,
        manner: &'a Manner,
        console: Console,
    ) -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("cannot tell where this program is")?;
        let (sender, words) = channel();
        Ok(Self {
            tasks,
            manner,
            console: console.with_progress(manner.progress),
            program,
            threads: (cores() / manner.at_once.max(1)).max(1),
            states: wanted.into_iter().map(|wanted| if wanted { State::Open } else { State::Left }).collect(),
            children: BTreeMap::new(),
            sender,
            words,
        })
    }

    fn run(mut self, cancel: &CancelFlag) -> anyhow::Result<Outcome> {
        let mut is_told = false;
        loop {
            if cancel.is_cancelled() && !std::mem::replace(&mut is_told, true) {
                self.stop();
            }
            while !is_told && self.children.len() < self.manner.at_once.max(1) {
                let Some(next) = self.next() else { break };
                self.start(next)?;
            }
            if self.children.is_empty() {
                return Ok(Outcome(self.states));
            }
            match self.words.recv_timeout(LOOK) {
                Ok(Word::Line(task, line)) => self.tell(task, &line),
                Ok(Word::End) | Err(RecvTimeoutError::Timeout) => self.collect()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(Outcome(self.states)),
            }
        }
    }

    /// The first task that may begin.
    fn next(&self) -> Option<usize> {
        let is_ready = |at: &usize| {
            let needs = &self.tasks[*at].needs;
            self.states[*at] == State::Open && needs.iter().all(|&need| self.states[need] == State::Done)
        };
        (0..self.tasks.len()).find(is_ready)
    }

    fn start(&mut self, at: usize) -> anyhow::Result<()> {
        let task = &self.tasks[at];
        let json =
            if self.console.writes_progress() { vec!["--progress=json".to_string()] } else { Vec::new() };
        let words = with_options(&task.words, &json);
        let mut command = Command::new(&self.program);
        command.args(&words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let has = |option: &str| words.iter().any(|word| word.starts_with(option));
        if self.manner.at_once > 1 && !has("-j") && !has("--threads") {
            command.arg(format!("-j{}", self.threads));
        }
        // Ctrl-C comes here alone, and is passed on once: a second one would end them in the middle of what they do.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().with_context(|| format!("{}: cannot start", task.name))?;
        let outputs: [Option<Box<dyn Read + Send>>; 2] = [
            child.stdout.take().map(|out| Box::new(out) as _),
            child.stderr.take().map(|out| Box::new(out) as _),
        ];
        for output in outputs.into_iter().flatten() {
            let sender = self.sender.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    // Whoever listened is gone.
                    let _ = sender.send(Word::Line(at, line));
                }
                let _ = sender.send(Word::End);
            });
        }
        self.states[at] = State::Runs;
        self.children.insert(at, child);
        Ok(())
    }

    /// A line of a training, with its name.
    fn tell(&self, at: usize, line: &str) {
        let name = &self.tasks[at].name;
        match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(mut object)) => {
                object.insert("training".to_string(), json!(name));
                tell(&Value::Object(object).to_string());
            }
            _ => self.console.say(&format!("{name}: {line}")),
        }
    }

    /// Takes leave of the processes that have ended.
    fn collect(&mut self) -> anyhow::Result<()> {
        let mut ended: Vec<(usize, ExitStatus)> = Vec::new();
        for (&at, child) in &mut self.children {
            if let Some(status) = child.try_wait()? {
                ended.push((at, status));
            }
        }
        for (at, status) in ended {
            self.children.remove(&at);
            self.states[at] = match status.code() {
                Some(0) => State::Done,
                Some(code) if code == i32::from(INTERRUPTED) => State::Interrupted,
                _ => State::Failed,
            };
        }
        Ok(())
    }

    /// Asks all processes to stop.
    fn stop(&self) {
        let pids: Vec<Pid> = self.children.values().map(|child| Pid::from_u32(child.id())).collect();
        let mut system = System::new();
        system.refresh_processes(ProcessesToUpdate::Some(&pids), true);
        for process in pids.iter().filter_map(|&pid| system.process(pid)) {
            // Where there is no such signal, it is ended: the same command goes on after that too.
            if process.kill_with(Signal::Term).is_none() {
                process.kill();
            }
        }
    }
}

/// What became of all tasks.
struct Outcome(Vec<State>);

impl Outcome {
    fn tell(&self, tasks: &[Task], console: Console) -> anyhow::Result<Exit> {
        let of = |wanted: State| -> Vec<&str> {
            let named = tasks.iter().zip(&self.0).filter(|(_, state)| **state == wanted);
            named.map(|(task, _)| task.name.as_str()).collect()
        };
        let (done, failed, open) = (of(State::Done), of(State::Failed), of(State::Open));
        let interrupted = of(State::Interrupted);
        if !interrupted.is_empty() || (failed.is_empty() && !open.is_empty()) {
            console.warn("interrupted: the same command goes on from here");
            return Ok(Exit::Interrupted);
        }
        if !failed.is_empty() {
            let waits = if open.is_empty() {
                String::new()
            } else {
                format!("; not begun, because they need it: {}", open.join(", "))
            };
            bail!("failed: {}{waits}; the same command goes on with these", failed.join(", "));
        }
        console.say(&format!("{} trainings are done", done.len()));
        Ok(Exit::Success)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(of: &[&str]) -> Vec<PlannedTraining> {
        let entry = |command: &&str| format!("[[trainings]]\ntrain = \"{command}\"\n");
        read_training_plan(&of.iter().map(entry).collect::<String>()).unwrap()
    }

    #[test]
    fn a_training_waits_for_what_it_learns_from_and_starts_from() {
        let tasks = tasks(
            &commands(&[
                "pfss train ac --start runs/il -o runs/both",
                "pfss train bc --labels runs/l.safetensors --validation runs/v.safetensors -o runs/il",
                "pfss train label -n 5 -m 3 -o runs/l.safetensors",
                "pfss train label -n 5 -m 3 -o runs/v.safetensors",
                "pfss train ac -o 'runs/a name'",
            ]),
            &[],
        )
        .unwrap();
        let needs: Vec<&[usize]> = tasks.iter().map(|task| &task.needs[..]).collect();
        assert_eq!(needs, [&[1][..], &[2, 3], &[], &[], &[]]);
        assert_eq!(tasks[4].name, "a name");
        assert_eq!(wanted(&tasks, &["both".to_string()]).unwrap(), [true, true, true, true, false]);
        assert!(
            wanted(&tasks, &["none".to_string()]).unwrap_err().to_string().contains("both, il, l, v, a name")
        );
    }

    #[test]
    fn plans_that_cannot_be_are_refused() {
        for (of, expected) in [
            (&["pfss solve ta001"][..], "begins with `pfss train`"),
            (&["pfss train ac --epoch 3 -o a"], "--epochs"),
            (&["pfss train ac -o a", "pfss train bc -o a"], "called a"),
            (&["pfss train ac -o x/a", "pfss train bc -o y/a"], "called a"),
            (&["pfss train ac -o a --start b", "pfss train ac -o b --start a"], "waits for itself"),
            (&["pfss train portfolio rows.csv --instances s -o p.csv"], "a plan holds"),
        ] {
            let error = tasks(&commands(of), &[]).unwrap_err();
            assert!(format!("{error:#}").contains(expected), "{of:?}: {error:#}");
        }
    }

    #[test]
    fn options_of_the_plan_replace_those_of_a_command() {
        let words = |text: &str| shlex::split(text).unwrap();
        let with = |command: &str, options: &str| with_options(&words(command), &words(options)).join(" ");
        assert_eq!(
            with("train ac --device cuda -o a", "--device cpu -j 1"),
            "train ac -o a --device cpu -j 1"
        );
        assert_eq!(with("train ac --epochs=50 -o a", "--epochs 2"), "train ac -o a --epochs 2");
        assert_eq!(with("train ac --instances a b -o a", "--instances c"), "train ac -o a --instances c");
        assert_eq!(with("train ac -o a", ""), "train ac -o a");
        let plan = commands(&["pfss train label -n 5 -m 3 -o l", "pfss train bc --labels l -o a"]);
        let tasks = tasks(&plan, &words("--device cpu")).unwrap();
        let has = |task: &Task| task.words.contains(&"--device".to_string());
        assert_eq!([has(&tasks[0]), has(&tasks[1])], [false, true]);
    }
}
