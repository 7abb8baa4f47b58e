//! One thread's share of the search: iterated greedy, beam search and branch and bound in turn.

use pfss_core::{Instance, Run, Time};
use pfss_heuristics::beam::{BeamSearch, HandMade, PassResult, Plan, Schedule};

use super::exact::{self, Exact};
use super::island::Island;
use super::ledger::{Ledger, Part};
use super::place::Place;
use super::prices::{Prices, Speed, Unit};
use super::roles::Roles;
use super::shared::Shared;

/// A turn of iterated greedy takes this share of the time so far, at least and at most so many seconds: short turns at first, so that
/// every part has had one when a short limit ends the run.
const TURN: f64 = 0.125;
const SHORTEST_TURN: f64 = 2e-4;
const LONGEST_TURN: f64 = 0.03;

/// Branch and bound begins when the others had so many times the seconds that it takes to prepare.
const PROOF_AFTER: f64 = 10.0;

/// So many leaves of a pass become parents of new starts, where there are several islands.
const LEAVES: usize = 2;

/// By so much a pass may exceed the share of the whole run that beam search has.
const ROOM: f64 = 1.5;

/// Iterated greedy, beam search and branch and bound on one instance. Each is given time; where evaluations are limited, time
/// is what they cost by a fixed table ([`Prices`]), so that such a run gives the same answer everywhere.
pub(crate) struct Portfolio<'p, T: Time> {
    instance: &'p Instance<T>,
    shared: &'p Shared<'p, T>,
    prices: Prices,
    ledger: Ledger,
    island: Island<'p, T>,
    greedy_speed: Speed,
    /// The shortest turn of iterated greedy.
    shortest_turn: f64,
    /// Whether it makes beams at all.
    has_beam: bool,
    beam: BeamSearch<'p, T>,
    schedule: Schedule<T>,
    beam_spent: f64,
    /// Whether there may be a proof, whether this thread leads it, and its part once that has begun.
    proves: bool,
    leads: bool,
    exact: Option<Exact<'p, T>>,
}

impl<'p, T: Time> Portfolio<'p, T> {
    /// The portfolio, from the best order so far, of a thread that leads a crew of these roles, or of one that makes no beams where there
    /// is none.
    pub(crate) fn new(
        instance: &'p Instance<T>,
        place: Place,
        roles: Roles,
        shared: &'p Shared<'p, T>,
        run: &Run<'_, T>,
    ) -> Self {
        let Place { worker, workers, memory } = place;
        let Roles { crew, greedy_share, islands } = roles;
        let beam = BeamSearch::new(instance).with_threads(crew);
        let by_shape = Plan::new(&beam, memory);
        // Crews of several processes take turns with guides.
        let guide = if worker / crew.max(1) % 2 == 1 { HandMade::Gap } else { by_shape.guide };
        let leaves = if workers > 1 { LEAVES } else { 0 };
        let schedule = Schedule::new(Plan { guide, leaves, ..by_shape }, &beam);
        Self {
            instance,
            shared,
            prices: Prices::new(instance, run),
            ledger: Ledger::new(greedy_share),
            island: Island::new(instance, place, islands, run),
            greedy_speed: Speed::default(),
            shortest_turn: SHORTEST_TURN,
            has_beam: crew > 0,
            beam,
            schedule,
            beam_spent: 0.0,
            proves: instance.num_jobs() <= exact::MAX_JOBS,
            leads: worker + crew.max(1) >= workers,
            exact: None,
        }
    }

    /// The same with long turns from the beginning, for a caller that decides itself when to improve.
    pub(crate) fn in_long_turns(self) -> Self {
        Self { shortest_turn: LONGEST_TURN, ..self }
    }

    /// Searches until the run must end.
    pub(crate) fn search(mut self, run: &Run<'_, T>) {
        while !run.must_end() {
            let others = self.ledger.total();
            if self.proves
                && self.exact.is_none()
                && (others >= PROOF_AFTER * exact::preparation(self.instance) || self.schedule.is_finished())
            {
                self.exact = Some(Exact::new(self.instance, self.leads, self.prices, self.shared));
            }
            if let Some(exact) = &mut self.exact
                && exact.is_due(others, run)
            {
                let has_work = exact.step(others, run);
                // Where open nodes are on their way from another process, there is time for orders.
                if has_work || run.team().is_none() || run.must_end() {
                    continue;
                }
            }
            self.improve(run);
        }
    }

    /// Looks for better orders, for about so long.
    pub(crate) fn improve_for(&mut self, seconds: f64, run: &Run<'_, T>) {
        let until = self.ledger.total() + seconds;
        while self.ledger.total() < until && !run.must_end() {
            self.improve(run);
        }
    }

    /// What so many children of a tree cost, in the seconds that [`Portfolio::improve_for`] takes.
    pub(crate) fn cost_of_children(&self, children: u64) -> f64 {
        self.prices.expected(Unit::Child, children as f64)
    }

    /// One turn of iterated greedy or beam search.
    fn improve(&mut self, run: &Run<'_, T>) {
        let (before, begun) = (run.best_cost(), run.elapsed());
        let beam_is_next = self.has_beam && self.ledger.next() == Part::Beam && !self.schedule.is_finished();
        let pass = if beam_is_next { self.pass(run) } else { None };
        let (part, unit, evaluations, found) = match pass {
            Some(pass) => {
                (Part::Beam, Unit::Child, pass.children, pass.best.map_or(T::MAX, |(_, cost)| cost))
            }
            None => (Part::Greedy, Unit::Place, self.greedy_turn(run), self.island.best_cost()),
        };
        let seconds = self.prices.spent(unit, evaluations, run.elapsed() - begun);
        match part {
            Part::Greedy => self.greedy_speed.record(evaluations, seconds),
            Part::Beam => self.beam_spent += seconds,
        }
        let gain = if found < before { 1.0 - found.to_f64() / before.to_f64() } else { 0.0 };
        self.ledger.record(part, seconds, gain);
    }

    /// A pass of the beam, where one fits into the time that is left and into the share of the whole run that beam search has.
    fn pass(&mut self, run: &Run<'_, T>) -> Option<PassResult<T>> {
        let whole = self.ledger.total() + self.prices.remaining(Unit::Child, run);
        let seconds = ROOM * self.ledger.share(Part::Beam) * whole - self.beam_spent;
        let per_second = match self.prices.is_reproducible() {
            true => 1.0 / self.prices.expected(Unit::Child, 1.0),
            false => self.schedule.children_per_second(),
        };
        let pass = self.schedule.step_within((seconds * per_second) as u64, &mut self.beam, run)?;
        for (order, cost) in &pass.leaves {
            self.shared.elites.add_guest(*cost, order);
        }
        Some(pass)
    }

    fn greedy_turn(&mut self, run: &Run<'_, T>) -> u64 {
        let now = self.ledger.total();
        let seconds = (TURN * now).clamp(self.shortest_turn, LONGEST_TURN);
        let speed = self.greedy_speed.per_second(Unit::Place, &self.prices);
        let evaluations = (seconds * speed).max(1.0) as u64;
        let remaining = self.prices.remaining(Unit::Place, run);
        self.island.turn(evaluations, speed, now, remaining, self.shared, run)
    }
}
