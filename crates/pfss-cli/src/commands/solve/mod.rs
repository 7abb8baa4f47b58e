//! `pfss solve`: the main job.

mod latest;
mod outputs;
mod plan;
mod planned;
#[cfg(feature = "mpi")]
mod ranks;
mod report;
mod settings;
mod trace;
#[cfg(feature = "tsp")]
mod tsp;
mod watch;

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, anyhow};
use pfss::planner::{LineBuilder, algorithm_of};
use pfss::{CheckpointFile, FlowShopBuilders, Keeper, ShopTime};
use pfss_core::timing::{self, Line, Timetable};
use pfss_core::{CancelFlag, Instance, Outcome, Permutation, Run, Schedule, Seed, Time, check};
use pfss_io::schedule::ScheduleTable;
use pfss_io::{Clock, ResultRecord, instance_hash, match_instance};
use pfss_render::{GanttOptions, PlanChart};

use crate::args::{ProblemName, SolveArgs};
use crate::commands::charts::{draw_gantt, draw_plan};
use crate::commands::seed::draw_seed;
use crate::console::Console;
use crate::exit::Exit;
use crate::gate::FileGate;
use crate::machine::cores;
use crate::moment::{Moment, Plain};
use crate::order::OrderText;
use crate::output::Picture;
use crate::source::Task;
use crate::{interrupt, source};
use outputs::{Answer, Files, Outputs};
use plan::{Plan, Solved, answered, solve_here};
use planned::PlannedJob;
use trace::Trace;
use watch::{Watch, Watching};

pub(super) use settings::read as read_settings;

/// Solves the instances one after the other. Everything that can be wrong with the arguments is found before
/// the first one starts.
pub(super) fn run(args: &SolveArgs, console: Console) -> anyhow::Result<Exit> {
    match args.problem {
        ProblemName::FlowShop => run_shops(args, console),
        #[cfg(feature = "tsp")]
        ProblemName::Tsp => tsp::run(args, console),
    }
}

fn run_shops(args: &SolveArgs, console: Console) -> anyhow::Result<Exit> {
    let cancel = interrupt::install()?;
    let clock = args.plan.clock()?;
    warn_of_threads(args, console);
    source::check_stdin(args.instances.iter().map(String::as_str).chain(args.start.as_deref()))?;
    let mut outputs = Outputs::new(&args.outputs, console)?;
    let mut gate = FileGate::default();
    let start = args.start.as_ref().map(|start| OrderText::load(start, args.one_based)).transpose()?;
    args.start.as_ref().map_or(Ok(()), |start| gate.reads_plan(Path::new(start)))?;
    let tasks = source::read_all(&args.instances, &args.source, &args.plan, &mut gate, console)?;
    let lines = tasks.iter().map(|task| source::line_of(&task.entry)).collect::<anyhow::Result<Vec<_>>>()?;
    let plans = Plans::new(args, &lines, console)?;
    let names: Vec<&str> = tasks.iter().map(|task| task.entry.instance.name()).collect();
    plans.tell(args.config.as_deref(), &mut gate)?;
    let files = outputs.files(&names, &mut gate)?;
    let starts = tasks
        .iter()
        .zip(&lines)
        .map(|(task, line)| start.as_ref().map(|start| start_order(start, task, line.as_ref())).transpose())
        .collect::<anyhow::Result<Vec<Option<Permutation>>>>()?;

    let mut exit = Exit::Success;
    let num_tasks = tasks.len();
    let rest = lines.iter().zip(starts).zip(&files);
    for (index, (task, ((line, start), files))) in tasks.iter().zip(rest).enumerate() {
        if index > 0 && cancel.is_cancelled() {
            console.warn(&format!("interrupted: {} instances were not started", num_tasks - index));
            exit = Exit::Interrupted;
            break;
        }
        let cancel = cancel.clone();
        let misses = match (line, &plans.shops) {
            (Some(line), _) => {
                let plan = plans.of(line)?;
                let job = PlannedJob { plan, line, clock, start, cancel, console, files };
                let started = source::started_before(task.reading);
                plan.misses_target(&job.solve(&task.entry, started, &mut outputs)?)
            }
            (None, Some(plan)) => {
                let job = Job { plan, clock, start, cancel, console, files };
                plan.misses_target(&job.solve(task, &mut outputs)?)
            }
            _ => false,
        };
        if misses {
            exit = Exit::Negative;
        }
    }
    Ok(exit)
}

