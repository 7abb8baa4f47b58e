//! The default solver: local search finds, branch and bound proves.

use std::time::Duration;

use pfss_core::{Outcome, Run, SolveError, Solver};

use crate::exact::TspBranchAndBound;
use crate::search::search_locally;
use crate::{TspInstance, open};

/// Up to here proofs are likely, and the local search is kept short.
const FEW_CITIES: usize = 200;
/// Up to here all tours are searched; beyond there is a bound without a search.
const MANY_CITIES: usize = 5000;
/// Beyond this a bound takes longer than most users wait.
const MOST_CITIES: usize = 20_000;
/// Disturbances per city where nothing else limits the local search.
const DISTURBANCES: u64 = 20;

pfss_core::config! {
    /// Parameters of [`Auto`]: none, on purpose.
    pub struct AutoConfig {}
}

/// Local search and branch and bound share the time in parts that suit the number of cities.
pub struct Auto;

impl Auto {
    /// The portfolio.
    pub fn new(_: AutoConfig) -> Self {
        Self
    }
}

impl Solver<TspInstance> for Auto {
    fn name(&self) -> &str {
        "auto"
    }

    fn solve(&self, instance: &TspInstance, run: &Run<'_, f64>) -> Result<Outcome<f64>, SolveError> {
        open(self.name(), instance, run)?;
        let num_cities = instance.num_cities();
        let some = DISTURBANCES * num_cities as u64;
        if num_cities <= FEW_CITIES {
            search_locally(instance, run, some, &|| false);
            TspBranchAndBound.prove(instance, run)?;
        } else if num_cities <= MANY_CITIES {
            search_for(0.7, some, instance, run);
            TspBranchAndBound.prove(instance, run)?;
        } else {
            search_for(0.1, some, instance, run);
            if num_cities <= MOST_CITIES && !run.must_end() {
                TspBranchAndBound.raise_root_bound(instance, run);
            }
            if !run.must_end() {
                search_locally(instance, run, 0, &|| false);
            }
        }
        run.outcome()
    }
}

/// Searches for a share of the time and of the evaluations; for `iterations` disturbances where neither is limited.
fn search_for(share: f64, iterations: u64, instance: &TspInstance, run: &Run<'_, f64>) {
    let limits = run.limits();
    let time = limits.time.map(|time| Duration::from_secs_f64(share * time.as_secs_f64()));
    let evaluations = limits.evaluations.map(|evaluations| (share * evaluations as f64) as u64);
    let iterations = if time.is_none() && evaluations.is_none() { iterations } else { 0 };
    search_locally(instance, run, iterations, &|| {
        time.is_some_and(|time| run.elapsed() >= time)
            || evaluations.is_some_and(|evaluations| run.evaluations() >= evaluations)
    });
}
