//! Every algorithm by name: its description, its parameters and how to build it.

use pfss_core::{Config, Instance, Parameter, ParameterError, Solver, UnusedParameter};
use pfss_heuristics as heuristics;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::{Auto, AutoConfig, BranchAndBound, BranchAndBoundConfig, LearnedPolicy, PolicyConfig};

/// A solver for flow shops with times of type `T`.
pub type FlowShopSolver<T> = Box<dyn Solver<Instance<T>>>;

/// One algorithm: what it is and how to make it; `B` makes it for the instances of a problem.
pub struct AlgorithmFor<B> {
    /// The name on the command line, in JSON and in tables.
    pub name: &'static str,
    /// One line that says what it does.
    pub summary: &'static str,
    /// Where it was published.
    pub reference: &'static str,
    parameters: fn() -> Vec<Parameter>,
    complete: fn(&'static str, Value) -> Result<Value, BuildError>,
    pub(crate) build: B,
}

/// An algorithm for flow shops.
pub type Algorithm = AlgorithmFor<FlowShopBuilders>;

/// How an algorithm for flow shops is made.
pub struct FlowShopBuilders {
    integer: Builder<FlowShopSolver<u32>>,
    real: Builder<FlowShopSolver<f64>>,
}

/// Why an algorithm cannot be built.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// There is no algorithm of this name.
    #[error("there is no algorithm `{name}`; known are: {known}")]
    UnknownAlgorithm {
        /// The name that was asked for.
        name: String,
        /// All names, separated by commas.
        known: String,
    },
    /// The algorithm exists, but was left out of this build.
    #[error(
        "this build has no {what}; build with `cargo install --path crates/pfss-cli --features {feature}` for `{name}`"
    )]
    NotBuilt {
        /// The algorithm.
        name: &'static str,
        /// What is missing.
        what: &'static str,
        /// The cargo feature that brings it.
        feature: &'static str,
    },
    /// The parameters do not fit.
    #[error("{algorithm}: {reason}")]
    Parameters {
        /// The algorithm.
        algorithm: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// A parameter is out of range.
    #[error("{algorithm}: {source}")]
    Range {
        /// The algorithm.
        algorithm: &'static str,
        /// Which parameter, and its range.
        source: ParameterError,
    },
    /// A parameter is set that the others make meaningless.
    #[error("{algorithm}: {source}")]
    Unused {
        /// The algorithm.
        algorithm: &'static str,
        /// Which parameter, and what would make it meaningful.
        source: UnusedParameter,
    },
}

impl<B> AlgorithmFor<B> {
    /// An algorithm with parameters `C`.
    pub const fn new<C: Config>(
        name: &'static str,
        summary: &'static str,
        reference: &'static str,
        build: B,
    ) -> Self {
        Self { name, summary, reference, parameters: C::parameters, complete: complete::<C>, build }
    }

    /// The parameters, with their ranges and help texts.
    pub fn parameters(&self) -> Vec<Parameter> {
        (self.parameters)()
    }

    /// The complete configuration for the given settings: every parameter with its value.
    ///
    /// # Errors
    /// [`BuildError`] names the setting that is unknown, malformed or out of range.
    pub fn config(&self, settings: &Map<String, Value>) -> Result<Value, BuildError> {
        (self.complete)(self.name, Value::Object(settings.clone()))
    }
}

/// How an algorithm for a problem with one type of cost is made.
pub type Builder<S> = fn(Value) -> Result<S, BuildError>;

impl<S> AlgorithmFor<Builder<S>> {
    /// The algorithm.
    ///
    /// # Errors
    /// See [`AlgorithmFor::config`].
    pub fn build(&self, settings: &Map<String, Value>) -> Result<S, BuildError> {
        (self.build)(Value::Object(settings.clone()))
    }
}

impl Algorithm {
    /// Whether it searches until a limit ends it; the others end by themselves, and a limit would only cut them short.
    pub fn searches(&self) -> bool {
        matches!(self.name, "auto" | "iterated-greedy" | "beam" | "branch-and-bound" | "brute-force" | "mip")
    }

    /// The algorithm for integer times.
    ///
    /// # Errors
    /// See [`AlgorithmFor::config`].
    pub fn integer(&self, settings: &Map<String, Value>) -> Result<FlowShopSolver<u32>, BuildError> {
        (self.build.integer)(Value::Object(settings.clone()))
    }

    /// The algorithm for real times.
    ///
    /// # Errors
    /// See [`AlgorithmFor::config`].
    pub fn real(&self, settings: &Map<String, Value>) -> Result<FlowShopSolver<f64>, BuildError> {
        (self.build.real)(Value::Object(settings.clone()))
    }
}

/// Reads and checks a configuration.
///
/// # Errors
/// [`BuildError`] names the setting that is unknown, malformed or out of range.
pub fn read<C: Config>(algorithm: &'static str, settings: Value) -> Result<C, BuildError> {
    let config: C = serde_json::from_value(settings)
        .map_err(|error| BuildError::Parameters { algorithm, reason: error.to_string() })?;
    config.validate().map_err(|source| BuildError::Range { algorithm, source })?;
    match config.unused() {
        Some(source) => Err(BuildError::Unused { algorithm, source }),
        None => Ok(config),
    }
}

