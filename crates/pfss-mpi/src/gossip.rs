//! Best orders and bounds travel from neighbour to neighbour.

use std::time::{Duration, Instant};

use pfss_core::{Incumbents, JobId, Time};

use crate::line::Line;
use crate::message::News;
use crate::overlay::neighbours;

/// A process tells of its own improvements no more often than this: the first ones come by the hundred.
const PAUSE: Duration = Duration::from_millis(50);

/// What a process has told its neighbours.
#[derive(Debug)]
pub(crate) struct Gossip {
    best: u64,
    bound: u64,
    told: Option<Instant>,
}

impl Gossip {
    /// Nothing told.
    pub(crate) fn new<C: Time>() -> Self {
        Self { best: C::MAX.to_bits(), bound: C::ZERO.to_bits(), told: None }
    }

    /// Tells of what the run found, after a pause.
    pub(crate) fn tell<C: Time>(&mut self, run: &dyn Incumbents<C>, line: Line<'_>) {
        if self.told.is_none_or(|told| told.elapsed() >= PAUSE) {
            self.tell_now(run, line);
        }
    }

    /// Tells of what the run found.
    pub(crate) fn tell_now<C: Time>(&mut self, run: &dyn Incumbents<C>, line: Line<'_>) {
        let all = || neighbours(line.rank(), line.ranks());
        if run.best_cost().to_bits() < self.best
            && let Some((order, cost)) = run.best()
        {
            (self.best, self.told) = (cost.to_bits(), Some(Instant::now()));
            line.tell(all(), News::Order { cost: self.best, order });
        }
        if run.bound().to_bits() > self.bound {
            (self.bound, self.told) = (run.bound().to_bits(), Some(Instant::now()));
            line.tell(all(), News::Bound(self.bound));
        }
    }

    /// A neighbour told of an order: it is passed on at once where it is new.
    pub(crate) fn hear_order<C: Time>(
        &mut self,
        from: usize,
        cost: u64,
        order: Vec<JobId>,
        run: &dyn Incumbents<C>,
        line: Line<'_>,
    ) {
        run.offer(&order, C::from_bits(cost));
        if cost < self.best {
            self.best = cost;
            let others = neighbours(line.rank(), line.ranks()).filter(|&other| other != from);
            line.tell(others, News::Order { cost, order });
        }
    }

    /// A neighbour told of a bound.
    pub(crate) fn hear_bound<C: Time>(
        &mut self,
        from: usize,
        bound: u64,
        run: &dyn Incumbents<C>,
        line: Line<'_>,
    ) {
        run.raise_bound(C::from_bits(bound));
        if bound > self.bound {
            self.bound = bound;
            let others = neighbours(line.rank(), line.ranks()).filter(|&other| other != from);
            line.tell(others, News::Bound(bound));
        }
    }
}
