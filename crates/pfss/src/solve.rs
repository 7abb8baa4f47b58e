//! Solving an instance: the front door of the library.

use std::time::Duration;

use pfss_core::{
    CancelFlag, Improvement, Instance, JobId, Limits, Observer, Permutation, RaisedBound, Run, Seed, Time,
    check,
};
use pfss_io::record::Origin;
use pfss_io::{ResultRecord, TimeValue, instance_hash};
use serde_json::Value;

use crate::algorithm::{Algorithm, ShopTime};
use crate::built_in::algorithm;
use crate::error::Error;
use crate::registry::Registry;
use crate::settings::Settings;
use crate::shop::Shop;
use crate::solution::Solution;

/// Where nobody says: the same on every machine, so that the same call gives the same answer.
const DEFAULT_SEED: u64 = 1;

/// Solves an instance with the portfolio `auto` on one thread, for so long or until the best order is proven.
///
/// ```
/// use std::time::Duration;
/// let instance = pfss::Instance::from_job_rows("parts", &[[3u32, 2, 4], [1, 5, 2], [4, 1, 3]])?;
/// let solution = pfss::solve(&instance, Duration::from_secs(10))?;
/// assert_eq!(solution.makespan(), 15);
/// assert!(solution.is_optimal());
/// # Ok::<(), pfss::Error>(())
/// ```
///
/// # Errors
/// [`Error`] tells why there is no solution; running out of time is none.
pub fn solve<'a>(instance: impl Into<Shop<'a>>, time_limit: Duration) -> Result<Solution<'a>, Error> {
    Solve::new(instance).time_limit(time_limit).run()
}

type OnImprovement<'a> = dyn Fn(&Improvement<'_, TimeValue>) + Sync + 'a;
type OnBound<'a> = dyn Fn(&RaisedBound<TimeValue>) + Sync + 'a;

/// How an instance is solved: which algorithm, with which settings, and when it ends.
///
/// ```
/// use pfss::Solve;
/// let instance = pfss::named("ta001")?;
/// let solution = Solve::new(&instance)
///     .algorithm("beam")
///     .set("guide", "gap")
///     .seed(1)
///     .evaluations(200_000)
///     .on_improvement(|new| println!("{} after {:?}", new.cost, new.runtime))
///     .run()?;
/// assert!(solution.makespan().to_f64() < 1300.0);
/// # Ok::<(), pfss::Error>(())
/// ```
pub struct Solve<'a> {
    shop: Shop<'a>,
    registry: Option<&'a Registry>,
    algorithm: String,
    settings: Settings,
    seed: Seed,
    threads: usize,
    limits: Limits<f64>,
    memory: Option<usize>,
    start: Option<Vec<JobId>>,
    bound: Option<f64>,
    cancel: CancelFlag,
    on_improvement: Option<Box<OnImprovement<'a>>>,
    on_bound: Option<Box<OnBound<'a>>>,
}

impl<'a> Solve<'a> {
    /// `auto` with seed 1 on one thread, without a limit: it ends when the best order is proven.
    pub fn new(instance: impl Into<Shop<'a>>) -> Self {
        Self {
            shop: instance.into(),
            registry: None,
            algorithm: "auto".to_string(),
            settings: Settings::new(),
            seed: Seed::new(DEFAULT_SEED),
            threads: 1,
            limits: Limits::default(),
            memory: None,
            start: None,
            bound: None,
            cancel: CancelFlag::new(),
            on_improvement: None,
            on_bound: None,
        }
    }

    /// Looks algorithms up here, so that they may be one's own.
    #[must_use]
    pub fn registry(self, registry: &'a Registry) -> Self {
        Self { registry: Some(registry), ..self }
    }

    /// The algorithm of this name; [`algorithms`](crate::algorithms) has them all.
    #[must_use]
    pub fn algorithm(self, name: impl Into<String>) -> Self {
        Self { algorithm: name.into(), ..self }
    }

    /// Sets a parameter of the algorithm to a text, a number, or true or false.
    #[must_use]
    pub fn set(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.settings.set(key, value);
        self
    }

    /// Replaces all settings.
    #[must_use]
    pub fn settings(self, settings: impl Into<Settings>) -> Self {
        Self { settings: settings.into(), ..self }
    }

