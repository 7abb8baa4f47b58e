//! The learned policy as a solver: a trained network builds orders.

use pfss_core::tsp::{TspInstance, tour_length};
use pfss_core::{
    Instance, JobId, Outcome, PermutationProblem, Run, SolveError, Solver, Time, makespan, open,
};
use pfss_neural::{Decoding, ModelError, PolicyInput, ProblemKind};

use crate::models::{self, LoadedPolicy};

/// More jobs than this would need hours and more memory than machines have: the graph grows with their square.
const MAX_JOBS: usize = 20_000;

pfss_core::choice! {
    /// How a policy builds orders.
    pub enum PolicyDecoding {
        /// The most likely job at each step.
        Greedy = "greedy",
        /// The greedy order and drawn ones; the shortest counts.
        Sample = "sample",
        /// A beam search for likely orders; the shortest counts.
        Beam = "beam",
    }
}

pfss_core::config! {
    /// Parameters of [`LearnedPolicy`].
    pub struct PolicyConfig {
        /// A model file, or the name of a model that comes with the program; by default the one for the number of machines.
        model: String = String::new();
        /// How orders are built.
        decoding: PolicyDecoding = PolicyDecoding::Greedy;
        /// sample: how many orders are drawn.
        samples: u64 = 16, in 1..=1_000_000;
        /// sample: below 1 nearer to greedy, above 1 more varied.
        temperature: f64 = 1.0, in 0.01..=100.0;
        /// beam: how many partial orders are kept.
        width: u64 = 16, in 1..=100_000;
        /// Whether the mirrored instance is solved too; the better order counts.
        reverse: bool = false;
    }
}

/// Orders built by a trained network.
pub struct LearnedPolicy {
    config: PolicyConfig,
}

impl LearnedPolicy {
    /// The policy with these parameters.
    pub fn new(config: PolicyConfig) -> Self {
        Self { config }
    }

    fn decoding(&self) -> Decoding {
        match self.config.decoding {
            PolicyDecoding::Greedy => Decoding::Greedy,
            PolicyDecoding::Sample => Decoding::Sample {
                samples: self.config.samples as usize,
                temperature: self.config.temperature as f32,
            },
            PolicyDecoding::Beam => Decoding::Beam { width: self.config.width as usize },
        }
    }
}

fn refuse(reason: String) -> SolveError {
    SolveError::Unsupported { algorithm: "policy".to_string(), reason }
}

/// The policy of this name for a problem, where it can treat so many jobs.
fn load(model: &str, instance: &impl PolicyInput) -> Result<LoadedPolicy, SolveError> {
    let (len, kind) = (instance.len(), instance.kind());
    if len > MAX_JOBS {
        let reason = match kind {
            ProblemKind::FlowShop => format!(
                "{len} jobs are more than the {MAX_JOBS} that a policy can treat; use `auto`, `neh` or `palmer`"
            ),
            ProblemKind::Tsp => {
                format!("{len} cities are more than the {MAX_JOBS} that a policy can treat; use `auto`")
            }
        };
        return Err(refuse(reason));
    }
    models::load(model, kind, instance.width()).map_err(|error| refuse(error.to_string()))
}

impl LearnedPolicy {
    /// Builds on as many threads as the run allows; results never depend on their number. Cut short before the first
    /// order, `otherwise` is the answer.
    fn answer<P: PermutationProblem>(
        &self,
        run: &Run<'_, P::Cost>,
        build: impl FnOnce() -> Result<bool, ModelError> + Send,
        otherwise: impl FnOnce(),
    ) -> Result<Outcome<P::Cost>, SolveError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(run.threads()).build();
        let is_whole = match pool {
            Ok(pool) => pool.install(build),
            Err(_) => build(),
        };
        if !is_whole.map_err(|error| refuse(error.to_string()))? && run.best().is_none() {
            otherwise();
        }
        run.outcome()
    }
}

