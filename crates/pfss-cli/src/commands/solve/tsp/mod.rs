//! `pfss solve --problem tsp`: tours instead of schedules.

mod files;
mod report;

use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use pfss::Settings;
use pfss_core::{CancelFlag, Limits, Outcome, Run, Seed, check_order};
use pfss_io::record::Origin;
use pfss_tsp::{TourRecord, TspAlgorithm, TspInstance, resolve_tsp, tsp_algorithm};

use super::latest::Latest;
use super::settings;
use super::trace::Trace;
use super::watch::Watch;
use crate::args::{LimitArgs, SolveArgs};
use crate::commands::seed::draw_seed;
use crate::console::Console;
use crate::exit::Exit;
use crate::gate::FileGate;
use crate::machine::cores;
use crate::moment::{Moment, Plain};
use crate::progress::Progress;
use crate::{interrupt, source};
use files::{TourFiles, TourOutputs};

/// An instance and the time spent on reading it, which counts as part of its run.
struct Task {
    instance: TspInstance,
    reading: Duration,
}

/// How every instance is solved.
struct Plan {
    algorithm: &'static TspAlgorithm,
    settings: Settings,
    config: Settings,
    limits: LimitArgs,
    seed: Seed,
    threads: usize,
}

/// Solves the instances one after the other. Everything that can be wrong with the arguments is found before the
/// first one starts.
pub(super) fn run(args: &SolveArgs, console: Console) -> anyhow::Result<Exit> {
    refuse_others(args)?;
    let cancel = interrupt::install()?;
    let plan = Plan::new(args)?;
    source::check_stdin(args.instances.iter().map(String::as_str))?;
    let mut outputs = TourOutputs::new(&args.outputs)?;
    let mut gate = FileGate::default();
    let tasks = read(args, &mut gate)?;
    gate.reads_settings(args.config.as_deref(), &plan.algorithm.parameters(), &plan.settings)?;
    let names: Vec<&str> = tasks.iter().map(|task| task.instance.name()).collect();
    let files = outputs.files(&names, &mut gate)?;
    console.note(&format!("{} {}, seed {}", plan.algorithm.name, plan.config, plan.seed.number()));
    let mut exit = Exit::Success;
    for (index, (task, files)) in tasks.iter().zip(&files).enumerate() {
        if index > 0 && cancel.is_cancelled() {
            console.warn(&format!("interrupted: {} instances were not started", tasks.len() - index));
            exit = Exit::Interrupted;
            break;
        }
        let record = plan.solve(task, files, &mut outputs, &cancel, console)?;
        if plan.limits.target.is_some_and(|target| record.length > target) {
            exit = Exit::Negative;
        }
    }
    Ok(exit)
}

/// Options that mean nothing for tours are refused, not ignored.
fn refuse_others(args: &SolveArgs) -> anyhow::Result<()> {
    let given = [
        ("--gantt", args.outputs.gantt.is_some()),
        ("--schedule", args.outputs.schedule.is_some()),
        ("--time-factor", args.limits.time_factor.is_some()),
        ("--start", args.start.is_some()),
        ("--checkpoint", args.checkpoint.is_some()),
        ("--format", args.source.format.is_some()),
        ("--transpose", args.source.transpose),
        ("--column", !args.source.columns.is_empty()),
    ];
    match given.into_iter().chain(args.plan.given()).find(|&(_, is_given)| is_given) {
        Some((option, _)) => bail!("{option} is an option for flow shops, not for `--problem tsp`"),
        None => Ok(()),
    }
}

/// Reads every instance that the arguments stand for.
fn read(args: &SolveArgs, gate: &mut FileGate) -> anyhow::Result<Vec<Task>> {
    let data = source::data_folders(&args.source);
    let mut tasks = Vec::new();
    for argument in &args.instances {
        let stdin = if source::is_stdin(argument) { source::read_stdin()? } else { Vec::new() };
        let clock = Instant::now();
        let (instances, file) = resolve_tsp(argument, &data, &mut stdin.as_slice())?;
        file.as_deref().map_or(Ok(()), |file| gate.reads(file))?;
        let mut reading = clock.elapsed();
        for instance in instances {
            tasks.push(Task { instance, reading: std::mem::take(&mut reading) });
        }
    }
    Ok(tasks)
}

