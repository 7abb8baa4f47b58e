//! Keeps a pass within what it may spend: where the levels below would take more, they get narrower.

use std::time::Duration;

/// The speed is known once this share of the time is spent: the first levels are narrow, and slow for their size.
const KNOWN_AFTER: f64 = 0.02;

/// How much of the time that is left a pass plans with: deep levels are slower for their size.
const PLANNED_SHARE: f64 = 0.9;

/// What older levels still say about the speed after each level.
const MEMORY: f64 = 0.8;

/// A node takes time in itself, as much as so many children.
const CHILDREN_PER_NODE: f64 = 32.0;

/// The pace of one pass.
pub(super) struct Pace {
    children: u64,
    /// When it began, when it should have ended, and when the last level was done, in seconds of the run.
    begun: f64,
    until: Option<f64>,
    last: f64,
    /// What recent levels took, and what there was to do.
    seconds: f64,
    work: f64,
}

impl Pace {
    /// A pass that begins now may price so many children, and should end in time.
    pub(super) fn new(children: u64, until: Option<Duration>, now: Duration) -> Self {
        let (begun, until) = (now.as_secs_f64(), until.map(|until| until.as_secs_f64()));
        Self { children, begun, until, last: begun, seconds: 0.0, work: 0.0 }
    }

    /// Whether it must be told the time.
    pub(super) fn has_clock(&self) -> bool {
        self.until.is_some()
    }

    /// A level of `nodes` nodes was done, each with so many children.
    pub(super) fn level_done(&mut self, nodes: usize, children: u64, now: Duration) {
        let now = now.as_secs_f64();
        self.seconds = MEMORY * self.seconds + (now - self.last);
        self.work = MEMORY * self.work + nodes as f64 * (children as f64 + CHILDREN_PER_NODE);
        self.last = now;
    }

    /// How many nodes the next level may have at most, each with `open` jobs left, when `spent` children were priced: all levels
    /// from there on may be so wide.
    pub(super) fn width(&self, open: usize, spent: u64) -> usize {
        // A node has `open` children, those below it one less, and so on.
        let below = open as u64 * (open as u64 + 1) / 2;
        let by_children = match self.children {
            u64::MAX => u64::MAX,
            children => children.saturating_sub(spent) / below.max(1),
        };
        usize::try_from(by_children).unwrap_or(usize::MAX).min(self.width_in_time(below as f64, open)).max(1)
    }

    fn width_in_time(&self, below: f64, open: usize) -> usize {
        let Some(until) = self.until else { return usize::MAX };
        if self.last - self.begun < KNOWN_AFTER * (until - self.begun) || self.seconds <= 0.0 {
            return usize::MAX;
        }
        let affordable = PLANNED_SHARE * (until - self.last).max(0.0) * self.work / self.seconds;
        (affordable / (below + CHILDREN_PER_NODE * open as f64)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_divided_among_the_levels_below() {
        let free = Pace::new(u64::MAX, None, Duration::ZERO);
        assert_eq!(free.width(100, 7), usize::MAX);
        // Ten nodes with 4 + 3 + 2 + 1 children.
        let bounded = Pace::new(1100, None, Duration::ZERO);
        assert_eq!([bounded.width(4, 1000), bounded.width(4, 1001), bounded.width(4, 2000)], [10, 9, 1]);
    }

    #[test]
    fn the_speed_of_the_pass_says_what_there_is_time_for() {
        let mut pace = Pace::new(u64::MAX, Some(Duration::from_secs(101)), Duration::from_secs(1));
        let width = |pace: &Pace| pace.width(8, 0) as f64;
        pace.level_done(1000, 10, Duration::from_secs(2));
        assert_eq!(pace.width(8, 0), usize::MAX);
        pace.level_done(1000, 10, Duration::from_secs(11));
        let first = width(&pace);
        // About 8000 units a second, 90 seconds, and a bit less than 300 units below each node.
        assert!((1000.0..3000.0).contains(&first), "{first}");
        pace.level_done(1000, 10, Duration::from_secs(56));
        assert!(width(&pace) < first / 4.0);
        pace.level_done(1000, 10, Duration::from_secs(200));
        assert_eq!(pace.width(8, 0), 1);
    }
}
