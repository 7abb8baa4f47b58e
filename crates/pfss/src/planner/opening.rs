//! What every solver of a line does first.

use pfss_core::timing::pricing::{FrontRules, LinePricer};
use pfss_core::timing::{Line, Score, check};
use pfss_core::{PermutationProblem, Run, SolveError};
use pfss_heuristics::planner::{arrange, construct, construction_effort, suitable_rules};

/// Seconds that an operation of an insertion takes on registers, and without.
const SECONDS_IN_LANES: f64 = 3e-11;
const SECONDS_ALONE: f64 = 2e-9;

/// Without a time limit a construction may take so many seconds.
const PATIENCE: f64 = 10.0;

/// Offers the order to start from, where one was given, then orders by rules, and raises the bound.
///
/// # Errors
/// [`SolveError::Unsupported`] when the start order is not an order of this line.
pub(super) fn open(algorithm: &str, line: &Line, run: &Run<'_, Score>) -> Result<(), SolveError> {
    if let Some(start) = run.start() {
        let reason = |reason: String| SolveError::Unsupported { algorithm: algorithm.to_string(), reason };
        let score =
            check(line, start, None).map_err(|error| reason(format!("the order to start from: {error}")))?;
        run.count(1);
        run.offer(start, score);
    }
    let rules = FrontRules::new(line);
    for &rule in suitable_rules(line) {
        let order = arrange(line, rule);
        run.count(1);
        run.offer(&order, rules.score(&order));
        if run.stop().is_some() {
            break;
        }
    }
    run.raise_bound(line.lower_bound_during(run));
    Ok(())
}

/// Offers orders by insertion in the order of the best rules, as many as fit.
pub(super) fn insert(line: &Line, rules: usize, run: &Run<'_, Score>) {
    let mut pricer = LinePricer::new(line);
    let price = if pricer.has_registers() { SECONDS_IN_LANES } else { SECONDS_ALONE };
    let seconds = price * construction_effort(line.num_jobs(), line.num_machines());
    for &rule in &suitable_rules(line)[..rules.min(suitable_rules(line).len())] {
        let left = run.remaining().map_or(PATIENCE, |left| left.as_secs_f64());
        if run.must_end() || seconds > 0.3 * left {
            return;
        }
        construct(&mut pricer, &arrange(line, rule), run);
        run.offer(pricer.order(), pricer.score());
    }
}
