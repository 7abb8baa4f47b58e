//! What is the same for all instances: the algorithm, its parameters, the seed, the limits.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use pfss::{
    AlgorithmFor, CheckpointError, CheckpointFile, FlowShopBuilders, FlowShopSolver, Keeper, Settings,
    ShopTime, Solvable,
};
use pfss_core::{
    CancelFlag, Instance, Limits, Observer, Outcome, Permutation, PermutationProblem, Run, Seed, SolveError,
    Solver, Time,
};
use pfss_io::ResultRecord;
use pfss_io::record::Origin;

use super::settings;
use crate::args::{LimitArgs, SolveArgs};
use crate::console::Console;
use crate::machine::{self, cores};

/// How every instance of a problem is solved; `B` makes the algorithm for it.
pub(super) struct Plan<B: 'static> {
    pub(super) algorithm: &'static AlgorithmFor<B>,
    pub(super) settings: Settings,
    config: Settings,
    limits: LimitArgs,
    seed: Seed,
    threads: usize,
    memory: usize,
    checkpoints: Option<(PathBuf, Duration)>,
    /// Threads and memory of each process, where they were asked for.
    #[cfg(feature = "mpi")]
    pub(super) per_rank: (Option<usize>, Option<usize>),
}

/// The answer of a solver, and the best order so far.
pub(super) type Solved<C> = (Result<Outcome<C>, SolveError>, Option<Outcome<C>>);

/// The answer, and where a part of the search failed, why: what was found is not lost then.
pub(super) fn answered<C: Time>(
    name: &str,
    (outcome, best): Solved<C>,
) -> anyhow::Result<(Outcome<C>, Option<anyhow::Error>)> {
    let named = |error: SolveError| anyhow!(error).context(name.to_string());
    match (outcome, best) {
        (Ok(outcome), _) => Ok((outcome, None)),
        (Err(error @ SolveError::Failed { .. }), Some(best)) => Ok((best, Some(named(error)))),
        (Err(error), _) => Err(named(error)),
    }
}

/// What the solver says in this process, and the best order so far; `keeper` keeps what it has still to search.
pub(super) fn solve_here<P: PermutationProblem>(
    solver: &dyn Solver<P>,
    problem: &P,
    run: Run<'_, P::Cost>,
    keeper: Option<&Keeper>,
) -> anyhow::Result<Solved<P::Cost>> {
    let run = match keeper {
        Some(keeper) => run.with_team(keeper),
        None => run,
    };
    let outcome = solver.solve(problem, &run);
    if let Some(keeper) = keeper {
        keeper.conclude(&run);
        keeper.written()?;
    }
    Ok((outcome, run.answer().ok()))
}

/// How often checkpoints are written where nobody says.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(60);

/// The algorithm that has something to keep.
const KEEPS_NODES: &str = "branch-and-bound";

impl<B> Plan<B> {
    /// The plan that the arguments describe.
    pub(super) fn new(
        algorithm: &'static AlgorithmFor<B>,
        args: &SolveArgs,
        seed: Seed,
    ) -> anyhow::Result<Self> {
        args.check_model(&algorithm.parameters())?;
        let settings = settings::read(algorithm, args.config.as_deref(), "--set", &args.assignments())?;
        let config = algorithm.config(&settings)?;
        if args.checkpoint.is_some() && algorithm.name != KEEPS_NODES {
            bail!("--checkpoint keeps the open nodes of a proof; add `-a {KEEPS_NODES}`");
        }
        let every = args.checkpoint_every.unwrap_or(CHECKPOINT_EVERY);
        let checkpoints = args.checkpoint.clone().map(|folder| (folder, every));
        let threads = args.threads.map_or_else(cores, usize::from);
        let reproducible = args.limits.evaluations.is_some() || args.limits.stall.is_some();
        let unasked = if reproducible { || machine::REPRODUCIBLE } else { machine::default_budget };
        let memory = args.memory.unwrap_or_else(unasked);
        Ok(Self {
            algorithm,
            settings,
            config,
            limits: args.limits.clone(),
            seed,
            threads,
            memory,
            checkpoints,
            #[cfg(feature = "mpi")]
            per_rank: (args.threads.map(usize::from), args.memory),
        })
    }

    /// The plan in one line.
    pub(super) fn describe(&self) -> String {
        format!(
            "{} {}, seed {}, {} threads, {} kernels",
            self.algorithm.name,
            self.config,
            self.seed.number(),
            self.threads,
            pfss_core::simd::Instructions::detect()
        )
    }

    /// The limits for an instance of this size; `target` turns the target into a cost.
    pub(super) fn limits_for<T>(
        &self,
        (num_jobs, num_machines): (usize, usize),
        target: impl FnOnce(f64) -> T,
    ) -> Limits<T> {
        Limits {
            time: self.limits.time(num_jobs, num_machines),
            evaluations: self.limits.evaluations,
            stall: self.limits.stall,
            target: self.limits.target.map(target),
        }
    }

    /// A run within these limits. The clock started when reading did.
    pub(super) fn run<'a, C: Time>(
        &self,
        limits: Limits<C>,
        started: Instant,
        cancel: &CancelFlag,
        start: Option<Permutation>,
        observer: &'a dyn Observer<C>,
    ) -> Run<'a, C> {
        let run = Run::new(self.seed, limits)
            .started_at(started)
            .with_cancel(cancel.clone())
            .with_threads(self.threads)
            .with_memory(self.memory)
            .with_observer(observer);
        match start {
            Some(start) => run.with_start(start),
            None => run,
        }
    }

    /// Whether a target was given and the result is above it.
    pub(super) fn misses_target(&self, record: &ResultRecord) -> bool {
        self.limits.target.is_some_and(|target| record.minimised().to_f64() > target)
    }

    /// How results are made.
    pub(super) fn origin(&self) -> Origin {
        Origin {
            algorithm: self.algorithm.name.to_string(),
            config: self.config.clone().into(),
            seed: self.seed.number(),
            threads: self.threads,
        }
    }
}

impl<B> Plan<B> {
    /// What keeps open nodes of this instance, where that is asked for; `file` is the one of the instance in a folder.
    pub(super) fn keeper<P: Solvable>(
        &self,
        problem: &P,
        name: &str,
        file: impl FnOnce(&Path) -> Result<CheckpointFile, CheckpointError>,
        console: Console,
    ) -> anyhow::Result<Option<Keeper>> {
        let Some((folder, every)) = &self.checkpoints else { return Ok(None) };
        let keeper = Keeper::new(file(folder)?, problem, *every)?;
        if let Some(nodes) = keeper.goes_on_from() {
            console.say(&format!("{name}: goes on from {nodes} open nodes"));
        }
        Ok(Some(keeper))
    }
}

impl Plan<FlowShopBuilders> {
    /// The algorithm for times of this type.
    pub(super) fn solver<T: ShopTime>(&self) -> anyhow::Result<FlowShopSolver<T>> {
        Ok(T::build(self.algorithm, &self.settings)?)
    }

    /// The limits for this instance.
    pub(super) fn limits<T: Time>(&self, instance: &Instance<T>) -> Limits<T> {
        self.limits_for((instance.num_jobs(), instance.num_machines()), T::from_f64_floor)
    }

    /// The record of a result.
    pub(super) fn record<T: Time>(&self, instance: &Instance<T>, outcome: &Outcome<T>) -> ResultRecord {
        ResultRecord::new(instance, outcome, self.origin())
    }
}
