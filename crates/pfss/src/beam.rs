//! Beam search as a solver: with a guide made by hand, a trained policy, or a guide of one's own.

mod config;
mod policy_guide;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use pfss_core::{Instance, Outcome, Run, SolveError, Solver, Time, makespan, open};
use pfss_heuristics::beam::{BeamSearch, Guide, Schedule};
use pfss_heuristics::slope_order;

pub use config::{BeamConfig, GuideName, Switch};
use policy_guide::PolicyGuide;

type MakeGuide<T> = Arc<dyn Fn(&Instance<T>) -> Box<dyn Guide> + Send + Sync>;

/// Iterative bidirectional beam search: passes of growing width until a limit is met or a pass that dropped
/// nothing proves the best order optimal.
pub struct Beam<T> {
    config: BeamConfig,
    own: Option<MakeGuide<T>>,
}

impl<T: Time> Beam<T> {
    /// Beam search with these parameters.
    pub fn new(config: BeamConfig) -> Self {
        Self { config, own: None }
    }

    /// The same with a guide of one's own, made for each instance, whatever guide the parameters name.
    #[must_use]
    pub fn guided_by(self, make: impl Fn(&Instance<T>) -> Box<dyn Guide> + Send + Sync + 'static) -> Self {
        Self { own: Some(Arc::new(make)), ..self }
    }

    /// The guide from outside, where there is one.
    fn guide(&self, instance: &Instance<T>) -> Result<Option<Box<dyn Guide>>, SolveError> {
        Ok(match (&self.own, self.config.guide) {
            (Some(make), _) => Some(make(instance)),
            (None, GuideName::Policy) => Some(Box::new(PolicyGuide::load(&self.config.model, instance)?)),
            (None, _) => None,
        })
    }
}

impl<T: Time> Solver<Instance<T>> for Beam<T> {
    fn name(&self) -> &str {
        "beam"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        let guide = self.guide(instance)?;
        let mut search = BeamSearch::new(instance);
        if let Some(guide) = guide {
            search = search.guided_by(guide);
        }
        open("beam", instance, run)?;
        if run.start().is_none() {
            // An order at once, for instances so large that not even the narrowest pass ends in time.
            let order = slope_order(instance);
            run.count(1);
            run.offer(&order, makespan(instance, &order));
        }
        Schedule::new(self.config.plan(&search, run.memory()), &search).search(&mut search, run);
        run.outcome()
    }
}
