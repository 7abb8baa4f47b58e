//! `pfss solve`: the main job.

mod latest;
mod outputs;
mod plan;
mod report;
mod settings;
mod trace;
#[cfg(feature = "tsp")]
mod tsp;
mod watch;

use std::time::Instant;

use anyhow::{Context, anyhow};
use pfss::ShopTime;
use pfss_core::{CancelFlag, Instance, Outcome, Permutation, Run, SolveError, check};
use pfss_io::{ResultRecord, instance_hash, match_instance};

use crate::args::{ProblemName, SolveArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::moment::Moment;
use crate::order::OrderText;
use crate::progress::Progress;
use crate::source::Task;
use crate::{interrupt, source};
use latest::Latest;
use outputs::{Files, Outputs};
use plan::Plan;
use trace::Trace;
use watch::Watch;

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
    let plan = Plan::new(args, console)?;
    source::check_stdin(args.instances.iter().map(String::as_str).chain(args.start.as_deref()))?;
    let mut outputs = Outputs::new(&args.outputs, console)?;
    let start = args.start.as_ref().map(|start| OrderText::load(start, args.one_based)).transpose()?;
    let tasks = source::read_all(&args.instances, &args.source, console)?;
    let names: Vec<&str> = tasks.iter().map(|task| task.entry.instance.name()).collect();
    let files = outputs.files(&names)?;
    let starts = tasks
        .iter()
        .map(|task| start.as_ref().map(|start| start.permutation(&task.entry.instance)).transpose())
        .collect::<anyhow::Result<Vec<Option<Permutation>>>>()?;
    console.note(&plan.describe());

    let mut exit = Exit::Success;
    let num_tasks = tasks.len();
    for (index, ((task, start), files)) in tasks.into_iter().zip(starts).zip(files).enumerate() {
        if index > 0 && cancel.is_cancelled() {
            console.warn(&format!("interrupted: {} instances were not started", num_tasks - index));
            break;
        }
        let job = Job { plan: &plan, start, cancel: cancel.clone(), console, files: &files };
        let record = job.solve(&task, &mut outputs)?;
        if plan.misses_target(&record) {
            exit = Exit::Negative;
        }
    }
    Ok(exit)
}

/// One instance to solve.
struct Job<'a> {
    plan: &'a Plan,
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
        let ((outcome, failure), console) = {
            let latest = outputs.rewrites(self.files).then(Latest::default);
            let progress = Progress::start(self.console, instance.name(), clock.elapsed());
            let watch = Watch { trace: &trace, latest: latest.as_ref(), progress: &progress };
            let start = self.start.take();
            let outcome = std::thread::scope(|scope| {
                let _closing = latest.as_ref().map(Latest::closing);
                if let Some(latest) = &latest {
                    let (plan, outputs, files) = (self.plan, &*outputs, self.files);
                    scope.spawn(move || {
                        latest.each(|outcome| {
                            if check(instance, &outcome.order, Some(outcome.cost)).is_ok() {
                                outputs.rewrite(files, &plan.running(instance, outcome));
                            }
                        });
                    });
                }
                self.search(instance, clock, start, &watch)
            });
            let end = outcome.as_ref().ok().map(|(outcome, _)| Moment::end(outcome));
            progress.finish(end.as_ref());
            (outcome?, self.console)
        };
        let traced = trace.finish(&Moment::end(&outcome));
        // Nothing is reported that the plain recurrence does not confirm.
        check(instance, &outcome.order, Some(outcome.cost))
            .context("the algorithm's result is wrong, which is a defect worth reporting")?;
        let mut record = self.plan.record(instance, &outcome);
        record.instance_hash = Some(hash);
        outputs.finish(self.files, instance, &record, traced, console)?;
        match failure {
            None => Ok(record),
            Some(failure) => Err(failure),
        }
    }

    /// The answer, and where a part of the search failed, why: what was found is not lost then.
    fn search<T: ShopTime>(
        &self,
        instance: &Instance<T>,
        clock: Instant,
        start: Option<Permutation>,
        watch: &Watch<'_, T>,
    ) -> anyhow::Result<(Outcome<T>, Option<anyhow::Error>)> {
        let solver = self.plan.solver::<T>()?;
        let mut run = Run::new(self.plan.seed, self.plan.limits(instance))
            .started_at(clock)
            .with_cancel(self.cancel.clone())
            .with_threads(self.plan.threads)
            .with_memory(self.plan.memory)
            .with_observer(watch);
        if let Some(start) = start {
            run = run.with_start(start);
        }
        let named = |error: SolveError| anyhow!(error).context(instance.name().to_string());
        match solver.solve(instance, &run) {
            Ok(outcome) => Ok((outcome, None)),
            Err(error @ SolveError::Failed { .. }) => match run.answer() {
                Ok(best) => Ok((best, Some(named(error)))),
                Err(_) => Err(named(error)),
            },
            Err(error) => Err(named(error)),
        }
    }
}