impl<T: Time> Solver<Instance<T>> for LearnedPolicy {
    fn name(&self) -> &str {
        "policy"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        let policy = load(&self.config.model, instance)?;
        open("policy", instance, run)?;
        let forward = |order: Vec<JobId>| {
            run.count(1);
            run.offer(&order, makespan(instance, &order));
        };
        let (decoding, goes_on) = (self.decoding(), || !run.must_end());
        let build = || -> Result<bool, ModelError> {
            let built = policy.orders(instance, &decoding, &mut run.stream("policy"), &goes_on)?;
            let is_whole = !built.is_empty();
            built.into_iter().for_each(|rollout| forward(rollout.order));
            if is_whole && self.config.reverse && !run.must_end() {
                let mirrored = instance.reversed();
                let mut rng = run.stream("mirrored policy");
                for mut rollout in policy.orders(&mirrored, &decoding, &mut rng, &goes_on)? {
                    rollout.order.reverse();
                    forward(rollout.order);
                }
            }
            Ok(is_whole)
        };
        self.answer::<Instance<T>>(run, build, || forward(pfss_heuristics::slope_order(instance)))
    }
}

impl Solver<TspInstance> for LearnedPolicy {
    fn name(&self) -> &str {
        "policy"
    }

    fn solve(&self, instance: &TspInstance, run: &Run<'_, f64>) -> Result<Outcome<f64>, SolveError> {
        if self.config.reverse {
            return Err(refuse("`reverse` mirrors the machines of a flow shop; a tour has none".to_string()));
        }
        let policy = load(&self.config.model, instance)?;
        pfss_core::tsp::open("policy", instance, run)?;
        let offer = |order: Vec<JobId>| {
            run.count(1);
            run.offer(&order, tour_length(instance, &order));
        };
        let goes_on = || !run.must_end();
        let build = || -> Result<bool, ModelError> {
            let built = policy.tours(instance, &self.decoding(), &mut run.stream("policy"), &goes_on)?;
            let is_whole = !built.is_empty();
            built.into_iter().for_each(|rollout| offer(rollout.order));
            Ok(is_whole)
        };
        self.answer::<TspInstance>(run, build, || offer((0..instance.num_cities() as JobId).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::{Limits, Seed, check};
    use std::time::Duration;

    fn solve(config: PolicyConfig, threads: usize) -> Outcome<u32> {
        let instance = taillard_benchmark(31).unwrap();
        let run = Run::new(Seed::new(1), Limits::default()).with_threads(threads);
        let outcome = LearnedPolicy::new(config).solve(&instance, &run).unwrap();
        check(&instance, &outcome.order, Some(outcome.cost)).unwrap();
        outcome
    }

    #[test]
    fn the_models_that_come_along_solve_taillards_instances() {
        let greedy = solve(PolicyConfig::default(), 1);
        assert_eq!(solve(PolicyConfig::default(), 2).order, greedy.order);
        // 2724 is the optimum; a random order is far above 3000.
        assert!(greedy.cost < 2950, "{}", greedy.cost);
        let both = solve(PolicyConfig { reverse: true, ..PolicyConfig::default() }, 1);
        let sampled = PolicyConfig { decoding: PolicyDecoding::Sample, ..PolicyConfig::default() };
        let beam = PolicyConfig { decoding: PolicyDecoding::Beam, width: 4, ..PolicyConfig::default() };
        assert!(both.cost <= greedy.cost && solve(sampled, 2).cost <= greedy.cost);
        assert_eq!(solve(beam, 1).evaluations, 4);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let instance = Instance::new("", 3, vec![1u32; 12]).unwrap();
        let refuse = |model: &str| {
            let config = PolicyConfig { model: model.to_string(), ..PolicyConfig::default() };
            let run = Run::new(Seed::new(1), Limits::default());
            LearnedPolicy::new(config).solve(&instance, &run).unwrap_err().to_string()
        };
        assert!(refuse("").contains("no model for 3 machines"), "{}", refuse(""));
        assert!(refuse("gamma-m5").contains("trained for 5 machines"), "{}", refuse("gamma-m5"));
        assert!(refuse("no/such/file").contains("no/such/file"), "{}", refuse("no/such/file"));
    }

    #[test]
    fn a_time_limit_of_nothing_still_gives_an_order() {
        let instance = taillard_benchmark(111).unwrap();
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        let run = Run::new(Seed::new(1), limits);
        let outcome = LearnedPolicy::new(PolicyConfig::default()).solve(&instance, &run).unwrap();
        check(&instance, &outcome.order, Some(outcome.cost)).unwrap();
    }
}