    /// The seed of all random choices.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed: Seed::new(seed), ..self }
    }

    /// How many threads may search.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads: threads.max(1), ..self }
    }

    /// Ends after so long, with the best order so far.
    #[must_use]
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.limits.time = Some(time);
        self
    }

    /// Ends after so many evaluations. The answer is then the same on every machine.
    #[must_use]
    pub fn evaluations(mut self, evaluations: u64) -> Self {
        self.limits.evaluations = Some(evaluations);
        self
    }

    /// Ends after so many evaluations without an improvement.
    #[must_use]
    pub fn stall(mut self, evaluations: u64) -> Self {
        self.limits.stall = Some(evaluations);
        self
    }

    /// Ends as soon as an order is no longer than this.
    #[must_use]
    pub fn target(mut self, makespan: f64) -> Self {
        self.limits.target = Some(makespan);
        self
    }

    /// Lets the search hold about so many bytes, all threads together (1 GiB where nobody says).
    #[must_use]
    pub fn memory(self, bytes: usize) -> Self {
        Self { memory: Some(bytes), ..self }
    }

    /// Starts from a known order; the answer is never worse.
    #[must_use]
    pub fn start(self, order: impl Into<Vec<JobId>>) -> Self {
        Self { start: Some(order.into()), ..self }
    }

    /// Begins with a bound that was proven before: no order is shorter.
    #[must_use]
    pub fn bound(self, makespan: f64) -> Self {
        Self { bound: Some(makespan), ..self }
    }

    /// Ends when this flag is raised, from whatever thread.
    #[must_use]
    pub fn cancel(self, flag: CancelFlag) -> Self {
        Self { cancel: flag, ..self }
    }

    /// Is called with each new best order, while the search goes on.
    #[must_use]
    pub fn on_improvement(self, tell: impl Fn(&Improvement<'_, TimeValue>) + Sync + 'a) -> Self {
        Self { on_improvement: Some(Box::new(tell)), ..self }
    }

    /// Is called with each better bound, in one sequence with the improvements.
    #[must_use]
    pub fn on_bound(self, tell: impl Fn(&RaisedBound<TimeValue>) + Sync + 'a) -> Self {
        Self { on_bound: Some(Box::new(tell)), ..self }
    }

    /// Solves the instance and checks the answer.
    ///
    /// # Errors
    /// [`Error`] tells why there is no solution; meeting a limit is none.
    pub fn run(self) -> Result<Solution<'a>, Error> {
        match self.shop {
            Shop::Integer(instance) => self.run_on(instance),
            Shop::Real(instance) => self.run_on(instance),
        }
    }

    fn run_on<T: ShopTime>(&self, instance: &'a Instance<T>) -> Result<Solution<'a>, Error> {
        let algorithm: &Algorithm = match self.registry {
            Some(registry) => registry.algorithm(&self.algorithm)?,
            None => algorithm(&self.algorithm)?,
        };
        let config = algorithm.config(&self.settings)?;
        let solver = T::build(algorithm, &self.settings)?;
        let tell = Tell { improvement: self.on_improvement.as_deref(), bound: self.on_bound.as_deref() };
        let run = self.prepare(instance)?.with_observer(&tell);
        // Before the search, so that the time limit covers it.
        let hash = instance_hash(instance);
        let outcome = solver.solve(instance, &run)?;
        check(instance, &outcome.order, Some(outcome.cost))?;
        let origin = Origin {
            algorithm: algorithm.name.to_string(),
            config: config.into(),
            seed: self.seed.number(),
            threads: self.threads,
        };
        let mut record = ResultRecord::new(instance, &outcome, origin);
        record.instance_hash = Some(hash);
        Ok(Solution::new(self.shop, outcome.status, record))
    }

    /// The run on this instance, its clock started.
    fn prepare<'r, T: Time>(&self, instance: &Instance<T>) -> Result<Run<'r, T>, Error> {
        let limits = Limits {
            time: self.limits.time,
            evaluations: self.limits.evaluations,
            stall: self.limits.stall,
            target: self.limits.target.map(T::from_f64_floor),
        };
        let mut run = Run::new(self.seed, limits).with_threads(self.threads).with_cancel(self.cancel.clone());
        if let Some(bytes) = self.memory {
            run = run.with_memory(bytes);
        }
        if let Some(bound) = self.bound {
            run = run.with_bound(T::from_f64_floor(bound));
        }
        if let Some(order) = &self.start {
            run = run.with_start(Permutation::new(order.clone(), instance.num_jobs()).map_err(Error::Start)?);
        }
        Ok(run)
    }
}

/// Passes news on, their times as values of either kind.
struct Tell<'t, 'a> {
    improvement: Option<&'t OnImprovement<'a>>,
    bound: Option<&'t OnBound<'a>>,
}

impl<T: Time> Observer<T> for Tell<'_, '_> {
    fn on_improvement(&self, new: &Improvement<'_, T>) {
        if let Some(tell) = self.improvement {
            let &Improvement { order, cost, bound, is_optimal, runtime, evaluations } = new;
            let (cost, bound) = (TimeValue::new(cost), TimeValue::new(bound));
            tell(&Improvement { order, cost, bound, is_optimal, runtime, evaluations });
        }
    }

    fn on_bound(&self, raised: &RaisedBound<T>) {
        if let Some(tell) = self.bound {
            let &RaisedBound { bound, best, is_optimal, runtime, evaluations } = raised;
            let (bound, best) = (TimeValue::new(bound), best.map(TimeValue::new));
            tell(&RaisedBound { bound, best, is_optimal, runtime, evaluations });
        }
    }
}
