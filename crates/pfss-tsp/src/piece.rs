//! Tours that other processes look for.

use pfss::{
    BuildError, Building, BuildingError, Built, Craft, LoadModelError, LoadedPolicy, Made, Piece, PieceError,
    PortableModel, PortableProblem, Settings, Solvable,
};
use pfss_core::{CancelFlag, Seed, Solver};

use crate::models::named;
use crate::{TspInstance, tsp_algorithm, tsp_json};

/// The name of the problem.
const PROBLEM: &str = "tsp";

/// How a process looks for tours that another one wants.
pub const TOUR_CRAFT: Craft = Craft { problem: PROBLEM, make };

/// The model of a file, of a folder or of a name, for other processes; an empty text stands for `tsp-50`.
///
/// # Errors
/// [`LoadModelError`] tells what there is instead.
pub fn portable_model(model: &str) -> Result<PortableModel, LoadModelError> {
    PortableModel::find(named(model))
}

impl From<&TspInstance> for PortableProblem {
    fn from(map: &TspInstance) -> Self {
        let mut text = String::new();
        // Coordinates are finite numbers, which always have a JSON form.
        let _ = tsp_json::write(map, &mut text);
        Self::Other { problem: PROBLEM.to_string(), text }
    }
}

impl Solvable for TspInstance {
    fn solver(name: &str, settings: &Settings) -> Result<Box<dyn Solver<Self>>, BuildError> {
        tsp_algorithm(name)?.build(settings)
    }

    fn build(
        &self,
        building: Building,
        policy: &LoadedPolicy,
        seed: Seed,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Built<f64>, BuildingError> {
        building.order_of_while(policy, self, seed, goes_on)
    }
}

fn make(
    piece: &Piece,
    text: &str,
    policy: Option<LoadedPolicy>,
    cancel: &CancelFlag,
) -> Result<Made, PieceError> {
    let maps = tsp_json::read(text).map_err(|error| PieceError::Instance(error.to_string()))?;
    let map = maps.first().ok_or_else(|| PieceError::Instance("there is no map".to_string()))?;
    piece.solve(map, policy, cancel)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss::Workshop;
    use pfss_core::{Limits, Run};
    use pfss_neural::Decoding;

    const TSP_50: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/tsp-50");

    fn sent(piece: &Piece) -> Piece {
        serde_json::from_str(&serde_json::to_string(piece).unwrap()).unwrap()
    }

    #[test]
    fn a_tour_from_elsewhere_is_that_of_a_run_here() {
        let map = TspInstance::uniform(40, Seed::new(1), 0).unwrap();
        let limits = Limits { evaluations: Some(2000), ..Limits::default() };
        let piece = Piece::new(&map, "auto", &Settings::new(), Seed::new(3)).with_limits(&limits);
        let made = Workshop::new(&[TOUR_CRAFT]).make(&sent(&piece), &CancelFlag::new()).unwrap();
        let solver = tsp_algorithm("auto").unwrap().build(&Settings::new()).unwrap();
        let outcome = solver.solve(&map, &Run::new(Seed::new(3), limits)).unwrap();
        assert_eq!((made.order.as_slice(), made.cost), (outcome.order.as_slice(), outcome.cost));
        assert_eq!((made.bound, made.evaluations), (outcome.bound, outcome.evaluations));
        assert!(Workshop::new(&[]).make(&piece, &CancelFlag::new()).is_err());
    }

    #[test]
    fn a_policy_builds_the_same_tour_elsewhere() {
        let map = TspInstance::uniform(20, Seed::new(1), 0).unwrap();
        let model = portable_model(TSP_50).unwrap();
        let building = Building { decoding: Decoding::Greedy, reverse: false };
        let piece = Piece::of_policy(&map, &model, None, building, Seed::new(1));
        let workshop = Workshop::new(&[TOUR_CRAFT]);
        workshop.keep_model(model.key(), model.content().unwrap()).unwrap();
        let made = workshop.make(&sent(&piece), &CancelFlag::new()).unwrap();
        let built = building.order_of(&crate::load_model(TSP_50).unwrap(), &map, Seed::new(1)).unwrap();
        assert_eq!((made.order, made.cost), (built.order, built.cost));
    }
}
