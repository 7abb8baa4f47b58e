//! Rounds of reports: down the tree of ranks comes the question, up the least bound of all that is open.

use std::time::{Duration, Instant};

use crate::holdings::least;
use crate::line::Line;
use crate::message::News;
use crate::overlay::{children, parent};

/// How often rank 0 asks: usually, and where little or nothing seems to be open.
const USUALLY: Duration = Duration::from_millis(100);
const AT_THE_END: Duration = Duration::from_millis(2);

/// What a process and all below it report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Report {
    /// The least bound of all that is open.
    pub(crate) least: Option<f64>,
    /// The bits of the best cost by which nodes were pruned.
    pub(crate) best: u64,
    /// How much of the tree is searched.
    pub(crate) searched: f64,
}

impl Report {
    fn with(self, other: Self) -> Self {
        Self {
            least: least([self.least, other.least]),
            best: self.best.min(other.best),
            searched: self.searched + other.searched,
        }
    }
}

/// The round under way, as one process sees it.
#[derive(Debug)]
pub(crate) struct Rounds {
    round: u64,
    so_far: Option<Report>,
    missing: usize,
    begun: Instant,
    period: Duration,
}

impl Rounds {
    pub(crate) fn new() -> Self {
        Self { round: 0, so_far: None, missing: 0, begun: Instant::now(), period: USUALLY }
    }

    /// Rank 0: the number of the next round, where it is time for one.
    pub(crate) fn next(&mut self, is_hungry: bool) -> Option<u64> {
        let period = if is_hungry { AT_THE_END } else { self.period };
        (self.so_far.is_none() && self.begun.elapsed() >= period).then_some(self.round + 1)
    }

    /// A round begins: asks those below, and notes the report of this process. Returns the report of all where it is complete.
    pub(crate) fn begin(&mut self, round: u64, own: Report, line: Line<'_>) -> Option<Report> {
        let below = || children(line.rank(), line.ranks());
        line.tell(below(), News::Count(round));
        (self.round, self.so_far, self.missing) = (round, Some(own), below().count());
        self.begun = Instant::now();
        self.close(line)
    }

    /// A process below reported. Returns the report of all where it is complete.
    pub(crate) fn hear(&mut self, round: u64, report: Report, line: Line<'_>) -> Option<Report> {
        if round != self.round || self.missing == 0 {
            return None;
        }
        self.so_far = self.so_far.map(|so_far| so_far.with(report));
        self.missing -= 1;
        self.close(line)
    }

    /// Passes the report on when all below have answered; at rank 0 it is that of all.
    fn close(&mut self, line: Line<'_>) -> Option<Report> {
        if self.missing > 0 {
            return None;
        }
        let report = self.so_far.take()?;
        let Report { least, best, searched } = report;
        match parent(line.rank()) {
            Some(above) => {
                line.send(above, News::Report { round: self.round, least, best, searched });
                None
            }
            None => {
                self.period = if least.is_none() { AT_THE_END } else { USUALLY };
                Some(report)
            }
        }
    }
}
