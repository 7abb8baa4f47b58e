//! Which passes a beam search makes: wider and wider, towards an aspired improvement.

use std::marker::PhantomData;

use pfss_core::{Run, Time};

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
    marker: PhantomData<T>,
}

impl<T: Time> Schedule<T> {
    /// The first pass of `plan` comes next.
    pub fn new(plan: Plan, search: &BeamSearch<'_, T>) -> Self {
        // Benchmarks draw integers with mean 50; other scales get the same relative unit.
        let unit = search.instance().mean_time() / 50.0;
        let unit = if T::IS_INTEGER { unit.max(1.0) } else { unit };
        let width = plan.initial_width.clamp(1, plan.max_width.max(1));
        Self { plan, width, unit, aspired: None, finished: false, marker: PhantomData }
    }

    /// Makes pass after pass until the widest was made, the best order is proven, or `run` must end.
    pub fn search(mut self, search: &mut BeamSearch<'_, T>, run: &Run<'_, T>) {
        while !self.finished && !run.must_end() {
            self.step(search, run);
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

    /// Makes one pass, offers what it found to `run`, and plans the next.
    pub fn step(&mut self, search: &mut BeamSearch<'_, T>, run: &Run<'_, T>) -> PassResult<T> {
        let upper = run.best_cost();
        let prune_at = self.prune_at(upper, run.bound());
        let settings = PassSettings {
            width: self.width,
            guide: self.plan.guide,
            penalise_one_sided: self.plan.penalise_one_sided,
            prune_at,
            upper,
            memory: self.plan.memory,
            leaves: 0,
        };
        let result = search.pass(&settings, run);
        if let Some((order, cost)) = &result.best {
            run.offer(order, *cost);
        }
        if result.exhaustive {
            let best = result.best.as_ref().map_or(prune_at, |(_, cost)| cost.minimum(prune_at));
            run.raise_bound(best);
            self.finished |= run.is_optimal();
        }
        if result.completed {
            self.advance(result.best.is_some(), upper);
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
