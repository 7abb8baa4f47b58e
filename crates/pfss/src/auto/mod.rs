//! The default solver: constructive starts, iterated greedy, beam search and branch and bound share the time and
//! what they find.

mod cooling;
mod exact;
mod island;
mod ledger;
mod place;
mod plans;
mod portfolio;
mod prices;
mod roles;
mod shared;
mod situation;

use std::borrow::Cow;
use std::thread;

use pfss_core::{Instance, Outcome, Run, SolveError, Solver, Time, open};

use crate::starts;
use prices::Prices;

pub(crate) use exact::MAX_JOBS as MAX_JOBS_OF_PROOFS;
pub use plans::{PlanLoss, PlanTable, PlanTableError, SearchPlan};
pub use situation::Situation;

pub(crate) use place::Place;
pub(crate) use portfolio::Portfolio;
pub(crate) use roles::Roles;
pub(crate) use shared::Shared;

/// The most that iterated greedy gets where there is no time for NEH: it would begin from a poor order, and the first pass of a
/// beam gives a better one (gamma 500x20 in 10 ms: 1.3 % shorter).
const SHARE_WITHOUT_NEH: f64 = 0.1;

pfss_core::choice! {
    /// Whether a policy gives one of the starts.
    pub enum PolicyUse {
        /// Where the table of plans says that it pays.
        Auto = "auto",
        /// Where it does not take too much of the time.
        On = "on",
        /// Never.
        Off = "off",
    }
}

pfss_core::config! {
    /// Parameters of [`Auto`]: few, on purpose.
    pub struct AutoConfig {
        /// Whether the bidirectional policy's greedy order is one of the starts.
        policy: PolicyUse = PolicyUse::Auto;
        /// The share of the search that iterated greedy gets, beam search gets the rest; 0: what the table of plans says.
        greedy_share: f64 = 0.0, in 0.0..=0.98;
        /// A table of plans by `pfss train portfolio`; by default the one that comes with the program.
        plans: String = String::new();
    }
}

/// The portfolio that `pfss solve` runs when nobody names an algorithm.
///
/// One thread alternates between iterated greedy, beam search and branch and bound, in shares that suit the
/// shape of the instance; each hands its best order to the others. Of several threads, some make beams together, as wide as those of one
/// thread in so many times the time; each of the others has an iterated greedy of its own.
pub struct Auto {
    config: AutoConfig,
}

impl Auto {
    /// The portfolio.
    pub fn new(config: AutoConfig) -> Self {
        Self { config }
    }
}

impl<T: Time> Solver<Instance<T>> for Auto {
    fn name(&self) -> &str {
        "auto"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        let table = self.table()?;
        open("auto", instance, run)?;
        run.guard(|| starts::offer_starts(instance, run));
        let plan = self.plan(&table, instance, run);
        if plan.policy {
            run.guard(|| starts::offer_policy(instance, run));
        }
        if !run.must_end() {
            search(instance, plan.greedy_share, run);
        }
        run.outcome()
    }
}

impl Auto {
    /// The table of plans that is asked for.
    fn table(&self) -> Result<Cow<'static, PlanTable>, SolveError> {
        let refuse = |error: PlanTableError| SolveError::Unsupported {
            algorithm: "auto".to_string(),
            reason: error.to_string(),
        };
        match self.config.plans.as_str() {
            "" => Ok(Cow::Borrowed(PlanTable::built_in())),
            file => PlanTable::read(file.as_ref()).map(Cow::Owned).map_err(refuse),
        }
    }

    /// What to do on this instance, of which the starts are known, in the time that is left.
    fn plan<T: Time>(&self, table: &PlanTable, instance: &Instance<T>, run: &Run<'_, T>) -> SearchPlan {
        let AutoConfig { policy, greedy_share, .. } = self.config;
        let wanted = match policy {
            _ if !starts::policy_fits(instance, run) => Some(false),
            PolicyUse::Auto => None,
            PolicyUse::On => Some(true),
            PolicyUse::Off => Some(false),
        };
        let suited = table.suited(&Situation::after_starts(instance, run), wanted);
        let suited_share = match starts::insertion_fits(instance, run) {
            true => suited.greedy_share,
            false => suited.greedy_share.min(SHARE_WITHOUT_NEH),
        };
        SearchPlan {
            greedy_share: if greedy_share > 0.0 { greedy_share } else { suited_share },
            policy: suited.policy,
        }
    }
}

/// The share of iterated greedy that suits this instance, of which the starts are known, without a policy.
pub(crate) fn greedy_share<T: Time>(instance: &Instance<T>, run: &Run<'_, T>) -> f64 {
    PlanTable::built_in().suited(&Situation::after_starts(instance, run), Some(false)).greedy_share
}

