//! Iterated greedy as a part of the portfolio: one island of several, which cools down towards the end of the run.

use pfss_core::{Elite, Instance, Rng, Run, Time};
use pfss_heuristics::iterated_greedy::{EXCHANGES, IteratedGreedyConfig, IteratedGreedySearch};

use super::cooling::Cooling;
use super::place::Place;
use super::prices::{Prices, Unit};
use super::shared::Shared;

/// Where nothing limits the run, cycles of so many seconds follow each other, each twice as long as the one before.
const FIRST_CYCLE: f64 = 10.0;

/// An island takes the best order of all at once where its own is longer by this share: a beam found it, and there is nothing to
/// preserve.
const FAR_BEHIND: f64 = 0.004;

/// After this share of a cycle it is known how many iterations there will be, and whether they are for several rounds.
const KNOWN_AFTER: f64 = 1.0 / 32.0;

/// Up to so many jobs per machine, only jobs near a change are looked at again.
const FEW_JOBS: usize = 4;

/// One island.
pub(super) struct Island<'p, T: Time> {
    instance: &'p Instance<T>,
    place: Place,
    /// How many there are.
    islands: usize,
    /// Draws the parents of a new start.
    rng: Rng,
    /// Made when its turn comes: its first descent takes a while on large instances.
    search: Option<IteratedGreedySearch<'p, T>>,
    /// Begin and length of the cycle, in seconds of the run, and exchanges made in it.
    begun: f64,
    length: f64,
    exchanges: usize,
    /// None until the iterations are counted that its rounds depend on.
    cooling: Option<Cooling>,
}

impl<'p, T: Time> Island<'p, T> {
    /// An island that has not begun.
    pub(super) fn new(instance: &'p Instance<T>, place: Place, islands: usize, run: &Run<'_, T>) -> Self {
        let rng = run.seed().child("exchange").nth(place.worker as u64).rng();
        Self {
            instance,
            place,
            islands,
            rng,
            search: None,
            begun: 0.0,
            length: FIRST_CYCLE,
            exchanges: 0,
            cooling: None,
        }
    }

    /// The least cost that it found itself.
    pub(super) fn best_cost(&self) -> T {
        self.search.as_ref().map_or(T::MAX, IteratedGreedySearch::best_cost)
    }

    /// Searches for so many evaluations, of which it makes `speed` in a second; `now` is the time spent so far and `remaining`
    /// what is left (infinite where nothing limits the run). Returns the evaluations made.
    pub(super) fn turn(
        &mut self,
        evaluations: u64,
        speed: f64,
        now: f64,
        remaining: f64,
        shared: &Shared<'_, T>,
        run: &Run<'_, T>,
    ) -> u64 {
        let Some((order, cost)) = run.best() else { return 0 };
        let Some(search) = &mut self.search else {
            let rng = run.seed().child("auto").nth(self.place.worker as u64).rng();
            let search = IteratedGreedySearch::new(self.instance, self.config(), rng, &order, run);
            return self.search.insert(search).evaluations();
        };
        let before = search.evaluations();
        if remaining.is_finite() {
            self.length = now + remaining;
        } else if now >= self.begun + self.length {
            (self.begun, self.length, self.exchanges) = (now, 2.0 * self.length, 0);
            self.cooling = None;
        }
        let progress = ((now - self.begun) / self.length).clamp(0.0, 1.0);
        if self.cooling.is_none() && progress >= KNOWN_AFTER {
            let of_all = before as f64 / now * self.length;
            self.cooling = Some(Cooling::for_iterations(of_all / per_iteration(self.instance), self.islands));
        }
        let once = &mut Cooling::once();
        let cooling = self.cooling.as_mut().unwrap_or(once);
        let alone = self.islands == 1;
        let behind = 1.0 - cost.to_f64() / search.best_cost().to_f64();
        if cooling.has_rounds() {
            if cooling.ends_round(progress) {
                search.restart(&order, run);
            }
        } else if cost < search.best_cost() && (alone || behind > FAR_BEHIND) {
            search.restart(&order, run);
        } else if !alone && EXCHANGES.get(self.exchanges).is_some_and(|&share| progress >= share) {
            self.exchanges += 1;
            exchange_with_team(self.place.worker, search, shared, run);
            let (own, best) = (search.best_cost(), search.best());
            if let Some([one, other]) = shared.elites.exchange(self.place.worker, own, best, &mut self.rng) {
                search.restart_between(&one, &other, run);
            }
        }
        search.set_temperature(
            cooling.temperature(progress, self.length * speed / per_iteration(self.instance)),
        );
        search.run_for(evaluations, run);
        search.evaluations() - before
    }

    /// Islands differ: every fourth breaks ties at random, every fifth takes out two jobs.
    fn config(&self) -> IteratedGreedyConfig {
        use pfss_heuristics::iterated_greedy::Tie;
        let usual = IteratedGreedyConfig::default();
        let (jobs, machines) = (self.instance.num_jobs(), self.instance.num_machines());
        IteratedGreedyConfig {
            // With more jobs per machine a queue costs 0.03 %, with fewer it gains 0.1 % (docs/notes/tried.md).
            reach: if jobs > FEW_JOBS * machines { jobs } else { usual.reach },
            tie: if self.place.worker % 4 == 3 { Tie::Random } else { usual.tie },
            destruction_size: if self.place.worker % 5 == 4 { 2 } else { usual.destruction_size },
            ..usual
        }
    }
}

/// How many evaluations an iteration takes: it prices each job at each place about twice.
fn per_iteration<T: Time>(instance: &Instance<T>) -> f64 {
    2.0 * (instance.num_jobs() as f64).powi(2)
}

/// Whether each of so many islands is expected to have time for several rounds of cooling.
pub(super) fn has_rounds<T: Time>(instance: &Instance<T>, islands: usize, run: &Run<'_, T>) -> bool {
    let prices = Prices::new(instance, run);
    let iteration = prices.expected(Unit::Place, per_iteration(instance));
    Cooling::for_iterations(prices.remaining(Unit::Place, run) / iteration, islands).has_rounds()
}

/// Tells other processes of an island's best order, and notes theirs.
fn exchange_with_team<T: Time>(
    island: usize,
    search: &IteratedGreedySearch<'_, T>,
    shared: &Shared<'_, T>,
    run: &Run<'_, T>,
) {
    let Some(team) = run.team() else { return };
    team.tell_elite(Elite { island, cost: search.best_cost(), order: search.best().to_vec() });
    for Elite { island, cost, order } in team.elites() {
        shared.elites.hear(island, cost, order);
    }
}
