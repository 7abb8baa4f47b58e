//! Where a process makes the pieces that another one sends.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pfss_core::CancelFlag;
use pfss_io::AnyInstance;

use super::made::Made;
use super::portable::PortableProblem;
use super::task::{Piece, PieceError};
use crate::models::{self, LoadedPolicy};

/// How pieces of a problem beside the flow shop are made.
#[derive(Clone, Copy, Debug)]
pub struct Craft {
    /// The name of the problem.
    pub problem: &'static str,
    /// Reads the instance of a piece and solves it, by [`Piece::solve`].
    pub make: fn(&Piece, &str, Option<LoadedPolicy>, &CancelFlag) -> Result<Made, PieceError>,
}

/// All that a process needs to make pieces: problems beside the flow shop, and the models that it was sent.
#[derive(Debug)]
pub struct Workshop {
    crafts: Vec<Craft>,
    models: Mutex<BTreeMap<String, LoadedPolicy>>,
}

impl Workshop {
    /// One that knows flow shops and these problems.
    pub fn new(crafts: &[Craft]) -> Self {
        Self { crafts: crafts.to_vec(), models: Mutex::default() }
    }

    /// Keeps a model for pieces that name it.
    ///
    /// # Errors
    /// [`PieceError::Model`] tells what is wrong with it.
    pub fn keep_model(&self, key: &str, content: &[u8]) -> Result<(), PieceError> {
        let policy = LoadedPolicy::from_bytes(content)?;
        self.lock().insert(key.to_string(), policy);
        Ok(())
    }

    /// Makes a piece, on this thread.
    ///
    /// # Errors
    /// [`PieceError`] tells why there is no answer.
    pub fn make(&self, piece: &Piece, cancel: &CancelFlag) -> Result<Made, PieceError> {
        let policy = self.policy(piece)?;
        match piece.problem() {
            PortableProblem::Shop(shop) => {
                match shop.instance().map_err(|error| PieceError::Instance(error.to_string()))? {
                    AnyInstance::Integer(instance) => piece.solve(&instance, policy, cancel),
                    AnyInstance::Real(instance) => piece.solve(&instance, policy, cancel),
                }
            }
            PortableProblem::Line(shop, attributes) => {
                piece.solve(&shop.line(attributes).map_err(PieceError::Instance)?, policy, cancel)
            }
            PortableProblem::Other { problem, text } => {
                let craft = self.crafts.iter().find(|craft| craft.problem == problem);
                let craft = craft.ok_or_else(|| PieceError::Problem(problem.clone()))?;
                (craft.make)(piece, text, policy, cancel)
            }
        }
    }

