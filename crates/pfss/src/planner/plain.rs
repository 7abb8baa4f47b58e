//! Lines that are plain flow shops: what they carry does not change the makespan, so the plain solvers take them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use pfss_core::timing::{Line, Score};
use pfss_core::{
    Elite, Improvement, Incumbents, Instance, JobId, Limits, Observer, Outcome, RaisedBound, Run, SharedTree,
    SolveError, Solver, Team,
};

/// How often a run looks for what other processes found.
const NAP: Duration = Duration::from_millis(1);

/// A solver of plain flow shops for such lines. Its costs are ticks; the run of the line hears of everything.
pub(super) struct OnPlainLine(pub(super) Box<dyn Solver<Instance<u32>>>);

impl Solver<Line> for OnPlainLine {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn solve(&self, line: &Line, run: &Run<'_, Score>) -> Result<Outcome<Score>, SolveError> {
        let shop = line.plain_shop().ok_or_else(|| SolveError::Unsupported {
            algorithm: self.name().to_string(),
            reason: "jobs or machines carry more than times".to_string(),
        })?;
        let team = run.team().map(OfScores);
        let told = Told(run);
        let mut inner = inner(run).with_observer(&told);
        if let Some(team) = &team {
            inner = inner.with_team(team);
        }
        let solved = match run.team() {
            Some(others) if others.ranks() > 1 => with_news(run, &inner, || self.0.solve(shop, &inner)),
            _ => self.0.solve(shop, &inner),
        };
        told.count(inner.evaluations());
        solved?;
        run.outcome()
    }
}

/// The same run, its costs in ticks.
fn inner<'a>(run: &Run<'_, Score>) -> Run<'a, u32> {
    let &Limits { time, evaluations, stall, target } = run.limits();
    let inner = Run::new(run.seed(), Limits { time, evaluations, stall, target: target.map(ticks) })
        .started_at(run.started())
        .with_cancel(run.cancel_flag().clone())
        .with_threads(run.threads())
        .with_memory(run.memory())
        .with_bound(ticks(run.bound()));
    match run.start() {
        Some(start) => inner.with_start(start.clone()),
        None => inner,
    }
}

/// A makespan alone is its own score.
fn score(ticks: u32) -> Score {
    Score(u64::from(ticks))
}

fn ticks(score: Score) -> u32 {
    u32::try_from(score.0).unwrap_or(u32::MAX)
}

/// Searches while what other processes tell the outer run comes to the inner one.
fn with_news<R>(outer: &Run<'_, Score>, inner: &Run<'_, u32>, search: impl FnOnce() -> R) -> R {
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                if outer.best_cost() < score(inner.best_cost())
                    && let Some((order, cost)) = outer.best()
                {
                    inner.offer(&order, ticks(cost));
                }
                inner.raise_bound(ticks(outer.bound()));
                thread::sleep(NAP);
            }
        });
        let found = search();
        is_done.store(true, Ordering::Relaxed);
        found
    })
}

/// Tells the outer run what the inner one finds.
struct Told<'r, 'a>(&'r Run<'a, Score>);

impl Told<'_, '_> {
    /// Brings the outer run to so many evaluations.
    fn count(&self, evaluations: u64) {
        self.0.count(evaluations.saturating_sub(self.0.evaluations()));
    }
}

impl Observer<u32> for Told<'_, '_> {
    fn on_improvement(&self, new: &Improvement<'_, u32>) {
        self.count(new.evaluations);
        self.0.raise_bound(score(new.bound));
        self.0.offer(new.order, score(new.cost));
    }

    fn on_bound(&self, raised: &RaisedBound<u32>) {
        self.count(raised.evaluations);
        self.0.raise_bound(score(raised.bound));
    }
}

/// A team of the outer run, as one of the inner run.
struct OfScores<'t>(&'t dyn Team<Score>);

impl Team<u32> for OfScores<'_> {
    fn rank(&self) -> usize {
        self.0.rank()
    }

    fn ranks(&self) -> usize {
        self.0.ranks()
    }

    fn begin(&self, tree: &dyn SharedTree, run: &dyn Incumbents<u32>) {
        self.0.begin(tree, &OfTicks(run));
    }

    fn tend(&self, tree: &dyn SharedTree, run: &dyn Incumbents<u32>) {
        self.0.tend(tree, &OfTicks(run));
    }

    fn tell_elite(&self, elite: Elite<u32>) {
        let Elite { island, cost, order } = elite;
        self.0.tell_elite(Elite { island, cost: score(cost), order });
    }

    fn elites(&self) -> Vec<Elite<u32>> {
        let of = |Elite { island, cost, order }: Elite<Score>| Elite { island, cost: ticks(cost), order };
        self.0.elites().into_iter().map(of).collect()
    }

    fn call_for_help(&self, is_wanted: bool) {
        self.0.call_for_help(is_wanted);
    }

    fn is_help_wanted(&self) -> bool {
        self.0.is_help_wanted()
    }

    fn searched_elsewhere(&self) -> f64 {
        self.0.searched_elsewhere()
    }
}

/// The inner run, as a team of the outer one sees it.
struct OfTicks<'r>(&'r dyn Incumbents<u32>);

impl Incumbents<Score> for OfTicks<'_> {
    fn best(&self) -> Option<(Vec<JobId>, Score)> {
        self.0.best().map(|(order, cost)| (order, score(cost)))
    }

    fn best_cost(&self) -> Score {
        match self.0.best_cost() {
            u32::MAX => Score(u64::MAX),
            cost => score(cost),
        }
    }

    fn bound(&self) -> Score {
        score(self.0.bound())
    }

    fn offer(&self, order: &[JobId], cost: Score) -> bool {
        self.0.offer(order, ticks(cost))
    }

    fn raise_bound(&self, bound: Score) {
        self.0.raise_bound(ticks(bound));
    }

    fn must_end(&self) -> bool {
        self.0.must_end()
    }
}
