//! What can be wrong with the attributes of an instance.

use thiserror::Error;

use super::Objective;
use super::ticks::Beyond;

/// Why attributes do not fit an instance, or are not supported together. Jobs and machines are given by name, or by number
/// where they have none.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum AttributeError {
    /// A list has another length than what it belongs to.
    #[error(
        "there are attributes of {found} {what}s, but the instance has {expected}; give one for each, or none"
    )]
    Count {
        /// "job" or "machine".
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A number is negative or not a number where that makes no sense.
    #[error("{place}: {what} is {value}; it must be a finite number{}", if *.may_be_negative { "" } else { " that is not negative" })]
    Number {
        /// Whose number.
        place: String,
        /// Which number.
        what: &'static str,
        /// The value as text.
        value: String,
        /// Whether it may be negative.
        may_be_negative: bool,
    },
    /// A number has more decimals than are calculated with.
    #[error(
        "{place}: {what} is {value}; round it to at most {decimals} decimals, so that all sums are exact"
    )]
    Decimals {
        /// Whose number.
        place: String,
        /// Which number.
        what: &'static str,
        /// The value as text.
        value: String,
        /// How many decimals are allowed.
        decimals: u32,
    },
    /// A number is larger than what is calculated with.
    #[error(
        "{place}: {what} is {}; the largest that can be calculated with is {largest}{}; use a coarser unit",
        shown(*.value),
        match .decimals {
            0 => String::new(),
            1 => " where some of these numbers have a decimal".to_string(),
            decimals => format!(" where some of these numbers have {decimals} decimals"),
        }
    )]
    TooLarge {
        /// Whose number.
        place: String,
        /// Which number.
        what: &'static str,
        /// The value.
        value: f64,
        /// The largest that is accepted; negative numbers may be as large.
        largest: f64,
        /// The decimals of the unit that all numbers of this kind are written in.
        decimals: u32,
    },
    /// The due dates are too far apart.
    #[error(
        "the due dates lie between {earliest} and {latest} and a schedule may take {horizon}: the span of {} is larger than \
         the {largest} that can be calculated with; use a coarser unit of time or fewer decimals",
        .latest.max(0.0) + .horizon - .earliest.min(0.0)
    )]
    DueDates {
        /// The earliest due date.
        earliest: f64,
        /// The latest due date.
        latest: f64,
        /// The longest that a schedule may take.
        horizon: f64,
        /// The largest span that is accepted.
        largest: f64,
    },
    /// A schedule could be longer than can be calculated with.
    #[error(
        "a schedule may take {found} of the smallest units that the times are written in, but at most {limit} can be calculated with; \
         use a coarser unit of time or fewer decimals"
    )]
    Horizon {
        /// How many units, as text.
        found: String,
        /// The limit.
        limit: u32,
    },
    /// The objectives' values do not fit into one score.
    #[error(
        "the values of {objectives} together have more than 63 bits; use coarser units of time and weight, or fewer objectives"
    )]
    Score {
        /// The objectives.
        objectives: String,
    },
    /// An objective is listed twice.
    #[error("the objective {objective} is listed twice; each may stand once, the most important first")]
    RepeatedObjective {
        /// The objective.
        objective: Objective,
    },
    /// An objective knows due dates, but no job has one.
    #[error("the objective {objective} needs due dates, but no job has one")]
    NoDueDates {
        /// The objective.
        objective: Objective,
    },
    /// A family does not exist.
    #[error("{place} has family number {family}, but there are {families} families, counted from 0")]
    Family {
        /// Who.
        place: String,
        /// The family.
        family: usize,
        /// How many there are.
        families: usize,
    },
    /// A set-up is listed twice.
    #[error("machine {machine} has two set-ups from {from} to {to}; list each pair once")]
    RepeatedSetup {
        /// The machine.
        machine: String,
        /// The family before.
        from: String,
        /// The family after.
        to: String,
    },
    /// The table of set-ups is too large.
    #[error(
        "set-ups between {families} families on {machines} machines are more than can be held; merge families that have the same set-ups"
    )]
    TooManyFamilies {
        /// How many families.
        families: usize,
        /// How many machines.
        machines: usize,
    },
    /// Buffers with more places than can be held.
    #[error(
        "buffers with {places} places for {num_jobs} jobs are more than can be held, which is {most} places together; leave out `buffer` where there is always room"
    )]
    TooManyPlaces {
        /// The places of all buffers.
        places: usize,
        /// How many jobs.
        num_jobs: usize,
        /// The most places for so many jobs.
        most: usize,
    },
    /// A break ends before it begins, or at once.
    #[error("machine {machine}: the break [{from}, {to}) is empty; its end must be after its beginning")]
    EmptyBreak {
        /// The machine.
        machine: String,
        /// Its beginning.
        from: f64,
        /// Its end.
        to: f64,
    },
    /// Two breaks share time.
    #[error("machine {machine}: the breaks [{}, {}) and [{}, {}) overlap; merge them", .first.0, .first.1, .second.0, .second.1)]
    OverlappingBreaks {
        /// The machine.
        machine: String,
        /// The earlier one.
        first: (f64, f64),
        /// The later one.
        second: (f64, f64),
    },
    /// The last machine has something that belongs between machines.
    #[error("machine {machine} is the last one: there is no machine behind it for {what}")]
    BehindTheLast {
        /// The machine.
        machine: String,
        /// "a buffer" or "no_wait".
        what: &'static str,
    },
    /// Jobs may not wait where there is a place to wait in.
    #[error(
        "machine {machine} has no_wait and a buffer: jobs that go on at once wait nowhere; leave one of them out"
    )]
    NoWaitWithBuffer {
        /// The machine.
        machine: String,
    },
    /// Jobs may not wait at a machine that stands still at times.
    #[error(
        "machine {machine} has breaks and is part of a gap with no_wait (behind machine {before}); this combination is not supported: \
         leave out no_wait there, or the breaks"
    )]
    NoWaitWithBreaks {
        /// The machine with breaks.
        machine: String,
        /// The machine before the gap.
        before: String,
    },
    /// A job of `first` or `precedence` does not exist.
    #[error("{place} names job number {job}, but jobs are numbered 0 to {last}")]
    NoSuchJob {
        /// "first" or "precedence".
        place: &'static str,
        /// The job.
        job: u32,
        /// The last job.
        last: usize,
    },
    /// A job is fixed twice.
    #[error("job {job} stands twice in first, at places {} and {}", .earlier + 1, .later + 1)]
    FixedTwice {
        /// The job.
        job: String,
        /// The 0-based place.
        earlier: usize,
        /// The 0-based place.
        later: usize,
    },
    /// Fixed jobs break a precedence.
    #[error("first puts job {after} before job {before}, but precedence wants {before} before {after}")]
    FixedAgainstPrecedence {
        /// What should come before.
        before: String,
        /// What should come after.
        after: String,
    },
    /// Precedences form a circle.
    #[error("precedence goes in a circle: {}; leave out one of these pairs", .jobs.join(" before "))]
    Circle {
        /// The jobs; the first is also the last.
        jobs: Vec<String>,
    },
}

/// A number without hundreds of zeros.
fn shown(value: f64) -> String {
    if value.abs() < 1e16 { value.to_string() } else { format!("{value:e}") }
}

impl Beyond {
    /// The error of somebody's number.
    pub(crate) fn of(self, place: String, what: &'static str) -> AttributeError {
        let Self { value, largest, decimals } = self;
        AttributeError::TooLarge { place, what, value, largest, decimals }
    }
}