    /// The policy of a piece, where it needs one: one that was sent, or one of the program.
    fn policy(&self, piece: &Piece) -> Result<Option<LoadedPolicy>, PieceError> {
        let Some(model) = piece.model() else { return Ok(None) };
        if let Some(policy) = self.lock().get(model.key()) {
            return Ok(Some(policy.clone()));
        }
        let none = || PieceError::NoModel(model.key().to_string());
        if !models::BUILT_IN_MODELS.contains(&model.key()) {
            return Err(none());
        }
        models::load(model.key()).map(Some).map_err(|_| none())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, LoadedPolicy>> {
        self.models.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::building::Building;
    use crate::piece::PortableModel;
    use crate::settings::Settings;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::timing::{Attributes, Line, Objective};
    use pfss_core::{Limits, Run, Seed};
    use pfss_neural::{Decoding, Finish};

    const GAMMA_M5: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/gamma-m5");

    fn sent(piece: &Piece) -> Piece {
        serde_json::from_str(&serde_json::to_string(piece).unwrap()).unwrap()
    }

    #[test]
    fn a_piece_gives_what_a_run_gives_here() {
        let instance = taillard_benchmark(1).unwrap();
        let settings = Settings::new().with("destruction-size", 3);
        let limits: Limits<u32> = Limits { evaluations: Some(20_000), ..Limits::default() };
        let piece = Piece::new(&instance, "iterated-greedy", &settings, Seed::new(4)).with_limits(&limits);
        assert_eq!(sent(&piece), piece);
        let shop = Workshop::new(&[]);
        let made = shop.make(&sent(&piece), &CancelFlag::new()).unwrap();
        let solver = crate::algorithm("iterated-greedy").unwrap().integer(&settings).unwrap();
        let outcome = solver.solve(&instance, &Run::new(Seed::new(4), limits)).unwrap();
        assert_eq!((made.order.as_slice(), made.cost), (outcome.order.as_slice(), f64::from(outcome.cost)));
        assert_eq!(made.evaluations, outcome.evaluations);
        assert_eq!(made.course.last().unwrap().2, made.cost);
        let unknown = Piece::new(&instance, "none", &settings, Seed::new(4));
        assert!(matches!(shop.make(&unknown, &CancelFlag::new()), Err(PieceError::Build(_))));
    }

    #[test]
    fn a_line_gives_what_a_run_gives_here() {
        let instance = taillard_benchmark(31).unwrap();
        let attributes = Attributes { objectives: vec![Objective::TotalCompletion], ..Attributes::default() };
        let line = Line::new(&instance, &attributes).unwrap();
        let limits = Limits { evaluations: Some(30_000), ..Limits::default() };
        let problem = PortableProblem::line(&instance.into(), &attributes);
        let piece = Piece::new(problem, "auto", &Settings::new(), Seed::new(2)).with_limits(&limits);
        let made = Workshop::new(&[]).make(&sent(&piece), &CancelFlag::new()).unwrap();
        let solver = crate::planner::algorithm("auto").unwrap().build(&Settings::new()).unwrap();
        let outcome = solver.solve(&line, &Run::new(Seed::new(2), limits)).unwrap();
        assert_eq!(made.order, outcome.order.as_slice());
        assert_eq!((made.cost, made.bound), (line.value(outcome.cost), line.value(outcome.bound)));
        assert_eq!(made.evaluations, outcome.evaluations);
    }

    #[test]
    fn a_policy_builds_what_it_builds_here() {
        let instance = taillard_benchmark(1).unwrap();
        let decoding = Decoding::Sample { samples: 3, temperature: 0.7 };
        let building = Building { decoding, reverse: true };
        let shop = Workshop::new(&[]);
        for (model, finish) in [("front", Some(Finish { jobs: 3, ..Finish::default() })), (GAMMA_M5, None)] {
            let portable = PortableModel::find(model).unwrap();
            let piece = Piece::of_policy(&instance, &portable, finish, building, Seed::new(5));
            if let Some(content) = portable.content() {
                let missing = shop.make(&sent(&piece), &CancelFlag::new()).unwrap_err();
                assert!(matches!(missing, PieceError::NoModel(_)), "{missing}");
                shop.keep_model(portable.key(), content).unwrap();
            }
            let made = shop.make(&sent(&piece), &CancelFlag::new()).unwrap();
            let mut policy = crate::load_model(model).unwrap();
            if let Some(finish) = finish {
                policy = policy.with_finish(finish);
            }
            let built = building.order(&policy, &instance, Seed::new(5)).unwrap();
            assert_eq!((made.order, made.cost), (built.order, f64::from(built.cost)));
            assert_eq!(made.evaluations, built.count as u64);
        }
        assert!(shop.keep_model("x", b"not a model").is_err());
    }

    #[test]
    fn a_problem_that_nobody_knows_is_refused() {
        let problem = PortableProblem::Other { problem: "knapsack".to_string(), text: String::new() };
        let piece = Piece::new(problem, "auto", &Settings::new(), Seed::new(1));
        let refused = Workshop::new(&[]).make(&piece, &CancelFlag::new()).unwrap_err();
        assert!(refused.to_string().contains("knapsack"), "{refused}");
    }
}