/// Every parameter with its value.
fn complete<C: Config>(algorithm: &'static str, settings: Value) -> Result<Value, BuildError> {
    let config: C = read(algorithm, settings)?;
    serde_json::to_value(config)
        .map_err(|error| BuildError::Parameters { algorithm, reason: error.to_string() })
}

/// One registry entry: `$solver::new($config)` must give a solver for integer and real times.
macro_rules! entry {
    ($name:literal, $solver:ty, $config:ty, $summary:literal, $reference:literal) => {
        Algorithm::new::<$config>(
            $name,
            $summary,
            $reference,
            FlowShopBuilders {
                integer: |settings| Ok(Box::new(<$solver>::new(read::<$config>($name, settings)?))),
                real: |settings| Ok(Box::new(<$solver>::new(read::<$config>($name, settings)?))),
            },
        )
    };
}

/// Every algorithm, `auto` first.
pub fn algorithms() -> &'static [Algorithm] {
    const ALGORITHMS: &[Algorithm] = &[
        entry!(
            "auto",
            Auto,
            AutoConfig,
            "The default: constructive starts, then iterated greedy, beam search and branch and bound in shares that suit the shape",
            "a portfolio of the algorithms below"
        ),
        entry!(
            "random-search",
            heuristics::RandomSearch,
            heuristics::RandomSearchConfig,
            "The best of a few random orders, as a baseline",
            "as run by Li et al., Learning to Optimize Permutation Flow Shop Scheduling via Graph-based Imitation Learning"
        ),
        entry!(
            "iterated-local-search",
            heuristics::IteratedLocalSearch,
            heuristics::IteratedLocalSearchConfig,
            "Random descents by moves and swaps; the paper's weak baseline, kept for comparison",
            "as run by Li et al., Learning to Optimize Permutation Flow Shop Scheduling via Graph-based Imitation Learning"
        ),
        entry!(
            "paper-iterated-greedy",
            heuristics::PaperIteratedGreedy,
            heuristics::PaperIteratedGreedyConfig,
            "Ten rounds of taking out and reinserting ten jobs; the paper's weak baseline, kept for comparison",
            "as run by Li et al., Learning to Optimize Permutation Flow Shop Scheduling via Graph-based Imitation Learning"
        ),
        entry!(
            "paper-neh",
            heuristics::PaperNeh,
            heuristics::PaperNehConfig,
            "NEH without trying the first two jobs in both orders: the paper's expert, kept for comparison",
            "as run by Li et al., Learning to Optimize Permutation Flow Shop Scheduling via Graph-based Imitation Learning"
        ),
        entry!(
            "neh",
            heuristics::Neh,
            heuristics::NehConfig,
            "Inserts job after job at its best place; fast, a few percent above the best known",
            "Nawaz, Enscore, Ham 1983; Taillard 1990; Fernandez-Viagas, Framinan 2014"
        ),
        entry!(
            "palmer",
            heuristics::Palmer,
            heuristics::PalmerConfig,
            "Sorts the jobs by slope; for millions of jobs",
            "Palmer 1965"
        ),
        entry!(
            "cds",
            heuristics::Cds,
            heuristics::CdsConfig,
            "The best of m - 1 orders by Johnson's rule; exact for two machines",
            "Campbell, Dudek, Smith 1970"
        ),
        entry!(
            "iterated-greedy",
            heuristics::IteratedGreedy,
            heuristics::IteratedGreedyConfig,
            "Takes out and reinserts a few jobs with local search, until a limit; for small and medium instances",
            "Ruiz, Stuetzle 2007; Dubois-Lacoste, Pagnozzi, Stuetzle 2017; Kizilay et al. 2019"
        ),
        entry!(
            "beam",
            crate::Beam,
            heuristics::beam::BeamConfig,
            "Builds orders from both ends, wider and wider, by hand-made guides or a policy; for many jobs per machine",
            "Libralesso, Focke, Secardin, Jost 2022"
        ),
        entry!(
            "branch-and-bound",
            BranchAndBound,
            BranchAndBoundConfig,
            "Searches all orders that the bounds cannot exclude, until the best one is proven; for about 20 jobs, or many jobs on few machines",
            "Gmys, Mezmaz, Melab, Tuyttens 2020"
        ),
        entry!(
            "brute-force",
            pfss_exact::BruteForce,
            pfss_exact::BruteForceConfig,
            "Tries every order of up to 12 jobs; to check the others",
            "by definition"
        ),
        entry!(
            "policy",
            LearnedPolicy,
            PolicyConfig,
            "A trained network builds orders of any size; insertion local search may follow; for research",
            "after Li et al., Learning to Optimize Permutation Flow Shop Scheduling via Graph-based Imitation Learning"
        ),
        #[cfg(feature = "mip")]
        entry!(
            "mip",
            crate::Mip,
            pfss_exact::MipConfig,
            "A mixed-integer model solved by HiGHS; for up to about ten jobs, and to compare with",
            "Wilson 1989; Rios-Mercado, Bard 1998, as run by Li et al."
        ),
    ];
    ALGORITHMS
}

