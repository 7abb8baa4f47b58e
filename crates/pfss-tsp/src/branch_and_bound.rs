//! A short local search, then the proof.

use pfss_core::{Outcome, Run, SolveError, Solver};

use crate::exact::TspBranchAndBound;
use crate::search::search_locally;
use crate::{TspInstance, open};

pfss_core::config! {
    /// Parameters of [`BranchAndBound`].
    pub struct BranchAndBoundConfig {
        /// How many disturbances per city the local search before it makes; below a hundred cities fewer in proportion.
        disturbances: u64 = 10, in 1..=1_000_000;
    }
}

/// Branch and bound from a tour that a short local search has found. Without a limit it ends with a proof.
pub struct BranchAndBound {
    config: BranchAndBoundConfig,
}

impl BranchAndBound {
    /// The solver with these parameters.
    pub fn new(config: BranchAndBoundConfig) -> Self {
        Self { config }
    }
}

impl Solver<TspInstance> for BranchAndBound {
    fn name(&self) -> &str {
        "branch-and-bound"
    }

    fn solve(&self, instance: &TspInstance, run: &Run<'_, f64>) -> Result<Outcome<f64>, SolveError> {
        open(self.name(), instance, run)?;
        let num_cities = instance.num_cities() as u64;
        let hundredths =
            self.config.disturbances.saturating_mul(num_cities).saturating_mul(num_cities.min(100));
        let iterations = (hundredths / 100).max(self.config.disturbances);
        search_locally(instance, run, iterations, &|| false);
        TspBranchAndBound.prove(instance, run)?;
        run.outcome()
    }
}