/// How instances are solved: those with times only, and those that carry more, by the algorithms that they have. Each is
/// there where it is needed.
struct Plans {
    shops: Option<Plan<FlowShopBuilders>>,
    lines: Vec<Plan<LineBuilder>>,
    algorithm: String,
}

impl Plans {
    fn new(args: &SolveArgs, lines: &[Option<Line>], console: Console) -> anyhow::Result<Self> {
        let seed = Seed::new(args.seed.unwrap_or_else(draw_seed));
        let mut plans = Self { shops: None, lines: Vec::new(), algorithm: args.algorithm.clone() };
        if lines.iter().any(Option::is_none) {
            let plan = Plan::new(pfss::algorithm(&args.algorithm)?, args, seed)?;
            console.note(&plan.describe());
            plans.shops = Some(plan);
        }
        for line in lines.iter().flatten() {
            let algorithm = algorithm_of(line, &args.algorithm)?;
            if plans.lines.iter().all(|plan| !std::ptr::eq(plan.algorithm, algorithm)) {
                let plan = Plan::new(algorithm, args, seed)?;
                console.note(&plan.describe());
                plans.lines.push(plan);
            }
        }
        Ok(plans)
    }

    /// How this line is solved.
    fn of(&self, line: &Line) -> anyhow::Result<&Plan<LineBuilder>> {
        let algorithm = algorithm_of(line, &self.algorithm)?;
        let plan = self.lines.iter().find(|plan| std::ptr::eq(plan.algorithm, algorithm));
        plan.ok_or_else(|| anyhow!("{}: no algorithm was chosen for it", line.shop().name()))
    }

    /// Tells which files the settings name.
    fn tell(&self, config: Option<&Path>, gate: &mut FileGate) -> anyhow::Result<()> {
        if let Some(Plan { algorithm, settings, .. }) = &self.shops {
            gate.reads_settings(config, &algorithm.parameters(), settings)?;
        }
        for Plan { algorithm, settings, .. } in &self.lines {
            gate.reads_settings(config, &algorithm.parameters(), settings)?;
        }
        Ok(())
    }
}

fn warn_of_threads(args: &SolveArgs, console: Console) {
    let (cores, threads) = (cores(), args.threads.map_or(0, usize::from));
    if threads > cores {
        console.warn(&format!("{threads} threads share {cores} cores; more threads than cores do not help"));
    }
}

/// The order to start from, which must be one that the instance allows.
fn start_order(start: &OrderText, task: &Task, line: Option<&Line>) -> anyhow::Result<Permutation> {
    let order = start.permutation(&task.entry.instance)?;
    if let Some(line) = line {
        timing::check(line, &order, None).map_err(|error| anyhow!("the order to start from: {error}"))?;
    }
    Ok(order)
}

/// One instance to solve.
struct Job<'a> {
    plan: &'a Plan<FlowShopBuilders>,
    clock: Option<Clock>,
    start: Option<Permutation>,
    cancel: CancelFlag,
    console: Console,
    files: &'a Files,
}

