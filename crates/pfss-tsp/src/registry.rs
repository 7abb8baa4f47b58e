//! Every algorithm for the travelling salesman by name.

use pfss::{AlgorithmFor, BuildError, Builder, PolicyConfig, algorithm_among, read_config};
use pfss_core::Solver;

use crate::{
    Auto, AutoConfig, BranchAndBound, BranchAndBoundConfig, TourPolicy, TspInstance, TspIteratedLocalSearch,
    TspIteratedLocalSearchConfig,
};

/// A solver for the travelling salesman.
pub type TspSolver = Box<dyn Solver<TspInstance>>;

/// An algorithm for the travelling salesman.
pub type TspAlgorithm = AlgorithmFor<Builder<TspSolver>>;

/// One registry entry: `$solver::new($config)` must give a solver.
macro_rules! entry {
    ($name:literal, $solver:ty, $config:ty, $summary:literal, $reference:literal) => {
        TspAlgorithm::new::<$config>($name, $summary, $reference, |settings| {
            Ok(Box::new(<$solver>::new(read_config::<$config>($name, settings)?)))
        })
    };
}

/// Every algorithm for the travelling salesman, `auto` first.
pub fn tsp_algorithms() -> &'static [TspAlgorithm] {
    const ALGORITHMS: &[TspAlgorithm] = &[
        entry!(
            "auto",
            Auto,
            AutoConfig,
            "The default: local search, then branch and bound, in shares that suit the number of cities",
            "a portfolio of the algorithms below"
        ),
        entry!(
            "iterated-local-search",
            TspIteratedLocalSearch,
            TspIteratedLocalSearchConfig,
            "Disturbs the tour at a random place and repairs it by 2-opt and Or-opt, until a limit",
            "Martin, Otto, Felten 1991; Bentley 1992; Johnson, McGeoch 1997"
        ),
        entry!(
            "branch-and-bound",
            BranchAndBound,
            BranchAndBoundConfig,
            "A short local search, then 1-tree bounds until the best tour is proven; for about 150 cities",
            "Held, Karp 1971; Volgenant, Jonker 1982; Benchimol et al. 2012"
        ),
        entry!(
            "policy",
            TourPolicy,
            PolicyConfig,
            "A trained network builds a tour; for research, `auto` is faster and shorter",
            "Li et al., Learning to Optimize Permutation Flow Shop Scheduling via Graph-based Imitation Learning, appendix G"
        ),
    ];
    ALGORITHMS
}

/// The algorithm of this name.
///
/// # Errors
/// [`BuildError::UnknownAlgorithm`] lists the names that exist.
pub fn tsp_algorithm(name: &str) -> Result<&'static TspAlgorithm, BuildError> {
    algorithm_among(tsp_algorithms(), name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tour_length;
    use pfss::Settings;
    use pfss_core::{Limits, Run, Seed, Status};
    use serde_json::{Value, json};

    const TSP_50: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/tsp-50");

    #[test]
    fn every_algorithm_solves_under_its_name() {
        for num_cities in [1, 2, 3, 4, 30, 300] {
            let instance = TspInstance::uniform(num_cities, Seed::new(1), 0).unwrap();
            for algorithm in tsp_algorithms() {
                let mut settings = Settings::new();
                if algorithm.name == "policy" {
                    settings = Settings::from([("model", TSP_50)]);
                }
                let solver = algorithm.build(&settings).unwrap();
                assert_eq!(solver.name(), algorithm.name);
                let solve = || {
                    let limits = Limits { evaluations: Some(1000), ..Limits::default() };
                    solver.solve(&instance, &Run::new(Seed::new(1), limits)).unwrap()
                };
                let outcome = solve();
                assert_eq!(outcome.cost, tour_length(&instance, &outcome.order));
                assert_eq!(solve().order, outcome.order);
                let is_exact = !matches!(algorithm.name, "iterated-local-search" | "policy");
                if num_cities <= 30 && is_exact {
                    assert_eq!(outcome.status, Status::Optimal);
                }
            }
        }
    }

    #[test]
    fn a_policy_wants_a_model_for_tours() {
        let instance = TspInstance::uniform(5, Seed::new(1), 0).unwrap();
        let refused = |settings: Value| {
            let settings = Settings::from_json(&settings.to_string()).unwrap();
            let solver = tsp_algorithm("policy").unwrap().build(&settings).unwrap();
            solver.solve(&instance, &Run::new(Seed::new(1), Limits::default())).unwrap_err().to_string()
        };
        assert!(
            refused(json!({"model": concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/gamma-m5")}))
                .contains("trained for flow shops")
        );
        assert!(refused(json!({"reverse": true})).contains("mirrors"));
    }

    #[test]
    fn wrong_names_and_settings_are_typed_errors() {
        assert!(matches!(tsp_algorithm("neh"), Err(BuildError::UnknownAlgorithm { .. })));
        let settings = Settings::from([("neighbours", 0)]);
        let search = tsp_algorithm("iterated-local-search").unwrap();
        assert!(matches!(search.build(&settings), Err(BuildError::Range { .. })));
        let config = search.config(&Settings::new()).unwrap();
        assert_eq!(Value::from(config), json!({"neighbours": 8, "kick": 50, "iterations": 0}));
    }
}