/// Runs as many threads as the memory allows for: some make beams together, each of the others has a portfolio of its own.
fn search<T: Time>(instance: &Instance<T>, greedy_share: f64, run: &Run<'_, T>) {
    let place = Place::of_threads(instance, run.islands(), run.memory());
    let shared = &Shared::new(place.workers, run.team());
    let first = run.team().map_or(place, |team| place.among(team.rank(), team.ranks()));
    let greedy = match island::has_rounds(instance, first.workers, run) {
        true => greedy_share,
        false => roles::greedy_threads(first.workers, greedy_share),
    };
    let roles = Roles::new(first, place.workers, greedy);
    // Beams of several threads are those of one, also where the result must be the same everywhere.
    let crew = if run.limits().is_reproducible() { run.threads() } else { roles.crew };
    thread::scope(|scope| {
        if run.team().is_some() {
            scope.spawn(move || run.guard(|| shared.tend(run)));
        }
        for worker in 1..place.workers {
            let work = move || match worker < roles.crew {
                true => help(instance, shared, run),
                false => {
                    let place = first.nth(worker);
                    Portfolio::new(instance, place, roles.of_island(), shared, run).search(run);
                }
            };
            scope.spawn(move || run.guard(work));
        }
        let lead = first.with_memory_of(roles.crew);
        run.guard(|| Portfolio::new(instance, lead, Roles { crew, ..roles }, shared, run).search(run));
    });
}

/// What a thread of a crew does beside the passes that it is called for: it helps with a proof that is likely to end in time.
fn help<'p, T: Time>(instance: &'p Instance<T>, shared: &'p Shared<'p, T>, run: &Run<'_, T>) {
    if instance.num_jobs() > exact::MAX_JOBS {
        return;
    }
    let mut exact = exact::Exact::new(instance, false, Prices::new(instance, run), shared);
    while !run.must_end() {
        let is_due = exact.is_due(f64::INFINITY, run);
        if !is_due || !exact.step(f64::INFINITY, run) {
            thread::sleep(run.remaining().map_or(shared::NAP, |remaining| remaining.min(shared::NAP)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::{Limits, Seed, Status, check};
    use std::time::Duration;

    fn solve(number: usize, limits: Limits<u32>, threads: usize) -> Outcome<u32> {
        solve_with(AutoConfig::default(), number, limits, threads)
    }

    fn solve_with(config: AutoConfig, number: usize, limits: Limits<u32>, threads: usize) -> Outcome<u32> {
        let instance = taillard_benchmark(number).unwrap();
        let run = Run::new(Seed::new(1), limits).with_threads(threads);
        let outcome = Auto::new(config).solve(&instance, &run).unwrap();
        assert_eq!(check(&instance, &outcome.order, Some(outcome.cost)), Ok(outcome.cost));
        outcome
    }

    #[test]
    fn it_proves_easy_instances_and_stops() {
        let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
        let outcome = solve(61, limits, 1);
        assert_eq!((outcome.cost, outcome.status), (5493, Status::Optimal));
        assert!(outcome.runtime < Duration::from_secs(20));
    }

    #[test]
    fn an_evaluation_budget_is_the_same_on_any_number_of_threads() {
        let limits = Limits { evaluations: Some(3_000_000), ..Limits::default() };
        for policy in [PolicyUse::Off, PolicyUse::On] {
            let config = || AutoConfig { policy, ..AutoConfig::default() };
            let one = solve_with(config(), 51, limits, 1);
            for threads in [2, 4] {
                let more = solve_with(config(), 51, limits, threads);
                assert_eq!(one.order, more.order);
                assert_eq!(one.evaluations, more.evaluations);
            }
        }
    }

    #[test]
    fn a_limit_that_is_met_at_once_still_gives_an_order() {
        let outcome = solve(111, Limits { time: Some(Duration::ZERO), ..Limits::default() }, 2);
        assert!(outcome.cost < 40_000);
        solve(1, Limits { evaluations: Some(1), ..Limits::default() }, 2);
    }

    /// A first pass of the beam that cannot end in time was made and lost, and iterated greedy's turn never came.
    #[test]
    fn very_many_jobs_are_improved_by_insertions() {
        let times = (0..20_000u32).map(|i| i.wrapping_mul(2_654_435_761).rotate_left(7) % 99 + 1).collect();
        let instance = Instance::new("", 10, times).unwrap();
        // Neither NEH nor a pass fits.
        let limits = Limits { evaluations: Some(1_000_000), ..Limits::default() };
        let starts = Run::new(Seed::new(1), limits);
        open("auto", &instance, &starts).unwrap();
        starts::offer_starts(&instance, &starts);
        let run = Run::new(Seed::new(1), limits);
        let outcome = Auto::new(AutoConfig::default()).solve(&instance, &run).unwrap();
        let (before, after) = (starts.best_cost() - starts.bound(), outcome.cost - outcome.bound);
        assert!(2 * after < before, "{before} above the bound at first, {after} at the end");
    }

    #[test]
    fn two_threads_share_one_answer() {
        let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
        assert!(solve(51, limits, 2).cost <= 3950);
    }
}