/// Algorithms that were left out of this build; [`algorithm`] tells how to get them.
pub fn missing_algorithms() -> &'static [&'static str] {
    if cfg!(feature = "mip") { &[] } else { &["mip"] }
}

/// The algorithm of this name.
///
/// # Errors
/// [`BuildError::UnknownAlgorithm`] lists the names that exist, [`BuildError::NotBuilt`] tells how to build it in.
pub fn algorithm(name: &str) -> Result<&'static Algorithm, BuildError> {
    if let Some(name) = missing_algorithms().iter().find(|missing| **missing == name) {
        return Err(BuildError::NotBuilt { name, what: "mixed-integer solver", feature: "mip" });
    }
    named(algorithms(), name)
}

/// The one of this name.
///
/// # Errors
/// [`BuildError::UnknownAlgorithm`] lists the names that exist.
pub fn named<'a, B>(all: &'a [AlgorithmFor<B>], name: &str) -> Result<&'a AlgorithmFor<B>, BuildError> {
    all.iter().find(|algorithm| algorithm.name == name).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|algorithm| algorithm.name).collect();
        BuildError::UnknownAlgorithm { name: name.to_string(), known: known.join(", ") }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::{Limits, Run, Seed, check};
    use serde_json::json;

    #[test]
    fn every_algorithm_solves_integers_and_reals_under_its_name() {
        let integers =
            Instance::from_job_rows("", &[[3u32, 1, 2, 1, 1], [1, 4, 2, 3, 2], [2, 2, 5, 1, 3]]).unwrap();
        let reals =
            Instance::from_job_rows("", &[[0.5, 1.0, 2.0, 0.0, 1.0], [0.25, 4.0, 1.5, 3.0, 0.5]]).unwrap();
        let limit = Some(1000);
        for algorithm in algorithms() {
            let solver = algorithm.integer(&Map::new()).unwrap();
            assert_eq!(solver.name(), algorithm.name);
            let outcome = solver
                .solve(&integers, &Run::new(Seed::new(1), Limits { evaluations: limit, ..Limits::default() }))
                .unwrap();
            assert_eq!(check(&integers, &outcome.order, Some(outcome.cost)), Ok(outcome.cost));
            let solver = algorithm.real(&Map::new()).unwrap();
            let outcome = solver
                .solve(&reals, &Run::new(Seed::new(1), Limits { evaluations: limit, ..Limits::default() }))
                .unwrap();
            assert_eq!(check(&reals, &outcome.order, Some(outcome.cost)), Ok(outcome.cost));
        }
    }

    #[test]
    fn names_are_unique_and_auto_is_first() {
        let mut names: Vec<&str> = algorithms().iter().map(|algorithm| algorithm.name).collect();
        assert_eq!(names[0], "auto");
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), algorithms().len());
    }

    #[test]
    fn a_part_that_was_not_built_is_told() {
        match algorithm("mip") {
            Ok(mip) => assert!(cfg!(feature = "mip") && mip.name == "mip"),
            Err(error) => assert!(error.to_string().contains("--features mip"), "{error}"),
        }
    }

    #[test]
    fn wrong_settings_are_typed_errors() {
        let settings = |value: Value| value.as_object().cloned().unwrap();
        let neh = algorithm("neh").unwrap();
        let unknown = neh.integer(&settings(json!({"ties": "first"}))).err().unwrap();
        assert!(matches!(unknown, BuildError::Parameters { .. }), "{unknown}");
        let random = algorithm("random-search").unwrap();
        let range = random.real(&settings(json!({"samples": 0}))).err().unwrap();
        assert!(matches!(range, BuildError::Range { .. }), "{range}");
        assert!(matches!(algorithm("nhe"), Err(BuildError::UnknownAlgorithm { .. })));
    }

    #[test]
    fn settings_without_a_use_are_refused() {
        let strays = [
            ("policy", json!({"samples": 4}), "decoding=sample"),
            ("policy", json!({"decoding": "beam", "temperature": 0.5}), "decoding=sample"),
            ("policy", json!({"decoding": "sample", "width": 4}), "decoding=beam"),
            ("beam", json!({"model": "front"}), "guide=policy"),
            ("iterated-greedy", json!({"acceptance": "better", "temperature": 0.4}), "acceptance=metropolis"),
        ];
        for (name, settings, needs) in strays {
            let algorithm = algorithm(name).unwrap();
            let error = algorithm.config(settings.as_object().unwrap()).unwrap_err();
            assert!(
                matches!(error, BuildError::Unused { .. }) && error.to_string().contains(needs),
                "{error}"
            );
        }
        // What a record tells, defaults included, is accepted again.
        for algorithm in algorithms() {
            let complete = algorithm.config(&Map::new()).unwrap();
            assert_eq!(algorithm.config(complete.as_object().unwrap()).unwrap(), complete);
        }
    }

    #[test]
    fn a_configuration_is_completed() {
        let config = algorithm("neh").unwrap().config(&Map::new()).unwrap();
        assert_eq!(config, json!({"order": "usual", "tie": "ff", "local-search": false}));
    }
}
