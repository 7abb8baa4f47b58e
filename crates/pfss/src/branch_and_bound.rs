//! The registered branch and bound: a good order first, then the proof.

use std::thread;
use std::time::Duration;

use pfss_core::{Instance, Outcome, Run, SolveError, Solver, Time, open};
use pfss_exact::branch_and_bound::TreeSearch;

use crate::auto::{MAX_JOBS_OF_PROOFS, Place, Portfolio, Roles, Shared, greedy_share};
use crate::starts::offer_starts;

/// Seconds spent on a good order at first.
const FIRST: f64 = 0.05;

/// How long a thread waits for open nodes that are on their way from another process, or being copied.
const NAP: Duration = Duration::from_micros(100);

/// Children priced in the first turn; each turn is twice as long as the one before, up to a limit.
const FIRST_TURN: u64 = 1 << 18;
const LONGEST_TURN: u64 = 1 << 26;

/// Between two turns, this share of their time is spent on a better order.
const PART: f64 = 0.05;

pfss_core::config! {
    /// Parameters of [`BranchAndBound`]: none.
    pub struct BranchAndBoundConfig {}
}

/// Branch and bound from a good order, until a proof or a limit.
///
/// A good order prunes most of the tree, so iterated greedy and beam search look for one at first, and again
/// between the turns of the tree search.
pub struct BranchAndBound;

impl BranchAndBound {
    /// Branch and bound.
    pub fn new(_: BranchAndBoundConfig) -> Self {
        Self
    }
}

impl<T: Time> Solver<Instance<T>> for BranchAndBound {
    fn name(&self) -> &str {
        "branch-and-bound"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        open("branch-and-bound", instance, run)?;
        offer_starts(instance, run);
        if !run.must_end() {
            run.guard(|| prove(instance, run));
        }
        run.outcome()
    }
}

fn prove<T: Time>(instance: &Instance<T>, run: &Run<'_, T>) {
    let (place, shared) = (Place::alone(instance, run).halved(), Shared::new(1, None));
    let mut portfolio =
        Portfolio::new(instance, place, Roles::alone(greedy_share(instance, run)), &shared, run)
            .in_long_turns();
    if instance.num_jobs() > MAX_JOBS_OF_PROOFS {
        return portfolio.search(run);
    }
    let threads = (run.memory() / 2 / TreeSearch::bytes_per_thread(instance)).clamp(1, run.islands());
    let search = &TreeSearch::new(instance, threads);
    thread::scope(|scope| {
        if let Some(team) = run.team() {
            team.begin(search, run);
            scope.spawn(move || run.guard(|| team.tend(search, run)));
        }
        // A small tree is searched sooner than a better order is found.
        search.run_for(FIRST_TURN, run);
        portfolio.improve_for(FIRST, run);
        search.search_with(run, || lead(search, &mut portfolio, run));
    });
}

/// What the first thread does: the tree, and between two turns a better order. The more threads there are, the more of
/// its time goes into that.
fn lead<T: Time>(search: &TreeSearch<'_, T>, portfolio: &mut Portfolio<'_, T>, run: &Run<'_, T>) {
    let mut turn = FIRST_TURN;
    let mut before = search.children();
    let is_team = run.team().is_some();
    while !search.is_finished() && !run.must_end() {
        let priced = search.run_for(turn, run);
        turn = (2 * turn).min(LONGEST_TURN);
        let done = search.children() - before;
        before += done;
        // Where the other threads have all open nodes, it has time for orders.
        let least = match priced {
            0 if is_team => {
                thread::sleep(NAP);
                continue;
            }
            0 => FIRST,
            _ => 0.0,
        };
        portfolio.improve_for((PART * portfolio.cost_of_children(done)).max(least), run);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::{Limits, Seed, Status, check};

    #[test]
    fn it_proves_taillards_instances_of_ten_machines() {
        for (number, optimum) in [(11, 1582), (14, 1377), (16, 1397), (19, 1593)] {
            let instance = taillard_benchmark(number).unwrap();
            for threads in [1, 2] {
                let run = Run::new(Seed::new(1), Limits::default()).with_threads(threads);
                let outcome =
                    BranchAndBound::new(BranchAndBoundConfig::default()).solve(&instance, &run).unwrap();
                assert_eq!((outcome.cost, outcome.status), (optimum, Status::Optimal));
                assert_eq!(check(&instance, &outcome.order, Some(optimum)), Ok(optimum));
            }
        }
    }
}
