//! Which open nodes a process answers for: those of its tree, and those that it gave away and that have not arrived yet.
//!
//! All processes report in rounds: rank 0 begins a round when it has all reports of the one before. A report covers
//! everything that the process held at any time since its last report. So the time spans of all reports of a round have the
//! beginning of the round in common, at which everything that is open was held by somebody: their least bound is one of the
//! whole tree, and where all reports are empty nothing is open anywhere. (Two waves, as in Mattern's four-counter method,
//! "Algorithms for distributed termination detection", Distributed Computing 2 (1987); acknowledged gifts take the place of
//! counted messages.)

use std::collections::BTreeMap;

/// The open nodes of one process, by their least bounds.
#[derive(Debug)]
pub(crate) struct Holdings {
    /// The least bound when the last report was made.
    before: Option<f64>,
    /// The least bound of what came since then.
    came: Option<f64>,
    /// Gifts that have not arrived.
    on_the_way: BTreeMap<u64, Gift>,
    last_gift: u64,
}

#[derive(Debug)]
struct Gift {
    least: Option<f64>,
    nodes: Vec<String>,
}

impl Holdings {
    /// Nothing is known: everything may be open.
    pub(crate) fn new() -> Self {
        Self { before: Some(0.0), came: None, on_the_way: BTreeMap::new(), last_gift: 0 }
    }

    /// Gives nodes of this least bound away; returns the number of the gift.
    pub(crate) fn give(&mut self, least: Option<f64>, nodes: Vec<String>) -> u64 {
        self.last_gift += 1;
        self.on_the_way.insert(self.last_gift, Gift { least, nodes });
        self.last_gift
    }

    /// A gift has arrived: somebody else answers for it.
    pub(crate) fn arrived(&mut self, number: u64) {
        self.on_the_way.remove(&number);
    }

    /// Nodes of this least bound came in.
    pub(crate) fn came(&mut self, bound: Option<f64>) {
        self.came = least([self.came, bound]);
    }

    /// The least bound of all that was held since the last report; `open` is that of the tree now.
    pub(crate) fn report(&mut self, open: Option<f64>) -> Option<f64> {
        let now = least([open].into_iter().chain(self.on_the_way.values().map(|gift| gift.least)));
        let report = least([self.before, self.came, now]);
        (self.before, self.came) = (now, None);
        report
    }

    /// The nodes that have not arrived.
    pub(crate) fn nodes_on_the_way(&self) -> impl Iterator<Item = &String> {
        self.on_the_way.values().flat_map(|gift| &gift.nodes)
    }
}

/// The least of some bounds, where nothing is larger than any.
pub(crate) fn least(bounds: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    bounds.into_iter().flatten().reduce(f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_covers_all_since_the_last_one() {
        let mut holdings = Holdings::new();
        assert_eq!(holdings.report(Some(7.0)), Some(0.0));
        assert_eq!(holdings.report(Some(9.0)), Some(7.0));
        assert_eq!(holdings.report(Some(9.0)), Some(9.0));
        // It came and went between two reports.
        holdings.came(Some(5.0));
        let gift = holdings.give(Some(5.0), vec!["5 1".to_string()]);
        assert_eq!(holdings.nodes_on_the_way().count(), 1);
        assert_eq!(holdings.report(None), Some(5.0));
        holdings.arrived(gift);
        assert_eq!(holdings.nodes_on_the_way().count(), 0);
        assert_eq!(holdings.report(None), Some(5.0));
        assert_eq!(holdings.report(None), None);
        // What has not arrived is held by the giver.
        holdings.give(Some(6.0), vec![]);
        assert_eq!(holdings.report(None), Some(6.0));
        assert_eq!(holdings.report(None), Some(6.0));
    }
}
