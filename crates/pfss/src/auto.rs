//! The automatic choice.

use pfss_core::{
    InsertionPricer, InsertionProblem, Instance, Outcome, Run, SolveError, Solver, Time, makespan,
};
use pfss_heuristics::{
    JobOrder, TieRule, construct, insertion_local_search, offer_johnson_orders, open, slope_order,
};

pfss_core::config! {
    /// Parameters of [`Auto`]: none.
    pub struct AutoConfig {}
}

/// How many insertion cells are priced per second, cautiously: decides whether NEH fits into the time limit.
const CELLS_PER_SECOND: f64 = 5e8;

/// The largest NEH without a time limit, in insertion cells.
const MAX_CELLS: f64 = 1e13;

/// Takes the best of the constructive heuristics, on the instance and on its mirror image, and improves it
/// by an insertion local search. Very large instances keep to the sorting rules.
pub struct Auto;

impl Auto {
    /// The portfolio.
    pub fn new(_: AutoConfig) -> Self {
        Self
    }
}

/// Whether two NEH constructions are worth beginning. Looks at the limit and not at the clock, so that an
/// evaluation budget gives the same answer on every machine.
fn insertion_fits<T: Time>(instance: &Instance<T>, run: &Run<'_, T>) -> bool {
    let (n, m) = (instance.num_jobs() as f64, instance.num_machines() as f64);
    let cells = n * n * m;
    match run.limits().time {
        Some(limit) => cells <= limit.as_secs_f64() * CELLS_PER_SECOND,
        None => cells <= MAX_CELLS,
    }
}

impl<T: Time> Solver<Instance<T>> for Auto {
    fn name(&self) -> &str {
        "auto"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        open("auto", instance, run)?;
        let order = slope_order(instance);
        run.count(1);
        run.offer(&order, makespan(instance, &order));
        if !run.must_end() {
            offer_johnson_orders(instance, run);
        }
        if run.must_end() || !insertion_fits(instance, run) {
            return run.outcome();
        }
        let tie = TieRule::Ff;
        let mut rng = run.stream("auto");
        let mut pricer = instance.pricer();
        let jobs = JobOrder::Usual.or_usual(tie).jobs(instance, &mut rng);
        construct(&mut pricer, instance, &jobs, 0, tie, run);
        run.offer(pricer.order(), pricer.cost());
        if !run.must_end() {
            let mirror = instance.reversed();
            let mut mirrored = mirror.pricer();
            let jobs = JobOrder::Usual.or_usual(tie).jobs(&mirror, &mut rng);
            construct(&mut mirrored, &mirror, &jobs, 0, tie, run);
            let order: Vec<_> = mirrored.order().iter().rev().copied().collect();
            // Reals may round differently from the other side: the plain makespan counts.
            run.offer(&order, makespan(instance, &order));
        }
        if let Some((order, _)) = run.best() {
            pricer.load(&order);
            insertion_local_search(&mut pricer, &mut rng, run);
            run.offer(pricer.order(), pricer.cost());
        }
        run.outcome()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::{Limits, Seed, check};
    use std::time::Duration;

    #[test]
    fn it_is_at_least_as_good_as_neh() {
        let instance = taillard_benchmark(51).unwrap();
        let run = Run::new(Seed::new(1), Limits::default());
        let outcome = Auto::new(AutoConfig::default()).solve(&instance, &run).unwrap();
        assert_eq!(check(&instance, &outcome.order, Some(outcome.cost)), Ok(outcome.cost));
        let run = Run::new(Seed::new(1), Limits::default());
        let neh = pfss_heuristics::Neh::new(pfss_heuristics::NehConfig::default());
        assert!(outcome.cost <= neh.solve(&instance, &run).unwrap().cost);
    }

    #[test]
    fn large_instances_skip_insertion() {
        let instance = taillard_benchmark(111).unwrap();
        let limits = Limits { time: Some(Duration::from_millis(1)), ..Limits::default() };
        assert!(!insertion_fits(&instance, &Run::new(Seed::new(1), limits)));
        assert!(insertion_fits(&instance, &Run::new(Seed::new(1), Limits::default())));
    }
}
