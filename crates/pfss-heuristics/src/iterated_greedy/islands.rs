//! Threads of iterated greedy: islands that improve orders of their own, and at a few moments begin anew from children of two.

use std::thread;

use pfss_core::{Instance, JobId, Run, Time};

use super::{EXCHANGES, Elites, IteratedGreedyConfig, IteratedGreedySearch};

/// Evaluations between two looks at the clock.
const TURN: u64 = 100_000;

/// Searches from `start` on all threads of the run, until a limit is met.
pub(super) fn search<T: Time>(
    instance: &Instance<T>,
    config: &IteratedGreedyConfig,
    start: &[JobId],
    run: &Run<'_, T>,
) {
    let elites = Elites::new(run.islands());
    thread::scope(|scope| {
        let elites = &elites;
        for island in 1..run.islands() {
            scope.spawn(move || run.guard(|| search_one(instance, config, start, island, elites, run)));
        }
        run.guard(|| search_one(instance, config, start, 0, elites, run));
    });
}

/// One island. Without a limit of time, there is no moment for exchanges: islands share the best order alone.
fn search_one<T: Time>(
    instance: &Instance<T>,
    config: &IteratedGreedyConfig,
    start: &[JobId],
    island: usize,
    elites: &Elites<T>,
    run: &Run<'_, T>,
) {
    let streams = run.seed().child("iterated-greedy-islands").nth(island as u64);
    // The first one searches as it would alone.
    let rng = if island == 0 { run.stream("iterated-greedy") } else { streams.rng() };
    let mut parents = streams.stream("parents");
    let mut search = IteratedGreedySearch::new(instance, config.clone(), rng, start, run);
    let moments: &[f64] = if run.islands() > 1 { &EXCHANGES } else { &[] };
    for &moment in moments {
        let Some(time) = run.limits().time else { break };
        while !run.must_end() && run.elapsed().as_secs_f64() < moment * time.as_secs_f64() {
            search.run_for(TURN, run);
        }
        // A new start at every moment that is over would take seconds on very many jobs.
        if run.must_end() {
            break;
        }
        let (cost, best) = (search.best_cost(), search.best());
        if let Some([one, other]) = elites.exchange(island, cost, best, &mut parents) {
            search.restart_between(&one, &other, run);
        }
    }
    search.run_for(u64::MAX, run);
}
