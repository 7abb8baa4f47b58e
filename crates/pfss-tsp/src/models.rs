//! Trained policies for tours.

use pfss::{LoadModelError, LoadedPolicy};

/// The model that is looked for where none is named, `models/tsp-50`.
const USUAL_MODEL: &str = "tsp-50";

/// The policy in a file, in the folder of a training, or of a name; an empty text stands for `tsp-50`.
///
/// # Errors
/// [`LoadModelError`] tells what is wrong and what there is.
pub fn load(model: &str) -> Result<LoadedPolicy, LoadModelError> {
    pfss::load_model(named(model))
}

/// The name of a model, where an empty text stands for the usual one.
pub(crate) fn named(model: &str) -> &str {
    if model.is_empty() { USUAL_MODEL } else { model }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TOURS, TspInstance, tour_length};
    use pfss::{Building, BuildingError};
    use pfss_core::Seed;
    use pfss_neural::Decoding;

    const TSP_50: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/tsp-50");
    const GAMMA_M5: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/gamma-m5");

    #[test]
    fn a_model_for_tours_says_so() {
        let LoadedPolicy::Network(policy) = load(TSP_50).unwrap() else {
            panic!("the bidirectional policy is for flow shops");
        };
        assert_eq!((&policy.config().problem, policy.config().num_machines), (&TOURS, 2));
        // Here is no folder `models` with the usual one.
        let missing = load("").err().unwrap().to_string();
        assert!(missing.contains("tsp-50") && missing.contains("scripts/models"), "{missing}");
    }

    #[test]
    fn tours_have_their_length_and_no_mirror() {
        let map = TspInstance::uniform(20, Seed::new(1), 0).unwrap();
        let policy = load(TSP_50).unwrap();
        let building = Building { decoding: Decoding::Greedy, reverse: false };
        let built = building.order_of(&policy, &map, Seed::new(1)).unwrap();
        assert_eq!(built.cost, tour_length(&map, &built.order));
        let mirrored = Building { reverse: true, ..building };
        let refused = mirrored.order_of(&policy, &map, Seed::new(1));
        assert!(matches!(refused, Err(BuildingError::NoMachines(_))));
    }

    #[test]
    fn policies_are_for_one_problem() {
        let map = TspInstance::uniform(5, Seed::new(1), 0).unwrap();
        let building = Building { decoding: Decoding::Greedy, reverse: false };
        for model in ["front", GAMMA_M5] {
            let refused = building.order_of(&load(model).unwrap(), &map, Seed::new(1)).unwrap_err();
            assert_eq!(refused.to_string(), "the model was trained for flow shops, but was given tours");
        }
        let shop = pfss_core::generate::taillard_benchmark(1).unwrap();
        let refused = building.order(&load(TSP_50).unwrap(), &shop, Seed::new(1)).unwrap_err();
        assert_eq!(refused.to_string(), "the model was trained for tsp, but was given flow shops");
    }
}
