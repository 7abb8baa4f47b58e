//! Which passes a beam search makes: wider and wider, towards an aspired improvement.

use std::marker::PhantomData;

use pfss_core::{Run, Time};

use super::forecast::Forecast;
use super::pass::{PassResult, PassSettings};
use super::plan::Plan;
use super::search::BeamSearch;

/// The aspired improvement at the start of each width, as a share of the best cost.
const ASPIRED_SHARE: f64 = 0.004;

/// The state of an iterative beam search between two passes.
///
/// With aspiration, children are pruned by `UB - s`: pruning steers the beam, and a pass that cannot get
/// there dies early. A pass that gets there raises `s` by half, one that does not halves it; when `s` falls
/// below one unit of time, the width is doubled.
pub struct Schedule<T> {
    plan: Plan,
    width: usize,
    /// One unit of time: the least improvement worth aiming at.
    unit: f64,
    aspired: Option<f64>,
    finished: bool,
    forecast: Forecast,
    marker: PhantomData<T>,
}

impl<T: Time> Schedule<T> {
    /// The first pass of `plan` comes next.
    pub fn new(plan: Plan, search: &BeamSearch<'_, T>) -> Self {
        // Benchmarks draw integers with mean 50; other scales get the same relative unit.
        let unit = search.instance().mean_time() / 50.0;
        let unit = if T::IS_INTEGER { unit.max(1.0) } else { unit };
        let width = plan.initial_width.clamp(1, plan.max_width.max(1));
        let forecast = Forecast::new(search.instance());
        Self { plan, width, unit, aspired: None, finished: false, forecast, marker: PhantomData }
    }

    /// Makes pass after pass until the widest was made, the best order is proven, or `run` must end. Passes that would
    /// not end in time are narrower.
    pub fn search(mut self, search: &mut BeamSearch<'_, T>, run: &Run<'_, T>) {
        while !self.finished && !run.must_end() {
            let width = self.width_within(u64::MAX, run).max(1);
            self.pass_within(width, u64::MAX, search, run);
        }
    }

    /// Whether the widest pass was made, or the best order is proven optimal.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// The width of the next pass.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many children a pass of this width is expected to price, after what passes so far did.
    pub fn expected_children(&self, width: usize) -> f64 {
        self.forecast.children(width)
    }

    /// How many children passes price in a second: a guess before the first one.
    pub fn children_per_second(&self) -> f64 {
        self.forecast.children_per_second()
    }

    /// The width, at most that of the next pass, with which a pass is expected to price at most `children` children and to
    /// end within the limits of `run`; 0: none does.
    pub fn width_within(&self, children: u64, run: &Run<'_, T>) -> usize {
        let affordable = match (run.evaluations_left(), run.remaining()) {
            // The clock has no say where a result must be the same everywhere.
            (Some(left), _) => left.min(children) as f64,
            (None, Some(time)) => (self.children_per_second() * time.as_secs_f64()).min(children as f64),
            (None, None) => children as f64,
        };
        let expected = self.expected_children(self.width);
        if expected <= affordable { self.width } else { (self.width as f64 * affordable / expected) as usize }
    }

    /// Makes one pass whatever it takes, offers what it found to `run`, and plans the next.
    pub fn step(&mut self, search: &mut BeamSearch<'_, T>, run: &Run<'_, T>) -> PassResult<T> {
        let settings = self.settings(run);
        let result = self.pass(&settings, search, run);
        if result.completed {
            self.advance(result.best.is_some(), settings.upper);
        }
        result
    }

    /// As [`Schedule::step`], but spends at most about `children` children and ends within the limits of `run`: the pass is
    /// narrower where it must be, and gets narrower while it runs where that turns out late. `None`: it would have
    /// less than half of its width, which is less than the last one had.
    pub fn step_within(
        &mut self,
        children: u64,
        search: &mut BeamSearch<'_, T>,
        run: &Run<'_, T>,
    ) -> Option<PassResult<T>> {
        let width = self.width_within(children, run);
        (width >= self.width.div_ceil(2)).then(|| self.pass_within(width, children, search, run))
    }

    fn pass_within(
        &mut self,
        width: usize,
        children: u64,
        search: &mut BeamSearch<'_, T>,
        run: &Run<'_, T>,
    ) -> PassResult<T> {
        let left = run.evaluations_left();
        let settings = PassSettings {
            width,
            // The last of the evaluations ends the run.
            children: left.map_or(children, |left| children.min(left.saturating_sub(1))),
            until: if left.is_some() { None } else { run.limits().time },
            ..self.settings(run)
        };
        let result = self.pass(&settings, search, run);
        // A narrower pass says little about the one that was planned.
        if result.completed && width == self.width {
            self.advance(result.best.is_some(), settings.upper);
        }
        result
    }

    /// What the next pass does. A caller may change that before [`Schedule::pass`], for instance to prune above the best known
    /// cost and to ask for leaves.
    pub fn settings(&mut self, run: &Run<'_, T>) -> PassSettings<T> {
        let upper = run.best_cost();
        PassSettings {
            guide: self.plan.guide,
            penalise_one_sided: self.plan.penalise_one_sided,
            prune_at: self.prune_at(upper, run.bound()),
            upper,
            memory: self.plan.memory,
            leaves: self.plan.leaves,
            ..PassSettings::new(self.width)
        }
    }

    /// Makes a pass, offers what it found to `run`, and learns what passes take. The plan stays as it is.
    pub fn pass(
        &mut self,
        settings: &PassSettings<T>,
        search: &mut BeamSearch<'_, T>,
        run: &Run<'_, T>,
    ) -> PassResult<T> {
        let begun = run.elapsed();
        let result = search.pass(settings, run);
        self.forecast.learn(settings.width, result.children, result.completed, run.elapsed() - begun);
        if let Some((order, cost)) = &result.best {
            run.offer(order, *cost);
        }
        if result.exhaustive {
            let prune_at = settings.prune_at;
            let best = result.best.as_ref().map_or(prune_at, |(_, cost)| cost.minimum(prune_at));
            run.raise_bound(best);
            self.finished |= run.is_optimal();
        }
        result
    }

    /// Where the next pass prunes: `UB - s`, but above the proven bound.
    fn prune_at(&mut self, upper: T, bound: T) -> T {
        if upper == T::MAX {
            return T::MAX;
        }
        // Half the tolerance of `Time::meets`: a proof below this is a proof.
        let least = if T::IS_INTEGER { 0.0 } else { upper.to_f64() * 5e-10 };
        let mut step = least;
        if self.plan.aspiration {
            let aspired = *self.aspired.get_or_insert(upper.to_f64() * ASPIRED_SHARE);
            let room = upper.to_f64() - bound.to_f64() - self.unit;
            step = aspired.min(room).max(least);
            if T::IS_INTEGER {
                step = step.floor();
            }
        }
        T::from_f64_floor(upper.to_f64() - step)
    }

    fn advance(&mut self, success: bool, upper: T) {
        if let Some(aspired) = &mut self.aspired {
            *aspired *= if success { 1.5 } else { 0.5 };
            if *aspired >= self.unit {
                return;
            }
            self.aspired = None;
        } else if upper == T::MAX && self.plan.aspiration {
            return;
        }
        self.finished |= self.width >= self.plan.max_width;
        self.width = (2 * self.width).min(self.plan.max_width);
    }
}
