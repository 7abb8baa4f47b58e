//! The algorithms that come with the library.

use std::sync::LazyLock;

use pfss_heuristics as heuristics;

use crate::algorithm::{Algorithm, BuildError, named};
use crate::{Auto, AutoConfig, BranchAndBound, BranchAndBoundConfig, LearnedPolicy, PolicyConfig};

/// One entry: `$solver::new($config)` must give a solver for integer and real times.
macro_rules! entry {
    ($name:literal, $solver:ty, $config:ty, $summary:literal, $reference:literal) => {
        Algorithm::flow_shop::<$config>(
            $name,
            $summary,
            $reference,
            |config| Box::new(<$solver>::new(config)),
            |config| Box::new(<$solver>::new(config)),
        )
    };
}

/// Every algorithm, `auto` first.
pub fn algorithms() -> &'static [Algorithm] {
    static ALGORITHMS: LazyLock<Vec<Algorithm>> = LazyLock::new(built_in);
    &ALGORITHMS
}

fn built_in() -> Vec<Algorithm> {
    vec![
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
            crate::Beam<_>,
            crate::BeamConfig,
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
    ]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use pfss_core::{Instance, Limits, Run, Seed, check};
    use serde_json::{Value, json};

    #[test]
    fn every_algorithm_solves_integers_and_reals_under_its_name() {
        let integers =
            Instance::from_job_rows("", &[[3u32, 1, 2, 1, 1], [1, 4, 2, 3, 2], [2, 2, 5, 1, 3]]).unwrap();
        let reals =
            Instance::from_job_rows("", &[[0.5, 1.0, 2.0, 0.0, 1.0], [0.25, 4.0, 1.5, 3.0, 0.5]]).unwrap();
        let limit = Some(1000);
        for algorithm in algorithms() {
            let solver = algorithm.integer(&Settings::new()).unwrap();
            assert_eq!(solver.name(), algorithm.name);
            let outcome = solver
                .solve(&integers, &Run::new(Seed::new(1), Limits { evaluations: limit, ..Limits::default() }))
                .unwrap();
            assert_eq!(check(&integers, &outcome.order, Some(outcome.cost)), Ok(outcome.cost));
            let solver = algorithm.real(&Settings::new()).unwrap();
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
        let settings = |value: Value| Settings::from_json(&value.to_string()).unwrap();
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
            let error = algorithm.config(&Settings::from_json(&settings.to_string()).unwrap()).unwrap_err();
            assert!(
                matches!(error, BuildError::Unused { .. }) && error.to_string().contains(needs),
                "{error}"
            );
        }
        // What a record tells, defaults included, is accepted again.
        for algorithm in algorithms() {
            let complete = algorithm.config(&Settings::new()).unwrap();
            assert_eq!(algorithm.config(&complete).unwrap(), complete);
        }
    }

    #[test]
    fn a_configuration_is_completed() {
        let config = algorithm("neh").unwrap().config(&Settings::new()).unwrap();
        assert_eq!(Value::from(config), json!({"order": "usual", "tie": "ff", "local-search": false}));
    }
}