impl Plan {
    fn new(args: &SolveArgs) -> anyhow::Result<Self> {
        let algorithm = tsp_algorithm(&args.algorithm)?;
        args.check_model(&algorithm.parameters())?;
        let settings = settings::read(algorithm, args.config.as_deref(), "--set", &args.assignments())?;
        let config = algorithm.config(&settings)?;
        let threads = args.threads.map_or_else(cores, usize::from);
        let seed = Seed::new(args.seed.unwrap_or_else(draw_seed));
        Ok(Self { algorithm, settings, config, limits: args.limits.clone(), seed, threads })
    }

    /// Solves an instance, writes its files and prints its result.
    fn solve(
        &self,
        task: &Task,
        files: &TourFiles,
        outputs: &mut TourOutputs,
        cancel: &CancelFlag,
        console: Console,
    ) -> anyhow::Result<TourRecord> {
        let instance = &task.instance;
        let clock = source::started_before(task.reading);
        let trace = Trace::new(files.trace.as_deref(), "length");
        let latest = outputs.rewrites(files).then(Latest::default);
        let progress = Progress::start(console, instance.name(), clock.elapsed());
        let watch = Watch { trace: &trace, latest: latest.as_ref(), progress: &progress, figures: &Plain };
        let outcome = std::thread::scope(|scope| {
            let _closing = latest.as_ref().map(Latest::closing);
            if let Some(latest) = &latest {
                let outputs = &*outputs;
                scope.spawn(move || {
                    latest.each(|outcome| {
                        if checked(instance, outcome).is_ok() {
                            let record = self.record(instance, outcome);
                            outputs
                                .rewrite(files, &TourRecord { stop_reason: "running".to_string(), ..record });
                        }
                    });
                });
            }
            self.search(instance, clock, cancel, &watch)
        });
        let end = outcome.as_ref().ok().map(|outcome| Moment::end(outcome, &Plain));
        progress.finish(end.as_ref());
        let outcome = outcome?;
        let traced = trace.finish(&Moment::end(&outcome, &Plain));
        // Nothing is reported that the plain definition does not confirm.
        checked(instance, &outcome)
            .context("the algorithm's result is wrong, which is a defect worth reporting")?;
        let record = self.record(instance, &outcome);
        outputs.finish(files, &record, traced, console)?;
        Ok(record)
    }

    fn search(
        &self,
        instance: &TspInstance,
        clock: Instant,
        cancel: &CancelFlag,
        watch: &Watch<'_, f64>,
    ) -> anyhow::Result<Outcome<f64>> {
        let limits = Limits {
            // A time factor is refused, so the size does not matter.
            time: self.limits.time(instance.num_cities(), 1),
            evaluations: self.limits.evaluations,
            stall: self.limits.stall,
            target: self.limits.target,
        };
        let run = Run::new(self.seed, limits)
            .started_at(clock)
            .with_cancel(cancel.clone())
            .with_threads(self.threads)
            .with_observer(watch);
        let solver = self.algorithm.build(&self.settings)?;
        solver.solve(instance, &run).map_err(|error| anyhow!(error).context(instance.name().to_string()))
    }

    fn record(&self, instance: &TspInstance, outcome: &Outcome<f64>) -> TourRecord {
        let origin = Origin {
            algorithm: self.algorithm.name.to_string(),
            config: self.config.clone().into(),
            seed: self.seed.number(),
            threads: self.threads,
        };
        TourRecord::new(instance, outcome, origin)
    }
}

/// Fails unless the order is a tour of all cities with the length that is claimed, and no bound says otherwise.
fn checked(instance: &TspInstance, outcome: &Outcome<f64>) -> anyhow::Result<()> {
    let length = check_order(instance, &outcome.order, Some(outcome.cost))?;
    if outcome.bound > outcome.cost {
        bail!("the bound {} is above the length {length}", outcome.bound);
    }
    Ok(())
}
