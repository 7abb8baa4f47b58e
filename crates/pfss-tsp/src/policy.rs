//! The learned policy as a solver: a trained network builds tours.

use pfss::{MAX_JOBS, PolicyConfig, PolicyImprovement};
use pfss_core::{JobId, Outcome, Run, SolveError, Solver};
use pfss_neural::ModelError;

use crate::{TspInstance, models, open, tour_length};

/// Tours built by a trained network.
pub struct TourPolicy {
    config: PolicyConfig,
}

impl TourPolicy {
    /// The policy with these parameters.
    pub fn new(config: PolicyConfig) -> Self {
        Self { config }
    }

    /// What only schedules have is refused, not ignored.
    fn check(&self, instance: &TspInstance) -> Result<(), SolveError> {
        let config = &self.config;
        if config.reverse {
            return Err(refuse("`reverse` mirrors the machines of a flow shop; a tour has none"));
        }
        if config.improve != PolicyImprovement::None {
            return Err(refuse("`improve` moves the jobs of a flow shop; a tour has none"));
        }
        if config.finish != PolicyConfig::default().finish {
            return Err(refuse("`finish` orders the last jobs of a flow shop; a tour has none"));
        }
        match instance.num_cities() {
            found if found > MAX_JOBS => Err(refuse(format!(
                "{found} cities are more than the {MAX_JOBS} that a policy can treat; use `auto`"
            ))),
            _ => Ok(()),
        }
    }
}

fn refuse(reason: impl ToString) -> SolveError {
    SolveError::Unsupported { algorithm: "policy".to_string(), reason: reason.to_string() }
}

impl Solver<TspInstance> for TourPolicy {
    fn name(&self) -> &str {
        "policy"
    }

    fn solve(&self, instance: &TspInstance, run: &Run<'_, f64>) -> Result<Outcome<f64>, SolveError> {
        self.check(instance)?;
        let policy = models::load(&self.config.model).map_err(refuse)?;
        open("policy", instance, run)?;
        let offer = |order: Vec<JobId>| {
            run.count(1);
            run.offer(&order, tour_length(instance, &order));
        };
        let (decoding, goes_on) = (self.config.complete_decoding(), || !run.must_end());
        let build = || -> Result<bool, ModelError> {
            let built = policy.orders_of(instance, &decoding, &mut run.stream("policy"), &goes_on)?;
            let is_whole = !built.is_empty();
            built.into_iter().for_each(|rollout| offer(rollout.order));
            Ok(is_whole)
        };
        let is_whole = policy.on_threads(run.threads(), build).map_err(refuse)?;
        // Cut short before the first tour, any will do.
        if !is_whole && run.best().is_none() {
            offer((0..instance.num_cities() as JobId).collect());
        }
        run.outcome()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::{Limits, Seed};

    #[test]
    fn what_only_schedules_have_is_refused() {
        let cities = TspInstance::uniform(4, Seed::new(1), 0).unwrap();
        let usual = PolicyConfig::default;
        for (config, word) in [
            (PolicyConfig { improve: PolicyImprovement::Insertion, ..usual() }, "`improve`"),
            (PolicyConfig { finish: 3, ..usual() }, "`finish`"),
            (PolicyConfig { reverse: true, ..usual() }, "`reverse`"),
            (PolicyConfig { model: "front".to_string(), ..usual() }, "flow shops"),
        ] {
            let run = Run::new(Seed::new(1), Limits::default());
            let error = TourPolicy::new(config).solve(&cities, &run).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
