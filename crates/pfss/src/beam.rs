//! Beam search as a solver: with a guide made by hand, a trained policy, or a guide of one's own.

mod config;
mod policy_guide;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use pfss_core::{Instance, Outcome, Run, SolveError, Solver, Time, makespan, open};
use pfss_heuristics::beam::{BeamSearch, Guide, Schedule, Shape, WeighingTable};
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

    /// The same with a guide of one's own, made for each instance and thread, whatever guide the parameters name. Guides of
    /// one instance must say the same of a node.
    #[must_use]
    pub fn guided_by(self, make: impl Fn(&Instance<T>) -> Box<dyn Guide> + Send + Sync + 'static) -> Self {
        Self { own: Some(Arc::new(make)), ..self }
    }

    /// The search on so many threads, with guides from outside where there are any.
    fn on_threads<'p>(
        &self,
        instance: &'p Instance<T>,
        threads: usize,
    ) -> Result<BeamSearch<'p, T>, SolveError> {
        let search = BeamSearch::new(instance);
        Ok(match (&self.own, self.config.guide) {
            (Some(make), _) => search.guided_by_each((0..threads).map(|_| make(instance)).collect()),
            (None, GuideName::Policy) => {
                let guide = PolicyGuide::load(&self.config.model, instance)?;
                let guides = (0..threads).map(|_| Box::new(guide.clone()) as Box<dyn Guide>);
                search.guided_by_each(guides.collect())
            }
            (None, GuideName::Fitted) => self.weighed(search)?.with_threads(threads),
            (None, _) => search.with_threads(threads),
        })
    }

    /// The search with the weighing that suits the instance.
    fn weighed<'p>(&self, search: BeamSearch<'p, T>) -> Result<BeamSearch<'p, T>, SolveError> {
        let refuse = |reason: String| SolveError::Unsupported { algorithm: "beam".to_string(), reason };
        let shape = Shape::of(search.instance());
        let suited = match self.config.weighings.as_str() {
            "" => WeighingTable::built_in().nearest(&shape),
            file => {
                let table = WeighingTable::read(file.as_ref()).map_err(|error| refuse(error.to_string()))?;
                table.nearest(&shape)
            }
        };
        let weighing = suited.ok_or_else(|| {
            let reason = "no weights were fitted to instances of such a shape; `pfss train guide` fits them, and `guide=walpha` needs none";
            refuse(reason.to_string())
        })?;
        Ok(search.weighed_by(weighing))
    }
}

impl<T: Time> Solver<Instance<T>> for Beam<T> {
    fn name(&self) -> &str {
        "beam"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        // The result is the same on any number of threads, also under a limit of evaluations.
        let mut search = self.on_threads(instance, run.threads())?;
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
