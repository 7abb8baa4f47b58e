//! The default solver of lines: everything in shares that suit them.

use std::thread;

use pfss_core::timing::{Line, Score};
use pfss_core::{Outcome, Run, SolveError, Solver};

use super::opening::{insert, open};
use super::place::Place;
use super::portfolio::Portfolio;

pfss_core::config! {
    /// Parameters of [`LineAuto`]: none.
    pub struct LineAutoConfig {}
}

/// The portfolio that is run when nobody names an algorithm.
///
/// Orders by rules and by insertion come first. Then beams, iterated greedy and branch and bound take turns, each from the best
/// order so far; further threads, of other processes too, do the same with other guides and random streams.
pub struct LineAuto;

impl LineAuto {
    /// The portfolio.
    pub fn new(_: LineAutoConfig) -> Self {
        Self
    }
}

impl Solver<Line> for LineAuto {
    fn name(&self) -> &str {
        "auto"
    }

    fn solve(&self, line: &Line, run: &Run<'_, Score>) -> Result<Outcome<Score>, SolveError> {
        open("auto", line, run)?;
        insert(line, 2, run);
        if !run.must_end() {
            let place = Place::of(run);
            thread::scope(|scope| {
                for thread in 1..place.threads {
                    let place = place.nth(thread);
                    scope.spawn(move || run.guard(|| Portfolio::new(line, place, run).search(run)));
                }
                run.guard(|| Portfolio::new(line, place, run).search(run));
            });
        }
        run.outcome()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::timing::{Attributes, JobAttributes, Objective, check};
    use pfss_core::{Limits, Seed};
    use std::time::Duration;

    fn line(number: usize) -> Line {
        let instance = taillard_benchmark(number).unwrap();
        let due =
            |job: usize| JobAttributes { due: Some((job * 97 % 1500) as f64), ..JobAttributes::default() };
        let jobs = (0..instance.num_jobs()).map(due).collect();
        let objectives = vec![Objective::TotalTardiness, Objective::TotalCompletion];
        Line::new(&instance, &Attributes { jobs, objectives, ..Attributes::default() }).unwrap()
    }

    fn solve(line: &Line, limits: Limits<Score>, threads: usize) -> Outcome<Score> {
        let run = Run::new(Seed::new(1), limits).with_threads(threads);
        let outcome = LineAuto::new(LineAutoConfig {}).solve(line, &run).unwrap();
        assert_eq!(check(line, &outcome.order, Some(outcome.cost)), Ok(outcome.cost));
        outcome
    }

    #[test]
    fn an_evaluation_budget_is_the_same_on_any_number_of_threads() {
        let line = line(31);
        let limits = Limits { evaluations: Some(300_000), ..Limits::default() };
        let one = solve(&line, limits, 1);
        for threads in [2, 4] {
            let more = solve(&line, limits, threads);
            assert_eq!((&one.order, one.evaluations), (&more.order, more.evaluations));
        }
    }

    #[test]
    fn limits_are_kept() {
        let line = line(111);
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        assert!(solve(&line, limits, 2).runtime < Duration::from_secs(2));
        let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
        assert!(solve(&line, limits, 2).runtime < Duration::from_secs(2));
    }
}
