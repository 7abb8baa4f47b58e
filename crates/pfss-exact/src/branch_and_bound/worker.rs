//! One thread at work on open tasks.

use pfss_core::tree::Element;
use pfss_core::{JobId, Run, Time};

use super::dive::Dive;
use super::engine::Engine;
use super::frontier::Frontier;
use super::pool::Taken;
use super::supervisor::{DiveEnd, Supervisor};
use super::task::Task;

/// What one thread needs besides the shared tasks, kept from turn to turn.
pub(super) struct Worker<E: Element> {
    /// Its number among the threads.
    pub(super) number: usize,
    /// Whether there are others to share tasks with.
    shares: bool,
    dive: Dive<E>,
}

/// What a turn may do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn<T> {
    /// Only orders below this are looked for ([`Time::MAX`]: below the best known one).
    pub(super) ceiling: T,
    /// The epoch of the pool in which this ceiling holds.
    pub(super) epoch: u64,
    /// Children to price before it ends.
    pub(super) children: u64,
    /// Whether something must be left for other processes to take.
    pub(super) gives: bool,
}

/// What a turn has done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    pub(super) children: u64,
    /// There was nothing to take: others are at work on all that is open, or nothing is.
    pub(super) found_nothing: bool,
}

impl<E: Element> Worker<E> {
    pub(super) fn new(number: usize, threads: usize, dive: Dive<E>) -> Self {
        Self { number, shares: threads > 1, dive }
    }

    /// Searches tasks of `frontier`, one after the other.
    pub(super) fn work<T: Time>(
        &mut self,
        engine: &Engine<'_, T, E>,
        frontier: &Frontier<E>,
        turn: Turn<T>,
        run: &Run<'_, T>,
    ) -> Done {
        let mut done = Done::default();
        let pool = &frontier.pool;
        while done.children < turn.children && !run.must_end() {
            let Some(taken) = pool.take(self.number) else {
                done.found_nothing = true;
                break;
            };
            if taken.epoch != turn.epoch {
                // It belongs to another ceiling.
                let task = taken.task.clone();
                pool.finish(self.number, &taken, vec![task]);
                break;
            }
            let limit = engine.limit(turn.ceiling, run);
            let (number, shares) = (self.number, self.shares || turn.gives);
            let mut link = Link {
                engine,
                frontier,
                run,
                turn,
                taken: &taken,
                number,
                shares,
                children: &mut done.children,
            };
            let end = self.dive.search(&engine.ground, frontier, &taken, limit, &mut link);
            let rest = if end == DiveEnd::Paused { self.dive.open_tasks(&engine.ground) } else { Vec::new() };
            pool.finish(self.number, &taken, rest);
        }
        done
    }
}

/// The link between one dive and the search that it belongs to.
struct Link<'w, 'p, 'r, T: Time, E: Element> {
    engine: &'w Engine<'p, T, E>,
    frontier: &'w Frontier<E>,
    run: &'w Run<'r, T>,
    turn: Turn<T>,
    taken: &'w Taken<E>,
    number: usize,
    shares: bool,
    children: &'w mut u64,
}

impl<T: Time, E: Element> Supervisor<E> for Link<'_, '_, '_, T, E> {
    fn report(&mut self, nodes: u64, children: u64, share: f64, least: Option<E>) -> Option<E> {
        *self.children += children;
        self.frontier.count(nodes, children, share);
        self.run.count(children);
        self.frontier.pool.note(self.number, least);
        let must_pause = *self.children >= self.turn.children
            || !self.frontier.pool.wants(self.taken)
            || self.frontier.pool.is_paused()
            || self.run.must_end();
        if must_pause { None } else { Some(self.engine.limit(self.turn.ceiling, self.run)) }
    }

    fn found(&mut self, order: Vec<JobId>) -> E {
        self.engine.offer(&order, self.run);
        self.engine.limit(self.turn.ceiling, self.run)
    }

    fn wants_tasks(&self) -> bool {
        self.shares && !self.frontier.pool.holds_tasks(self.number)
    }

    fn take(&mut self, tasks: Vec<Task<E>>) {
        self.frontier.pool.add(self.number, self.taken, tasks);
    }
}
