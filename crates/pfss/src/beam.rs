//! The registered beam search: with hand-made guides, or with a trained policy as its guide.

use std::sync::Arc;

use pfss_core::{Instance, Outcome, Run, SolveError, Solver, Time};
use pfss_heuristics::beam::{self, BeamConfig, BeamSearch, GuideChoice, NodePolicy, OpenNode};
use pfss_neural::{FrontAdvisor, FrontPolicy};

use crate::models::{self, LoadedPolicy};

/// Iterative bidirectional beam search.
pub struct Beam {
    config: BeamConfig,
}

impl Beam {
    /// Beam search with these parameters.
    pub fn new(config: BeamConfig) -> Self {
        Self { config }
    }

    fn policy(&self) -> Result<Arc<FrontPolicy>, SolveError> {
        let refuse = |reason: String| SolveError::Unsupported { algorithm: "beam".to_string(), reason };
        match models::load(&self.config.model) {
            Ok(LoadedPolicy::Front(policy)) => Ok(policy),
            Ok(LoadedPolicy::Network(_)) => Err(refuse(format!(
                "the model {} builds orders from one end; a beam needs one that builds them from both, such as `front`",
                self.config.model
            ))),
            Err(error) => Err(refuse(error.to_string())),
        }
    }
}

impl<T: Time> Solver<Instance<T>> for Beam {
    fn name(&self) -> &str {
        "beam"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        let beam = beam::Beam::new(self.config.clone());
        match self.config.guide {
            GuideChoice::Policy => {
                let guide = PolicyGuide(FrontAdvisor::new(self.policy()?, instance));
                beam.search(BeamSearch::new(instance).guided_by(Box::new(guide)), run)
            }
            _ => beam.solve(instance, run),
        }
    }
}

/// A bidirectional policy as the guide of a beam.
struct PolicyGuide(FrontAdvisor);

impl NodePolicy for PolicyGuide {
    fn look(&mut self, node: &OpenNode<'_>, log_probabilities: &mut Vec<[f32; 2]>) {
        log_probabilities.clear();
        let likely = self.0.log_probabilities(node.front, node.back, node.work, node.jobs);
        log_probabilities.extend_from_slice(likely);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::{Limits, Seed, Status, check, makespan};
    use pfss_heuristics::beam::{Guide, PassSettings};
    use pfss_neural::{Finish, FrontConfig, FrontWeights};
    use std::time::Duration;

    fn guided(instance: &Instance<u32>, limits: Limits<u32>) -> Outcome<u32> {
        let config = BeamConfig { guide: GuideChoice::Policy, ..BeamConfig::default() };
        let outcome = Beam::new(config).solve(instance, &Run::new(Seed::new(1), limits)).unwrap();
        assert_eq!(check(instance, &outcome.order, Some(outcome.cost)), Ok(outcome.cost));
        outcome
    }

    #[test]
    fn the_narrowest_pass_is_the_greedy_order() {
        let weights = FrontWeights::random(FrontConfig::default(), 1).unwrap();
        let policy = Arc::new(FrontPolicy::new(&weights).with_finish(Finish::NONE));
        for number in [1, 11, 21, 31] {
            let instance = taillard_benchmark(number).unwrap();
            let guide = PolicyGuide(FrontAdvisor::new(policy.clone(), &instance));
            let mut search = BeamSearch::new(&instance).guided_by(Box::new(guide));
            let settings = PassSettings {
                width: 1,
                guide: Guide::Walpha,
                penalise_one_sided: true,
                prune_at: u32::MAX,
                upper: u32::MAX,
                memory: usize::MAX,
            };
            let run = Run::new(Seed::new(1), Limits::default());
            let (order, cost) = search.pass(&settings, &run).best.unwrap();
            let greedy = policy.greedy(&instance);
            assert_eq!((cost, order), (makespan(&instance, &greedy), greedy));
        }
    }

    #[test]
    fn it_proves_small_instances_and_keeps_to_budgets() {
        let times = (0..7 * 4u32).map(|k| (k * k + 3) * 31 % 41).collect();
        let small = Instance::new("", 4, times).unwrap();
        let plain = beam::Beam::new(BeamConfig::default());
        let plain = plain.solve(&small, &Run::new(Seed::new(1), Limits::default())).unwrap();
        let outcome = guided(&small, Limits::default());
        assert_eq!((outcome.cost, outcome.status), (plain.cost, Status::Optimal));

        let instance = taillard_benchmark(51).unwrap();
        let limits = Limits { evaluations: Some(20_000), ..Limits::default() };
        let (first, second) = (guided(&instance, limits), guided(&instance, limits));
        assert_eq!((&first.order, first.evaluations), (&second.order, second.evaluations));
        assert!(first.evaluations < 20_100, "{}", first.evaluations);
        let start = pfss_heuristics::slope_order(&instance);
        assert!(first.cost <= makespan(&instance, &start));
    }

    #[test]
    fn limits_and_the_cancel_flag_end_it() {
        let instance = taillard_benchmark(111).unwrap();
        let limits = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
        let outcome = guided(&instance, limits);
        assert!(outcome.runtime < Duration::from_secs(2), "{:?}", outcome.runtime);
        let run = Run::new(Seed::new(1), Limits::default());
        run.cancel_flag().cancel();
        let config = BeamConfig { guide: GuideChoice::Policy, ..BeamConfig::default() };
        assert_eq!(Beam::new(config).solve(&instance, &run).unwrap().order.len(), 500);
    }

    #[test]
    fn models_of_the_other_kind_are_refused() {
        let instance = taillard_benchmark(1).unwrap();
        let refuse = |model: &str| {
            let config =
                BeamConfig { guide: GuideChoice::Policy, model: model.to_string(), ..BeamConfig::default() };
            let run = Run::new(Seed::new(1), Limits::default());
            Beam::new(config).solve(&instance, &run).unwrap_err().to_string()
        };
        assert!(refuse("gamma-m5").contains("from both"), "{}", refuse("gamma-m5"));
        assert!(refuse("no/such/file").contains("no/such/file"));
    }
}
