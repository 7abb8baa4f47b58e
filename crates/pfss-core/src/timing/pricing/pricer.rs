//! Prices of changes of a sequence, by whatever way suits the line.

use std::ops::{Range, RangeInclusive};

use super::engine::Engine;
use super::sequence::Sequence;
use super::steps::Change;
use crate::JobId;
use crate::simd::Instructions;
use crate::timing::{Line, Score};

/// A sequence of some jobs of a line, and what it costs to put a further one in or to change it.
///
/// Registers price a change per lane. Lines with breaks or with buffers for several jobs are priced change by change.
///
/// # Panics
/// Where a position, a place or a job does not exist, or a job would stand twice as long as the line has jobs.
#[derive(Clone, Debug)]
pub struct LinePricer<'l> {
    sequence: Sequence<'l>,
    engine: AnyEngine,
    prices: Vec<u64>,
    buffer: Vec<u32>,
}

/// An engine for each way to store times and sums.
#[derive(Clone, Debug)]
enum AnyEngine {
    None,
    Narrow(Engine<u16, u32>),
    NarrowTimes(Engine<u16, u64>),
    NarrowSums(Engine<u32, u32>),
    Wide(Engine<u32, u64>),
}

/// One expression for whichever engine there is.
macro_rules! on_engine {
    ($engine:expr, $name:ident => $body:expr, $none:expr) => {
        match $engine {
            AnyEngine::None => $none,
            AnyEngine::Narrow($name) => $body,
            AnyEngine::NarrowTimes($name) => $body,
            AnyEngine::NarrowSums($name) => $body,
            AnyEngine::Wide($name) => $body,
        }
    };
}

impl<'l> LinePricer<'l> {
    /// A pricer of an empty sequence.
    pub fn new(line: &'l Line) -> Self {
        Self::with(line, Some(Instructions::detect()))
    }

    /// A pricer that uses no wider instructions than these, or no registers at all.
    pub fn with(line: &'l Line, instructions: Option<Instructions>) -> Self {
        let sequence = Sequence::new(line);
        let engine = match instructions {
            Some(with) if !sequence.rules.has_breaks() && !sequence.rules.has_memories() => {
                let has_narrow_sums = line.score_limit() <= u64::from(u32::MAX);
                match (line.horizon() < u32::from(u16::MAX), has_narrow_sums) {
                    (true, true) => AnyEngine::Narrow(Engine::new(line, with)),
                    (true, false) => AnyEngine::NarrowTimes(Engine::new(line, with)),
                    (false, true) => AnyEngine::NarrowSums(Engine::new(line, with)),
                    (false, false) => AnyEngine::Wide(Engine::new(line, with)),
                }
            }
            _ => AnyEngine::None,
        };
        let mut pricer = Self { sequence, engine, prices: Vec::new(), buffer: Vec::new() };
        pricer.refresh(0..0, 0);
        pricer
    }

    /// The line.
    pub fn line(&self) -> &'l Line {
        self.sequence.line()
    }

    /// Whether all places of a job cost little more than one: the makespan alone counts, and is a longest path.
    pub fn has_tails(&self) -> bool {
        self.has_registers() && self.sequence.tails.is_some()
    }

    /// Whether registers price many changes at once.
    pub fn has_registers(&self) -> bool {
        !matches!(self.engine, AnyEngine::None)
    }

    /// About how many numbers it takes to price one place or one change without registers.
    pub fn effort(&self) -> usize {
        (self.sequence.order.len() + 1) * self.sequence.rules.width()
    }

    /// The sequence.
    pub fn order(&self) -> &[JobId] {
        &self.sequence.order
    }

    /// The score of the sequence.
    pub fn score(&self) -> Score {
        Score(self.sequence.score())
    }

    /// When the job at `position` is completed.
    pub fn completion(&self, position: usize) -> u32 {
        self.sequence.state(position + 1)[self.line().num_machines() - 1]
    }

    /// Replaces the sequence.
    pub fn load(&mut self, order: &[JobId]) {
        assert!(order.len() <= self.line().num_jobs(), "more jobs than the line has");
        self.sequence.order.clear();
        self.sequence.order.extend_from_slice(order);
        self.refresh(0..order.len(), 0);
    }

    /// Puts a job in at a place.
    pub fn insert(&mut self, job: JobId, place: usize) {
        assert!(self.sequence.order.len() < self.line().num_jobs(), "more jobs than the line has");
        let behind = self.sequence.order.len() - place;
        self.sequence.order.insert(place, job);
        on_engine!(&mut self.engine, engine => engine.rows().make_room(place), ());
        self.refresh(place..place + 1, behind);
    }

    /// Takes out the job at a position.
    pub fn remove(&mut self, position: usize) -> JobId {
        let job = self.sequence.order.remove(position);
        on_engine!(&mut self.engine, engine => engine.rows().close_gap(position), ());
        self.refresh(position..position, self.sequence.order.len() - position);
        job
    }

    /// Makes a change.
    pub fn apply(&mut self, change: Change, position: usize, distance: usize) {
        change.apply(&mut self.sequence.order, position, distance);
        let end = position + distance + 1;
        self.refresh(position..end, self.sequence.order.len() - end);
    }

    /// Brings everything up to date from the jobs at `written` on, which are new there; the last `same` jobs are the same.
    fn refresh(&mut self, written: Range<usize>, same: usize) {
        self.sequence.refresh(written.start, same);
        let sequence = &self.sequence;
        on_engine!(&mut self.engine, engine => engine.rows().refresh(sequence, written), ());
    }

    /// Prices a further job at these places, each of which lies between 0 and the number of jobs. The least price is exact
    /// wherever it stands, if it is below `cutoff`; others may be anything above it that is not too high.
    pub fn price(&mut self, job: JobId, places: RangeInclusive<usize>, cutoff: Score) -> &[u64] {
        let (first, last) = places.into_inner();
        let len = self.sequence.order.len();
        assert!(first <= last && last <= len, "no such place");
        self.prices.resize(len + 1, 0);
        let Self { sequence, engine, prices, buffer } = self;
        on_engine!(engine, engine => engine.complete_tails(sequence), ());
        on_engine!(engine, engine => engine.price_places(sequence, job, first..last + 1, cutoff.0, prices), {
            let constant = sequence.constant + sequence.line().job_cost(job).constant;
            let mut cutoff = cutoff.0;
            for (place, price) in prices.iter_mut().enumerate().take(last + 1).skip(first) {
                let rest = std::iter::once(job).chain(sequence.order[place..].iter().copied());
                *price = sequence.price(place, rest, constant, cutoff, buffer);
                cutoff = cutoff.min(price.saturating_add(1));
            }
        });
        &self.prices[first..=last]
    }

    /// Prices a change over `distance` at these positions. Prices of at least `cutoff` may be anything from there on.
    pub fn price_changes(
        &mut self,
        change: Change,
        distance: usize,
        positions: Range<usize>,
        cutoff: Score,
    ) -> &[u64] {
        let len = self.sequence.order.len();
        assert!(distance > 0 && positions.end + distance <= len, "no such change");
        self.prices.resize(len + 1, 0);
        let Self { sequence, engine, prices, buffer } = self;
        let all = positions.clone();
        on_engine!(engine, engine => engine.complete_tails(sequence), ());
        on_engine!(engine, engine => engine.price_changes(sequence, change, distance, all, prices), {
            for position in all {
                let runs = change.runs(position, distance, len).into_iter().flatten();
                let rest = runs.map(|position| sequence.order[position]);
                prices[position] = sequence.price(position, rest, sequence.constant, cutoff.0, buffer);
            }
        });
        &self.prices[positions]
    }
}