impl Job<'_> {
    /// Solves the instance, writes its files and prints its result.
    fn solve(self, task: &Task, outputs: &mut Outputs) -> anyhow::Result<ResultRecord> {
        let clock = source::started_before(task.reading);
        let any = &task.entry.instance;
        match_instance!(any, instance => self.solve_typed(instance, clock, outputs))
    }

    fn solve_typed<T: ShopTime>(
        mut self,
        instance: &Instance<T>,
        clock: Instant,
        outputs: &mut Outputs,
    ) -> anyhow::Result<ResultRecord> {
        let trace = Trace::new(self.files.trace.as_deref(), "makespan");
        // Before the search, so that the time limit covers it.
        let hash = instance_hash(instance);
        let (start, console) = (self.start.take(), self.console);
        let rewritten = |outcome: &Outcome<T>| {
            check(instance, &outcome.order, Some(outcome.cost)).ok()?;
            Some(self.plan.record(instance, outcome))
        };
        let watching = Watching { outputs, files: self.files, trace: &trace, figures: &Plain, console };
        let (outcome, failure) = watching
            .over(instance.name(), clock, rewritten, |watch| self.search(instance, clock, start, watch))?;
        let traced = trace.finish(&Moment::end(&outcome, &Plain));
        // Nothing is reported that the plain recurrence does not confirm.
        check(instance, &outcome.order, Some(outcome.cost))
            .context("the algorithm's result is wrong, which is a defect worth reporting")?;
        let mut record = self.plan.record(instance, &outcome);
        record.instance_hash = Some(hash);
        let answer = PlainAnswer { instance, order: &outcome.order, clock: self.clock };
        outputs.finish(self.files, &record, &answer, traced, console)?;
        match failure {
            None => Ok(record),
            Some(failure) => Err(failure),
        }
    }

    /// The answer, and where a part of the search failed, why.
    fn search<T: ShopTime>(
        &self,
        instance: &Instance<T>,
        clock: Instant,
        start: Option<Permutation>,
        watch: &Watch<'_, T>,
    ) -> anyhow::Result<(Outcome<T>, Option<anyhow::Error>)> {
        let file = |folder: &Path| CheckpointFile::new(folder, instance);
        let keeper = self.plan.keeper(instance, instance.name(), file, self.console)?;
        let run = self.plan.run(self.plan.limits(instance), clock, &self.cancel, start, watch);
        answered(instance.name(), self.run(instance, run, keeper.as_ref())?)
    }

    /// What the solver says, and the best order also where a part of it failed.
    fn run<T: ShopTime>(
        &self,
        instance: &Instance<T>,
        run: Run<'_, T>,
        keeper: Option<&Keeper>,
    ) -> anyhow::Result<Solved<T>> {
        let solver = self.plan.solver::<T>()?;
        #[cfg(feature = "mpi")]
        if let Some(leader) = crate::job::leader() {
            let (threads, memory) = self.plan.per_rank;
            let (portable, settings) = (instance.into(), &self.plan.settings);
            let task = pfss_mpi::Task { instance, portable, solver, settings, threads, memory, keeper };
            let answer = ranks::solve(leader, task, run, self.files.result(), self.console)?;
            return Ok((answer.outcome, answer.best));
        }
        solve_here(solver.as_ref(), instance, run, keeper)
    }
}

/// A schedule of jobs with times only.
struct PlainAnswer<'a, T> {
    instance: &'a Instance<T>,
    order: &'a Permutation,
    clock: Option<Clock>,
}

impl<T: Time> Answer for PlainAnswer<'_, T> {
    fn schedule(&self) -> anyhow::Result<ScheduleTable> {
        let schedule = Schedule::new(self.instance, self.order)?;
        Ok(ScheduleTable::new(self.instance, &schedule, self.clock.as_ref()))
    }

    fn write_csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        match self.clock {
            Some(_) => Ok(out.write_all(self.schedule()?.to_csv().as_bytes())?),
            None => Ok(outputs::write_schedule(out, self.instance, self.order)?),
        }
    }

    fn gantt(&self, picture: Picture, bound: f64) -> anyhow::Result<String> {
        // Only the chart of plans has an axis of dates.
        if let Some(clock) = &self.clock
            && let Some(line) = source::plain_line(self.instance)
        {
            let table = Timetable::new(&line, self.order)?;
            return draw_plan(&line, &table, Some(clock), picture, &PlanChart::default());
        }
        let options = GanttOptions { lower_bound: Some(bound), ..GanttOptions::default() };
        draw_gantt(self.instance, self.order, picture, &options)
    }
}
