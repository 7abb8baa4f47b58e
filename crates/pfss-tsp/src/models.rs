//! The model for tours that comes with the program, and those in files.

use pfss::{LoadModelError, LoadedPolicy, ShippedModel, load_model_among};

/// The models for tours.
pub fn shipped_models() -> &'static [ShippedModel] {
    static MODELS: [ShippedModel; 1] = [ShippedModel::new(
        "tsp-50",
        None,
        "50 cities of the unit square, imitation, then actor and critic",
        include_bytes!("../../../models/tsp-50/model.safetensors"),
    )];
    &MODELS
}

/// The policy in a file or of a name; an empty text stands for `tsp-50`.
///
/// # Errors
/// [`LoadModelError`] tells what is wrong and what there is.
pub fn load(model: &str) -> Result<LoadedPolicy, LoadModelError> {
    load_model_among(shipped_models(), model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TOURS, TspInstance, tour_length};
    use pfss::{Building, BuildingError};
    use pfss_core::Seed;
    use pfss_neural::Decoding;

    #[test]
    fn a_model_for_tours_comes_along() {
        let LoadedPolicy::Network(policy) = load("").unwrap() else {
            panic!("the bidirectional policy is for flow shops");
        };
        assert_eq!((&policy.config().problem, policy.config().num_machines), (&TOURS, 2));
        let missing = load("no-such-model").err().unwrap().to_string();
        assert!(missing.contains("tsp-50") && !missing.contains("machines"), "{missing}");
    }

    #[test]
    fn tours_have_their_length_and_no_mirror() {
        let map = TspInstance::uniform(20, Seed::new(1), 0).unwrap();
        let policy = load("tsp-50").unwrap();
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
        for model in ["front", "gamma-m5"] {
            let refused = building.order_of(&load(model).unwrap(), &map, Seed::new(1)).unwrap_err();
            assert_eq!(refused.to_string(), "the model was trained for flow shops, but was given tours");
        }
        let shop = pfss_core::generate::taillard_benchmark(1).unwrap();
        let refused = building.order(&load("").unwrap(), &shop, Seed::new(1)).unwrap_err();
        assert_eq!(refused.to_string(), "the model was trained for tsp, but was given flow shops");
    }
}
