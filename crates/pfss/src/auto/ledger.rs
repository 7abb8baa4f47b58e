//! Who is next: shares of the time by the shape of the instance and by what each part achieved lately.

/// A part that looks for better orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Iterated greedy.
    Greedy,
    /// Passes of beam search.
    Beam,
}

/// How much of a share follows from the shape of the instance; the rest from what was achieved.
const BY_SHAPE: f64 = 0.75;

/// After so much of the time so far, what was achieved and spent counts half.
const HALF_LIFE: f64 = 0.5;

/// No part gets less than this share.
const LEAST: f64 = 0.02;

/// The time that each part was given, and what came of it.
#[derive(Clone, Debug)]
pub(super) struct Ledger {
    /// The share of iterated greedy by shape.
    by_shape: f64,
    total: f64,
    /// Both forget: by part.
    spent: [f64; 2],
    gained: [f64; 2],
}

impl Ledger {
    /// Nothing spent yet. `greedy` is the share of iterated greedy by the shape of the instance.
    pub(super) fn new(greedy: f64) -> Self {
        Self { by_shape: greedy, total: 0.0, spent: [0.0; 2], gained: [0.0; 2] }
    }

    /// All time spent so far.
    pub(super) fn total(&self) -> f64 {
        self.total
    }

    /// The share of a part now.
    pub(super) fn share(&self, part: Part) -> f64 {
        let gained = self.gained[0] + self.gained[1];
        let achieved = if gained > 0.0 { self.gained[0] / gained } else { self.by_shape };
        let greedy = (BY_SHAPE * self.by_shape + (1.0 - BY_SHAPE) * achieved).clamp(LEAST, 1.0 - LEAST);
        match part {
            Part::Greedy => greedy,
            Part::Beam => 1.0 - greedy,
        }
    }

    /// The part that is furthest behind its share; at first the one with the larger share.
    pub(super) fn next(&self) -> Part {
        let ahead = |part: Part| self.spent[part as usize] / self.share(part);
        match ahead(Part::Greedy).total_cmp(&ahead(Part::Beam)) {
            std::cmp::Ordering::Less => Part::Greedy,
            std::cmp::Ordering::Greater => Part::Beam,
            std::cmp::Ordering::Equal if self.share(Part::Greedy) >= 0.5 => Part::Greedy,
            std::cmp::Ordering::Equal => Part::Beam,
        }
    }

    /// A part had `seconds` and made the best order shorter by the share `gain`.
    pub(super) fn record(&mut self, part: Part, seconds: f64, gain: f64) {
        self.total += seconds;
        let kept = if self.total > 0.0 { 0.5f64.powf(seconds / (HALF_LIFE * self.total)) } else { 1.0 };
        for number in self.spent.iter_mut().chain(&mut self.gained) {
            *number *= kept;
        }
        self.spent[part as usize] += seconds;
        self.gained[part as usize] += gain;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Time that each part gets of many turns.
    fn turns(ledger: &mut Ledger, gain: impl Fn(Part) -> f64) -> [f64; 2] {
        let mut spent = [0.0; 2];
        for _ in 0..1000 {
            let part = ledger.next();
            ledger.record(part, 1.0, gain(part));
            spent[part as usize] += 1.0;
        }
        spent
    }

    #[test]
    fn shares_are_kept_while_nothing_is_gained() {
        for share in [0.1, 0.5, 0.9] {
            let spent = turns(&mut Ledger::new(share), |_| 0.0);
            assert!((spent[0] / 1000.0 - share).abs() < 0.03, "{share}: {spent:?}");
        }
        assert_eq!(Ledger::new(0.9).next(), Part::Greedy);
        assert_eq!(Ledger::new(0.1).next(), Part::Beam);
    }

    #[test]
    fn the_part_that_gains_gets_more_and_the_other_is_not_forgotten() {
        let only = |winner: Part| move |part: Part| if part == winner { 1e-4 } else { 0.0 };
        let spent = turns(&mut Ledger::new(0.5), only(Part::Beam));
        assert!(spent[1] > 1.5 * spent[0] && spent[0] > 100.0, "{spent:?}");
        let mut ledger = Ledger::new(0.5);
        turns(&mut ledger, only(Part::Beam));
        // What was gained long ago counts no more.
        let spent = turns(&mut ledger, only(Part::Greedy));
        assert!(spent[0] > spent[1], "{spent:?}");
        let share = ledger.share(Part::Greedy) + ledger.share(Part::Beam);
        assert!((share - 1.0).abs() < 1e-12 && ledger.total() == 2000.0);
    }
}
